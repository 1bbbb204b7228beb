"""The hash and the error that all fitted weights share."""

from __future__ import annotations

import pytest

from engine.opponents.fitted import WeightsError, require_features
from engine.tables import short_hash


def test_the_hash_is_short_and_of_all_parts():
    assert short_hash(b"one", b"two") == short_hash(b"onetwo")
    assert short_hash(b"one") != short_hash(b"two")
    assert len(short_hash(b"one")) == 16


def test_weights_of_other_features_are_refused_with_the_command_that_fits_them():
    require_features("the weights", "aa", "aa", "train them")
    with pytest.raises(WeightsError, match=r"the weights were fitted on other features \(aa\).*has \(bb\).*train them"):
        require_features("the weights", "aa", "bb", "train them")
