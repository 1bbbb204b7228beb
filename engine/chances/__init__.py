"""The chances of the tiles to come: of each kind, who discards it when, and whether the viewer draws it first."""
