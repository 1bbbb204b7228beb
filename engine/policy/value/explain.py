"""The figures and grounds that a decision shows, from the numbers that decided it.

Nothing here changes a choice. The chances of closed hands are shown as recorded hands bear them out, where those of the
search do not come true. Worths are left alone, because they come true: what early closed hands win more often than the
search states, they lose by dealing in more often (docs/lab/chances.md). Only the parts of a worth move.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import exp, log
from typing import Final

from engine.model.actions import DISCARDS, KANS, NINE_TERMINALS, ActionKind
from engine.policy.decision import Candidate, Decision, Parts
from engine.policy.grounds import Note
from engine.policy.pushfold import Mode
from engine.policy.value.grounds import grounds
from engine.policy.value.parts import Course, Paths, attack_parts, fold_course, fold_parts
from engine.policy.value.reading import Reading
from engine.policy.value.ways import Way
from engine.search.evaluator import Evaluation, Worth

WINS_BY_DRAW: Final = 0.03
"""Log odds by which a closed hand one or two away is won more often for each own draw left beyond
:data:`DRAWS_AS_STATED`: with time it improves in ways that the search does not list. Fitted on 9,592 such hands of
recordings that were not held back: 0.029 with a standard error of 0.012."""
DRAWS_AS_STATED: Final = 10.5
"""Own draws left with which such hands are won as often as the search states. Fitted with it."""
CORRECTED: Final = (1, 2)
"""Distances from a win for which this was fitted. Tenpai hands come true, and open ones; farther ones are won more
often than stated, too, but nothing was fitted on them."""


def explain(ranked: Sequence[Way], table: Reading, found: Evaluation, noise: float, *, folded_before: bool) -> Decision:
    """The decision for the first of the ranked ways, with what it shows.

    Args:
        ranked: the ways to answer, best first.
        table: the reading of the table.
        found: what the search found.
        noise: points below which two ways count as equal.
        folded_before: whether the hand had folded before this decision.
    """
    by_draws = max((worth.p_win_by_draws for worth in found.actions), key=len, default=())
    paths = Paths(table.folding, table.tiles, by_draws, table.scene.position.tail, table.scene.position.closed)
    candidates = tuple([_candidate(way, table, paths) for way in ranked])
    best, per_point = ranked[0], table.per_point
    return Decision(
        best.action,
        candidates,
        Mode.FOLD if best.folds else Mode.ATTACK,
        grounds(ranked, candidates, table, folded_before=folded_before),
        table.currency.objective.unit,
        nodes=found.nodes,
        noise=noise * per_point,
        per_point=per_point,
    )


def _candidate(way: Way, table: Reading, paths: Paths) -> Candidate:
    scene, risks, per_point = table.scene, table.risks, table.per_point
    action, exposed34, passes = way.action, way.exposed34, way.passes
    after = scene.discards if action.kind in DISCARDS else None
    worth = _as_recorded(way, table)
    course, parts = _goes_on(way, worth, table, paths)
    later = passes * course.p_later if course and per_point > 0 else None
    return Candidate(
        action,
        way.value,
        p_win=None if worth is None or worth.p_win is None else passes * worth.p_win,
        p_deal_in=way.deal_in if exposed34 >= 0 else None,
        expected_loss=float(risks.loss[exposed34]) if exposed34 >= 0 else None,
        shanten=after.shanten[way.discard34] if after else None,
        ukeire=after.ukeire[way.discard34] if after else None,
        note=_note(way, table),
        p_tenpai=None if worth is None or worth.p_tenpai is None else passes * worth.p_tenpai,
        prior=way.prior,
        lean=way.lean or None,
        win_points=worth.win_points if worth else None,
        p_later=later,
        later_loss=-parts.later / per_point / later if parts and later else None,
        parts=parts,
    )


def _note(way: Way, table: Reading) -> Note | None:
    if way.action == NINE_TERMINALS:
        return Note.REDEAL
    if way.folds:
        return Note.FOLD
    position = table.scene.position
    silent = way.action.kind is ActionKind.DISCARD and position.closed and not position.riichi
    return Note.SILENT if silent and table.scene.discards.shanten[way.discard34] == 0 else None


def _goes_on(way: Way, worth: Worth | None, table: Reading, paths: Paths) -> tuple[Course | None, Parts | None]:
    """How the hand goes on after a way, and the parts of its score; None where that is not known."""
    if way.folds:
        course = fold_course(table.folding, way.discard34, table.scene.position.draws_left)
        parts = fold_parts(course)
    elif worth is None:  # the hand is aborted
        return None, Parts(network=way.lean)
    else:
        riichi = way.action.kind is ActionKind.RIICHI or table.scene.position.riichi > 0
        stakes = table.stakes.after_kan(worth.choice.tile34) if worth.choice.kind in KANS else table.stakes
        followed = paths.attacking(worth, stakes, riichi=riichi)
        if followed is None:
            return None, None
        course = followed
        parts = attack_parts(worth, course, stakes, max(table.per_point, table.currency.objective.per_point))
    return course, replace(
        parts.scaled(way.passes), deal_in=way.dealt, keep=way.keep, stay_folded=way.comeback, network=way.lean
    )


def _as_recorded(way: Way, table: Reading) -> Worth | None:
    """The worth of an attack; of a closed hand that is not in riichi with the chance to win of such hands."""
    scene = table.scene
    if way.worth is None or way.fold is None or not scene.position.closed or scene.position.riichi:
        return way.worth
    shanten = scene.discards.shanten[way.discard34] if way.action.kind in DISCARDS else scene.shanten
    return won_as_recorded(way.worth, shanten, scene.position.draws_left)


def won_as_recorded(worth: Worth, shanten: int, draws_left: int) -> Worth:
    """The worth of a closed hand, not in riichi, with the chance to win at which such hands were won.

    Args:
        worth: the worth that the search states.
        shanten: shanten after the action.
        draws_left: own draws left.
    """
    stated = worth.p_win
    if shanten not in CORRECTED or not stated or stated >= 1.0:
        return worth
    odds = log(stated / (1.0 - stated)) + WINS_BY_DRAW * (draws_left - DRAWS_AS_STATED)
    found = 1.0 / (1.0 + exp(-odds))
    by_draws = tuple([min(chance * found / stated, 1.0) for chance in worth.p_win_by_draws])
    return worth._replace(p_win=found, p_win_by_draws=by_draws)
