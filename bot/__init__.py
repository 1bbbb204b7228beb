"""Everything that touches the outside world: the command line, the live client, the lobby, verification."""
