"""Whether a statement about pushing and folding agrees with itself and with the side that was taken."""

from __future__ import annotations

from engine.policy.grounds import GroundKind
from engine.policy.pushfold import Mode

PUSHES = (GroundKind.PUSH_WORTH, GroundKind.PUSH_STRONG_PLAY)
FOLDS = (GroundKind.FOLD_WORTH, GroundKind.FOLD_STRONG_PLAY)
RELUCTANT = (GroundKind.FOLD_CLOSE, GroundKind.FOLD_KEPT, GroundKind.FOLD_HOPELESS)
SIDES = (*PUSHES, *FOLDS, *RELUCTANT)


def contradiction(ground, mode):
    """What is wrong with a ground of a decision in that mode; empty if nothing is, or if it is about something else."""
    if ground.kind not in SIDES:
        return ""
    push, fold = amount(ground.figures["push"]), amount(ground.figures["fold"])
    if (ground.kind in PUSHES) is not (mode == Mode.ATTACK):
        return f"{ground.kind} where the hand takes the other side ({mode})"
    if (ground.kind in PUSHES and push < fold) or (ground.kind in FOLDS and fold < push):
        return f"{ground.kind}, but push {push} and fold {fold}"
    if ground.kind in RELUCTANT and push <= fold:
        return f"{ground.kind}, but push {push} and fold {fold}: nothing held it back"
    if "lead" in ground.figures and push - fold >= amount(ground.figures["lead"]):
        return f"{ground.kind}, but push {push} is ahead of fold {fold} by the lead {ground.figures['lead']}"
    if "gap" in ground.figures and amount(ground.figures["gap"]) <= 0.0:
        return f"{ground.kind}, but the search does not prefer the other side"
    return ""


def amount(ground):
    """The number in a ground of points, or of a value in another unit."""
    return next(figure for figure in ground.figures.values() if not isinstance(figure, str))
