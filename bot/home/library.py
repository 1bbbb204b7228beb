"""The reviews that are kept, in the store of a folder, and their games, which lie in the folder as logs."""

from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import Any, Final

from bot.machine.errors import InputError, Trouble, writing_trouble
from bot.machine.files import PRIVATE
from bot.machine.inputs import file_stem
from bot.machine.outputs import Outputs
from bot.machine.text import brief, clean
from bot.review.document import DAMAGE, Decision, Kept, read_review
from bot.review.folder import render_index, totals
from bot.review.habits import kind_of
from bot.review.kept import page_of
from bot.review.many import Done
from bot.review.measure import Grade
from bot.review.questions import Question, questions_of
from bot.review.wording import Wording
from bot.store import reviews
from bot.wording.languages import Lang
from bot.wording.opponents import as_people_from
from engine.model.seats import four
from protocol.logs.formats import FORMATS, LogFile

LOGS: Final = "logs"
"""Folder of the logs that were given."""
SHOWN: Final = 2_000
"""Number of reviews that are listed, the newest."""
_LETTERS: Final = str.maketrans("0123456789", "ghijklmnop")
"""Digests in names are written in letters: behind a year and a month their digits would be read as a day."""

Fields = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Review:
    """One review, as far as it is held."""

    name: str  # its name in the store
    fields: Kept  # its fields without single decisions
    row: dict[str, Any]  # how the list shows it
    questions: tuple[Question, ...]  # what practice asks of it
    at: int  # when it was made


class Library:
    """The reviews of a folder.

    Attributes:
        folder: the folder.
        failed: names of the reviews that cannot be read; those of another version are made anew by reviewing again.
        keeping: held while a log is kept and noted, or a review is deleted with the log that nobody needs.
    """

    def __init__(self, folder: Path, records: Path) -> None:
        """Prepare.

        Args:
            folder: where reviews and logs are kept; it need not exist yet.
            records: folder of the records of games that were played here.
        """
        self.folder = folder
        self.failed: list[str] = []
        self.keeping = Lock()
        self._records = records
        self._outputs = Outputs("", ())
        self._read: dict[str, tuple[reviews.Head, Review | None]] = {}
        self._sums: dict[str, Any] | None = None
        self._reviews: list[Review] = []
        self._whose: tuple[frozenset[str], frozenset[str]] = frozenset(), frozenset()

    def choose(self, names: frozenset[str], logs: frozenset[str]) -> None:
        """Choose whose reviews count in sums, habits and practice.

        Args:
            names: names of the person; empty: the reviews of everybody.
            logs: names of the logs in which the person plays under whatever name.
        """
        if (names, logs) != self._whose:
            self._whose = names, logs
            self._sum_up()

    def _sum_up(self) -> None:
        chosen = self._chosen()
        self._sums = _summed(chosen) if chosen else None

    def _chosen(self) -> list[Review]:
        """The reviews that count, the newest game first."""
        names, logs = self._whose
        return [one for one in self._reviews if not names or _players(one)[0] in names or one.row["log"] in logs]

    def read(self) -> None:
        """Look at the store again; what has not changed is not read again. Takes time, and runs in one thread."""
        try:
            heads = reviews.heads(self.folder)
        except InputError:  # practice, whose answers are in the same file, says why
            heads = {}
        found: dict[str, tuple[reviews.Head, Review | None]] = {}
        for name, head in heads.items():
            before = self._read.get(name)
            found[name] = before if before and before[0] == head else (head, self._review(name, head))
        if found == self._read:
            return
        self._read = found
        newest = sorted((one for _, one in found.values() if one is not None), key=lambda one: -one.at)
        by_game = {one.fields["game"]: one for one in reversed(newest)}
        self.failed = [brief(name, 60) for name, (_, one) in found.items() if one is None]
        self._reviews = sorted(by_game.values(), key=lambda one: (one.row["order"][:10], one.at), reverse=True)
        self._sum_up()

    def _review(self, name: str, head: reviews.Head) -> Review | None:
        """A review; None if it is damaged, of another version, or of a game in which nobody was reviewed."""
        try:
            page = partial(page_of, self.folder, name)
            fields = read_review(name, reviews.text(self.folder, name, "fields"))
            questions = questions_of(name, fields, f"{name}.html" if head.page else "", page)
            if fields is None:
                return None
            slim: Kept = {**fields, "differences": []}
            found = Review(name, slim, self._row(name, fields, head.made), tuple(questions), head.made)
            _summed([found])  # whatever is missing is found now, and costs no other review
            _players(found)
        except (InputError, *DAMAGE):
            return None
        return found

    def _row(self, name: str, fields: Kept, at: int) -> dict[str, Any]:
        end = fields["ends"][-1] if fields["ends"] else None
        worst = max(fields["differences"], key=lambda one: one["loss"] or 0.0, default=None)
        log = self.log_of(name)
        called, strengths = as_people_from(fields["names"], fields["seat"])
        return {
            "page": name,
            "date": brief(fields["date"], 10),
            "order": brief(
                fields["date"] or datetime.fromtimestamp(at / 1e9).astimezone().isoformat(timespec="minutes"), 30
            ),
            "names": [brief(str(one), 24) for one in fields["names"]],
            "called": [brief(str(one), 24) for one in called],
            "strengths": strengths,
            "place": end and int(end["placement"]),
            "points": end and int(end["scores"][0]),
            "hanchan": bool(fields["rules"]["hanchan"]),
            "lost": fields["score"]["per_hundred"],
            "blunders": int(fields["score"]["blunders"]),
            "mistakes": int(fields["score"]["mistakes"]),
            "unit": brief(str(fields["policy"]["unit"]), 20),
            "worst": worst and _worst(worst, fields),
            "log": None if log is None else log.stem,
        }

    # -- what is known ----------------------------------------------------------------------------------------------

    def rows(self) -> list[dict[str, Any]]:
        """The reviews as the list shows them, the newest game first."""
        return [one.row for one in self._reviews[:SHOWN]]

    def questions(self) -> list[Question]:
        """The questions of practice, the costliest first."""
        found = {one.key: one for review in self._chosen() for one in review.questions if one.row["grade"] in _ASKED}
        return sorted(found.values(), key=lambda one: -one.loss)

    def me(self) -> str:
        """The name that was reviewed most often; empty if there is none."""
        names = Counter(filter(None, (_players(one)[0] for one in self._reviews)))
        return brief(names.most_common(1)[0][0], 24) if names else ""

    def sums(self) -> dict[str, Any] | None:
        """Sums over the reviews that count; None if there are none."""
        return self._sums

    def last(self) -> dict[str, Any] | None:
        """The newest game of the reviews that count, with its costliest mistake as a picture; None if there is none."""
        review = next(iter(self._chosen()), None)
        if review is None:
            return None
        room = next(iter(review.fields["reference"]), "")
        worst = max(review.questions, key=lambda one: one.loss, default=None)
        return review.row | {
            "room": room,
            "percentile": review.fields["reference"][room]["percentile"] if room else None,
            "shown": None if worst is None else picture(worst) | _cost(worst),
        }

    def page_of_all(self, lang: Lang) -> str | None:
        """The page of all reviews together, in which a habit opens its positions; None if there are none."""
        found = []
        for one in reversed(self._reviews):
            try:
                fields = read_review(one.name, reviews.text(self.folder, one.name, "fields"))
            except InputError:
                continue
            found.append(Done(one.name, fields, f"review/{one.name}?lang={lang}" if self.has_page(one.name) else ""))
        return render_index(found, totals(found), self.me(), lang) if found else None

    def has_page(self, name: str) -> bool:
        """Whether a review has a page."""
        try:
            return name in (heads := reviews.heads(self.folder)) and heads[name].page
        except InputError:
            return False

    def delete(self, name: str, logs: Callable[[], Container[str]]) -> None:
        """Delete a review, and its log unless another review, read or not, or somebody else needs it.

        Args:
            name: name of the review.
            logs: the names of logs that somebody else needs.

        Raises:
            InputError: there is none, or it cannot be deleted.
        """
        with self.keeping:
            self.read()
            self._delete(name, logs())

    def _delete(self, name: str, logs: Container[str]) -> None:
        wanted = next((one for one in self._reviews if one.name == name), None)
        if wanted is None:
            shown = brief(name, 60)
            raise InputError(f"{shown}: there is no such review", Trouble.GONE, shown)
        known = [one for _, one in self._read.values() if one is not None]
        same = [one.name for one in known if one.fields["game"] == wanted.fields["game"]]  # made again, it counts once
        used = {log for each in self._read if each not in same and (log := self.log_of(each)) is not None}
        try:
            reviews.delete(self.folder, same)
            for log in {log for each in same if (log := self.log_of(each)) is not None} - used:
                if log.parent == self.folder / LOGS and log.stem not in logs:
                    log.unlink(missing_ok=True)
        except (InputError, OSError) as error:
            shown, trouble = brief(name, 60), error.trouble if isinstance(error, InputError) else writing_trouble(error)
            raise InputError(f"{shown}: cannot be deleted: {error}", trouble, shown) from None

    # -- logs ---------------------------------------------------------------------------------------------------------

    def keep(self, file: LogFile) -> Path:
        """Keep a log; returns its file, the same for the same log whatever it was called.

        Raises:
            InputError: it cannot be written.
        """
        digest = blake2b(file.data, digest_size=5).hexdigest().translate(_LETTERS)
        end = f"_{digest}{FORMATS[file.format].suffix}"
        folder = self.folder / LOGS
        known = next(folder.glob(f"*{end}"), None)
        if known is None:
            known = folder / f"{file_stem(file)[:60]}{end}"
            self._outputs.write(known, file.data, PRIVATE)
        return known

    def log(self, key: str) -> Path | None:
        """The log or record of that name; None if there is none."""
        if not key or key != Path(key).name or key != clean(key):
            return None
        suffixes = {row.suffix for row in FORMATS.values()}
        places = [folder / f"{key}{suffix}" for folder in (self.folder / LOGS, self._records) for suffix in suffixes]
        try:
            return next((path for path in places if path.is_file()), None)
        except (OSError, ValueError):  # such as a name that is too long
            return None

    def log_with_id(self, log_id: str) -> Path | None:
        """The log of the game of that id, if it is kept here: by the name of its file, or by a review of it."""
        named = sorted(file for file in (self.folder / LOGS).glob("*") if file.name.startswith(log_id))
        reviewed = (self.log_of(one.name) for one in self._reviews if one.fields["log_id"] == log_id)
        return next((path for path in (*named, *reviewed) if path is not None), None)

    def log_of(self, name: str) -> Path | None:
        """The log of a review; None if it is not kept here."""
        return self.log(name.rpartition("-")[0])


def picture(question: Question) -> dict[str, Any]:
    """The position of a question without words, for a picture of it."""
    row, hand = question.row, question.game["hands"][question.row["hand"]]
    return {
        "number": row["number"],
        "hand": {name: hand[name] for name in ("name", "honba", "dealer")},
        "turn": row["turn"],
        "own_turn": row["own_turn"],
        "table": row["table"],
    }


def _cost(question: Question) -> dict[str, Any]:
    """What was played and what the bot chose, the loss in the unit that is shown, and by language the first reason."""
    wordings = {lang: Wording.of(question.game["policy"], lang) for lang in Lang}
    return {
        "played": question.row["played"],
        "chosen": question.row["chosen"],
        "loss": question.loss,
        "decimals": wordings[Lang.EN].scale.decimals,
        "say": {lang.value: _reason(question.row, wording) for lang, wording in wordings.items()},
    }


def _reason(row: Decision, wording: Wording) -> str:
    """The first reason for a difference; empty if the review states none."""
    return next((wording.say(each) for each in row.get("clauses", ())[1:2]), "")


def _summed(newest: Sequence[Review]) -> dict[str, Any]:
    """Sums over reviews, the newest first."""
    found: Mapping[str, Any] = totals([Done(one.name, one.fields) for one in reversed(newest)])
    names = ("games", "habits", "placements", "mean_placement", "without_draws", "trend")
    standing = {room: one["percentile"] for room, one in found["reference"].items()}
    score = {name: found["score"][name] for name in ("per_hundred", "error", "agreement", "blunders", "mistakes")}
    return {**{name: found[name] for name in names}, "standing": standing, "score": score}


def _players(review: Review) -> tuple[str, str, str, str]:
    """The players' names, that of the reviewed one first."""
    return four([str(name) for name in review.fields["names"]])


_ASKED: Final = frozenset((Grade.MISTAKE.value, Grade.BLUNDER.value))
"""Grades of the mistakes that practice asks about."""


def _worst(row: Decision, fields: Kept) -> dict[str, Any]:
    """The costliest mistake of a game."""
    return {
        "number": int(row["number"]),
        "loss": row["loss"] or 0.0,
        "kind": brief(kind_of(row), 20),
        "hand": brief(str(fields["hands"][row["hand"]]["name"]), 8),
    }
