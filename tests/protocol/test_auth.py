from __future__ import annotations

import pytest

from protocol.errors import RemoteProtocolError
from protocol.tenhou.auth import answer

RECORDED = """
20180117-e7b5e83e 20180117-c1ebb26f
20180120-be208bdd 20180120-59f37015
20180121-edddfa1a 20180121-cc3c37fc
20180122-c8d23d03 20180122-ee8c6752
20180123-89bbd7d4 20180123-6e682c1c
20180124-e2f4bb71 20180124-34dbab2c
20180125-aa3f79c2 20180125-4389be68
20180126-e926e687 20180126-cf78bcd6
20180131-f7d5b618 20180131-10064dd0
20180202-71e3db57 20180202-57bd8106
20180203-44ee3cf2 20180203-9c4fda73
20180204-7f88f3e5 20180204-a9a7e3b8
20180121-ac24c766 20180121-8dc50a80
"""


@pytest.mark.parametrize("pair", RECORDED.split("\n")[1:-1])
def test_recorded_answers(pair):
    token, expected = pair.split()
    assert answer(token) == expected


@pytest.mark.parametrize(
    "token", ["", "20180117", "20180117-e7b5e83", "2018011x-e7b5e83e", "20180117-e7b5e83g", "\uff120180117-e7b5e83e"]
)
def test_no_token(token):
    with pytest.raises(RemoteProtocolError, match="eight digits"):
        answer(token)
