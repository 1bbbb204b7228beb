"""What all files of fitted weights share: the error where they are not of this version's features."""

from __future__ import annotations


class WeightsError(ValueError):
    """Weights are missing, damaged or fitted on other features; the message says how to rebuild them."""


def require_features(what: str, fitted_on: str, now: str, rebuild: str) -> None:
    """Refuse weights that were fitted on features of another meaning than this version's.

    Args:
        what: the weights, as the message names them.
        fitted_on: hash of the features they were fitted on.
        now: hash of this version's features.
        rebuild: the command that fits them again.

    Raises:
        WeightsError: the hashes differ.
    """
    if fitted_on != now:
        raise WeightsError(
            f"{what} were fitted on other features ({fitted_on}) than this version has ({now}); rebuild them: {rebuild}"
        )
