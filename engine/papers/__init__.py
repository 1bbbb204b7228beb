"""Systems of other people's papers, a room for each, entered through the registries by name; the bot needs none."""
