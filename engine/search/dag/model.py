"""The one-player game that the DAG search solves, and its parameters.

One player draws, calls and discards; the three others discard at random and may end the hand; nothing else happens. The
search finds the policy that maximises expected utility, exactly, within the hands enumerated. This text defines the
game for the kernels and for the plain oracle (``tests/oracles/naive_dag.py``) alike:

**Hand** ``q``: 13 tiles counting a kan as three: concealed counts, melds as a multiset of (chi by lowest kind, pon,
open kan, ankan), and a riichi state ``rho``: 0 none, 1 riichi, *fresh* the go-around right after its declaration
(ippatsu). ``n_h(q)`` counts kind ``h`` concealed and in melds, ``r_h`` the same of the root (14 tiles at a discard,
13 at a call, without the offered tile). ``in_h = max(0, n_h(q) - r_h)``, ``out_h = max(0, r_h - n_h(q))``.

**Hands searched**: ``Q_S0``: root + every partial exchange (k in, k+1 out of 14 tiles; k in, k out of 13; k <= n) of
an exchange of at most n+1 tiles in that completes it, + every legal discard (after a root call: of each call).
``Q_S``: each added tile may come by draw, pon or chi, at most ``calls`` of them (including the root's own); kans
replace triplets as in the paper, at most two, of kinds of which the root holds three or has a pon (a closed
kan is not a call, nor is a pon's fourth tile); + the riichi state of every closed tenpai hand. A 14-tile hand ``P``
has the children ``P - h'`` in ``Q_S``. A kan counts as three tiles when deciding whether a change of tiles is part of
an exchange; everywhere else it is four tiles.

**Time** is ``d``, own draws still to come, so ``t`` of the paper is ``D - d`` (+1 at a discard). ``w_h(q) = unseen_h -
in_h`` (a tile drawn and discarded again returns to the wall), ``W(q) = sum w_h``. The player draws ``h`` with ``pT_h =
draw_kinds[rho > 0][h] * draw_scale[rho > 0][d] * w_h / W``; what is left to 1 is a tile that leads to no other hand. An
opponent discards ``h`` with ``pF_h = rate[rho > 0][d][opponent][h] * w_h / W``. The factors come from the fitted
tables, one rate for all opponents and all draws alike, or from what is stated of the tiles to come (``stakes.tiles``):
by a network of the position, or by what was counted of waits (:mod:`engine.search.read_waits`).

**Limits**. A kind can be in ``q`` while ``in_h <= unseen_h``; kinds of the own river while four are not held, so that
furiten by a wait with no copy left is recognised.

**Win utilities** ``u_tsumo(q, h)``, ``u_ron(q, h)``: see Leaves; absent without a yaku. A hand whose waits (within the
limits) meet the own river or ``out`` is furiten: no ron.

**Phase T**, d >= 1::

    E_T(q, d) = sum_h pT_h * max( u_tsumo(q, h),  V(q + h, d - 1),  K(q + h, d) )
    V(P, d)   = max over discards h' (tsumogiri always, others while P - h' is in Q_S) of
                    E_F(P - h', d),   and, closed and tenpai, d >= 1, 1000 points in hand:  E_F^fresh(P - h', d)
    K(P, d)   = max over kans, closed or added, of  E_R(q', d)      d >= 2
    E_R(q, d) = E_T(q, d) with one han more (rinshan) for a self-draw: the dead wall's tile, drawn in the same turn

The last draw (d = 1, ``tail`` = 0) is haitei. In riichi the player wins whenever possible (no choice) and otherwise
discards the drawn tile; there are no kans. ``E_T^fresh`` wins with ippatsu and continues with ``E_F^1(q, d - 1)``.

**Phase F**: three opponents discard one after another, right, across, left. With ``V0 = survive * E_T`` and the rest,
``V0 = survive[rho > 0][d] * E_T(q, d) + (1 - survive[rho > 0][d]) * ended[rho > 0]``::

    X_h = max( pon: V(q + h, d - 1),  open kan (d >= 2): E_R(q', d),  u_ron(q, h) )        from anyone
    Y_h = max( X_h, chi: V(q + h, d - 1) )                                        from the left
    V1 = V0 + sum_h pF_h * max(Y_h - V0, 0)        the left one: the last before the own draw
    V2 = V1 + sum_h pF_h * max(X_h - V1, 0)        across
    V3 = V2 + sum_h pF_h * max(X_h - V2, 0)        right
    E_F(q, d) = V3

``V`` after a call excludes kuikae discards and riichi; the called tile cannot be discarded. In riichi a ron is always
taken (``u_ron - V`` also when negative).

The paper takes the three at once, ``3 pF_h``. One after another is what happens, costs nothing, and does not overrate
wide waits (six tiles in eighty: 0.209 instead of 0.225).

**The end**, d = 0: ``V0 = S * terminal[noten | tenpai | tenpai and riichi] + (1 - S) * ended[rho > 0]``, with ``S =
survive[rho > 0][0]^(tail/3)``, which an average table takes for 1; then phase F of ``tail`` opponents with ron only,
where the last discard (``V1``) is houtei. Tenpai is a hand with a wait within the limits.

**Roots**. Discard: ``V(root, D)`` over every legal discard and riichi (double if nothing has been called or
discarded), and kans ``E_R(q', D + 1)``, D >= 1 (the dead wall's tile, then the discard that leaves D). Call: passing is
phase F of the ``before_draw`` opponents still to discard (the last of them from the left), then ``E_T(q, D)``; with D
= 0 the end with ``tail`` opponents; chi and pon ``V(root + h, max(D - 1, 0))``; open kan ``E_R(q', D)`` (D >= 2). 13
tiles without an offered tile: ``E_F(q, D)``. If a win was passed since the own last discard, or is passed now, nobody's
discard of a kind that the hand waits for is claimed before the own draw.

A root in riichi discards what leaves it tenpai, ``E_F^1(q, D)``, or makes a closed kan, ``E_R^1(q', D + 1)``. When it
may claim a discard it passes with ippatsu if it still has it, and after a passed win only the own draw remains.

**Silent tenpai.** With the chances of a table, a hand that the root's discard leaves tenpai without a riichi, or that
passes, declares none as long as it is that hand: whoever is silent now is so again a turn later, for the reasons of
now. (That also holds where the hand changes and comes back to it.)

**Ties** keep what was considered first: tsumogiri, then a win, then discards by kind ascending (without riichi before
with), then kans; pass, then ron, pon, open kan, chi (lowest kind first). A later one must be strictly better.

**Along the policy** the same sums without maximum give P(win), P(tenpai at the end), and points times P(win).

**Leaves**. Points of ``score(q + h)`` at the position's winds, indicators, honba and sticks, by han and fu of each
reading; extra han, independent of each other, are added, and the best reading is taken for each number of them:

* red fives not in the root: suit ``s`` holds the unseen red five with probability ``in_5s / unseen_5s``, counting the
  winning tile; a root's own red five stays while the hand holds a five of its suit. The policy ignores whether a five
  it drew is red;
* random indicators: riichi counts one ura for each dora indicator, each kan made in the search one more dora, and one
  more ura in riichi. Each hits ``m`` times with the chance that an unseen tile (``w`` of the 14 tiles) points at a
  kind held ``m`` times; indicators are taken as independent;
* haitei, houtei and ippatsu: one han (making a yaku where there was none). Ippatsu survives calls with the fitted
  chance ``ippatsu_kept``: ``u = (1 - kept) * u(without) + kept * u(with)``.

The utility is of the change of own points: win + 300 per honba + sticks on the table; a riichi declared in the search
costs 1000 unless the hand wins. Exhaustive draw: noten payments over the fitted number of tenpai opponents.

**Stakes** (:mod:`engine.search.evaluator`) replace the utility if the caller knows the table: the worths of a self-draw
and of a ron, of another player's win and of the exhaustive draw, and what discards may cost. A hand that has discarded
kinds of the root (``out_h > 0``) has paid their toll: with ``F(q) = sum of toll_h over out_h > 0``, every worth reached
from ``q`` is reduced by ``F(q)``, so that each discard of the root's tiles is charged once, when it is made, and a tile
that comes back is refunded. The root's own discard is not charged; the caller weighs it. In each go-around the drawn
tile, when discarded, deals in with chance ``hazard[rho][d]``: ``survive' = survive * (1 - hazard)``, the rest shared
between ``ended`` and ``hazard_worth``. After any discard the player may fold for good, for ``fold[d]``: ``E_F(q, d) =
max(E_F(q, d), fold[d] - F(q))``. Each kan that the root had not made adds ``kan_toll`` to ``F(q)``.

**The modules** follow that order; each begins with an example to be followed by hand.

* *List*: the exchanges that complete the hand (``exchange_kernels``), their parts by what came in (``row_kernels``)
  and by melds (``meld_kernels``): the hands.
* *Link*: where hands meet one discard further (``meet_kernels``), what calls and kans lead there (``call_kernels``),
  and all of it as a graph (``link_kernels``, whose arrays ``graph_kernels`` describes).
* *Score*: what a complete hand can count for and what so many han are worth (``worth_kernels``), and so each win
  (``leaf_kernels``).
* *Sweep*: who waits on what (``wait_kernels``), one own draw (``draw_kernels``), the others' discards
  (``discard_kernels``), and turn by turn all of them (``sweep_kernels``).

``search_kernels`` is what Python calls of these. ``graph`` chooses how many hands are listed, ``solve`` lays the model
out as arrays, and ``search`` is the evaluator.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from engine.model.rules import RIICHI_STICK
from engine.scoring.payments import noten_payment
from engine.search.dag import MODEL_NAMES
from engine.search.discard_tables import discard_tables
from engine.search.evaluator import POINTS, Stakes, Utility
from engine.search.position import Position
from engine.search.read_waits import read_waits


class RiichiMode(IntEnum):
    """The treatment of closed tenpai hands."""

    OFF = 0
    """Never riichi."""
    AUTO = 1
    """A closed hand wins as if in riichi (one han and ura, no ippatsu, no stick) but may still exchange tiles. Other
    calculators do the former, but not always the latter."""
    CHOICE = 2
    """Riichi is an action: one han, ura and ippatsu against 1000 points and a hand that no longer changes."""


@dataclass(frozen=True, slots=True)
class Model:
    """The parts of the game that are played.

    Attributes:
        calls: m_f, maximum number of calls in one line of play, 0-4.
        draws_only: whether the player alone plays: nobody's discard can be won on, nobody else ends the hand, an
            exhaustive draw pays nothing, all unseen tiles are alike, and there are neither kans nor ippatsu.
        riichi: see :class:`RiichiMode`.
        read: whether others discard, and the player draws, what the hand waits for as rarely as on the recordings: the
            others read it, and a hand goes on only as long as it has not come. Stakes that state the tiles to come
            have that already.
        exchanges: n; None: chosen by shanten and budget.
        utility: utility of a change of own points, if no stakes are given.
    """

    calls: int = 2
    draws_only: bool = False
    riichi: RiichiMode = RiichiMode.CHOICE
    read: bool = False
    exchanges: int | None = None
    utility: Utility = POINTS

    def __post_init__(self) -> None:
        if not 0 <= self.calls <= 4:
            raise ValueError(f"{self.calls} calls: a hand can call 0 to 4 times")
        if self.exchanges is not None and not 0 <= self.exchanges <= 13:
            raise ValueError(f"{self.exchanges} exchanges: it can be 0 to 13")


FULL: Final = Model()
"""The whole game, with others who discard whatever the hand waits for."""

READ: Final = Model(read=True)
"""The whole game, with waits that are read."""

DRAWS: Final = Model(calls=0, draws_only=True, riichi=RiichiMode.AUTO)
"""Own draws only, as in other calculators."""

MODELS: Final = dict(zip(MODEL_NAMES, (FULL, READ, DRAWS), strict=True))


def in_points(position: Position, model: Model) -> Stakes:
    """The stakes if none are given: every end is worth the model's utility of the change of own points."""
    stick = 0 if position.riichi else RIICHI_STICK
    of = model.utility.of
    terminal = (of(0), of(0), of(-stick))
    if not model.draws_only:
        others = discard_tables().tenpai_opponents(position)
        noten, tenpai = ([noten_payment(number + own, tenpai=own) for number in range(4)] for own in (False, True))
        at_the_end, ready, in_riichi = (
            sum(chance * of(payment - paid) for chance, payment in zip(others, payments, strict=True))
            for payments, paid in ((noten, 0), (tenpai, 0), (tenpai, stick))
        )
        terminal = (at_the_end, ready, in_riichi)
    tiles = read_waits(position) if model.read else None
    return Stakes(model.utility, model.utility, (of(0), of(-stick)), terminal, tiles=tiles)
