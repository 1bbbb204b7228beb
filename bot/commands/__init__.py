"""One module a command of the command line; :mod:`bot.cli` lists them."""
