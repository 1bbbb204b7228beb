"""Where logs are found: files, folders, archives, lists, addresses; and which file of a game is read."""
