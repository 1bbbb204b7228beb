"""What the network of the tiles to come sees and states: each number with its meaning and its scale."""

from engine.networks import imitation_layout_kernels as imitation
from engine.networks.columns_kernels import Columns

ACTORS = 4
"""The opponents on the right, across and on the left, by their discards, and the viewer, by its draws."""
VIEWER = 3
ENDS = 3
"""Ends of a hand that are not the viewer's win: another player's win, its own deal-in, its giving up."""
TURNS = 18
"""Turns of an actor for which chances are stated; later ones are like the last."""
PLAIN, DECLARES, CALLS = range(3)
"""How the viewer goes on: as it stands; with a riichi on the discard to come; by a call of the tile on offer."""

KINDS = Columns()
"""The numbers for each kind of tile: the imitating network's, the tile of the viewer's next action, its waits."""
KINDS.rows += imitation.KINDS.rows
NOW_DISCARDED = KINDS.add("discarded now by the viewer")
NOW_CALLED = KINDS.add("called now by the viewer")
WAITED = KINDS.add("completes the viewer's hand, which is tenpai")

WHOLE = Columns()
"""The numbers for the whole table: those of the imitating network, and how the viewer goes on."""
WHOLE.rows += imitation.WHOLE.rows
NOW = WHOLE.add("the viewer declares riichi now", "calls now")
BEFORE = WHOLE.add("opponents who discard before the viewer's next draw", of=3)
