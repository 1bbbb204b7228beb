"""What all files of fitted weights share: a hash of the features they were fitted on, and the error if it differs."""

from __future__ import annotations

from hashlib import blake2b


class WeightsError(ValueError):
    """Weights are missing, damaged or fitted on other features; the message says how to rebuild them."""


def short_hash(*parts: bytes) -> str:
    """Sixteen hex digits over all parts."""
    digest = blake2b(digest_size=8)
    for part in parts:
        digest.update(part)
    return digest.hexdigest()


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
