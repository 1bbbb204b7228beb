"""Recorded decisions whose answers are kept, so that a change that should not alter play can be seen not to.

The recordings are named, not copied: the answers are kept in ``answers.jsonl``, one line for each hand of a seat.
After a change that is meant to alter decisions, renew the file and state in the commit what changed::

    python tests/golden/recorded.py ../shared/corpus
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from bot.logs.sources import open_logs
from bot.replay.steps import decision_points
from engine.model.budget import Budget
from engine.model.events import StartKyoku
from engine.policy.registry import make_policy
from protocol.logs.formats import read_log

ANSWERS = Path(__file__).with_name("answers.jsonl")
POLICIES = ("simple", "flow", "dag", "value-5")
NODES = 4_000
"""Bound of each search: small, so that two thousand decisions take a minute, and never reached by a clock."""
KEPT = 2
"""Candidates whose values are kept, best first."""
SHARDS = {"houou-hanchan-00.tar.xz": 36, "tokujou-hanchan-00.tar.xz": 24, "houou-tonpu-00.tar.xz": 20}
"""How many games are taken from the beginning of each shard."""


def asked(corpus: Path, every: int = 1) -> Iterator[tuple[str, int, int, list]]:
    """Yield (log, seat, hand, decisions) of two hands of one seat of every so many games; states are copies.

    Hands are counted as they were dealt, those that are left out as damaged with them.
    """
    for shard, games in SHARDS.items():
        for number, file in enumerate(islice(open_logs([corpus / shard]), games)):
            if number % every:
                continue
            log = read_log(file)
            seat = number % 4
            deals = [at for at, event in enumerate(log.events) if isinstance(event, StartKyoku)]
            number_of = [hand + sum(left.at <= at for left in log.left_out) for hand, at in enumerate(deals)]
            left_out = [number + sum(at < left.at for at in deals) for number, left in enumerate(log.left_out)]
            hands: dict[int, list] = {}
            for point in decision_points(log, seat):
                hands.setdefault(number_of[point.place.hand], []).append((point.state.copy(), point.legal))
            for hand in sorted(hands.keys() & set(sorted({*hands, *left_out})[number % 3 :: 3][:2])):
                yield log.info.log_id or file.name, seat, hand, hands[hand]


def answers(policy: str, decisions: list) -> list:
    """The answers of a policy to the decisions of one hand, in order."""
    player = make_policy(policy)
    player.start_kyoku()
    found = []
    for state, legal in decisions:
        decision = player.decide(state.copy(), legal, Budget(nodes=NODES))
        best = [[str(one.action), float(f"{one.value:.6g}")] for one in decision.candidates[:KEPT]]
        found.append([str(decision.action), decision.action.tile, str(decision.mode), len(decision.candidates), best])
    return found


def main(corpus: Path) -> None:
    count = 0
    with ANSWERS.open("w", encoding="utf-8") as file:
        for log, seat, hand, decisions in asked(corpus):
            count += len(decisions)
            row = {"log": log, "seat": seat, "hand": hand, **{name: answers(name, decisions) for name in POLICIES}}
            file.write(json.dumps(row, separators=(",", ":")) + "\n")
    print(f"{count} decisions")  # noqa: T201 - a script


if __name__ == "__main__":
    main(Path(sys.argv[1]))
