"""One game and its audits, for all tests of reports."""

from __future__ import annotations

import pytest

from bot.review.fields import audit_fields
from tests.bot.review.games import audit_of, uneven_game


@pytest.fixture(scope="session")
def game():
    return uneven_game()


@pytest.fixture(scope="session")
def audits(game):
    return [audit_of(game, seat) for seat in range(4)]


@pytest.fixture(scope="session")
def reviews(audits):
    return [audit_fields(audit) for audit in audits]


@pytest.fixture(scope="session")
def fields(reviews):
    return reviews[2]
