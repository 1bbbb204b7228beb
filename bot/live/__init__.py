"""Play at a table over a websocket: the client, its clock and thought, the record and the view."""
