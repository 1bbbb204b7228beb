"""Everything that touches the world: the command line, the live client, the lobby, verification."""
