"""Studies: what participants read, agree to, play and are asked, as a TOML file says it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from griddsl.diagnostics import Refused
from griddsl.diagnostics.suggest import did_you_mean
from griddsl.files.places import check_regular

MOST_BYTES = 1_000_000
MOST_EPISODES = 1000
SHOWN = ("board", "view")
PARTICIPANTS = ("none", "ask", "address")


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked after the last episode: a choice among ``answers``, or a text where there are none."""

    text: str
    answers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Study:
    """A page for participants.

    ``consent`` has to be agreed to before anything is kept. The first ``practice`` of the ``episodes`` are marked so in
    the recording. Episodes take ``seeds`` and ``levels`` in turn, and random ones where there are none. ``show`` is
    ``board``, or ``view`` for what the agent sees alone. A participant has no name, is asked for one, or brings it
    in the address of the page (``#participant=P17``). ``restarts`` lets an episode be given up for a new one.
    """

    title: str
    instructions: str
    consent: str = ""
    thanks: str = "Thank you for taking part."
    episodes: int = 1
    practice: int = 0
    seeds: tuple[int, ...] = ()
    levels: tuple[str, ...] = ()
    show: str = "board"
    participant: str = "none"
    restarts: bool = False
    questions: tuple[Question, ...] = ()
    post: str = ""

    def shown(self) -> dict[str, Any]:
        """Return all that the page has to know, as plain data."""
        found = asdict(self)
        found.pop("post")
        return found


def read_study(path: Path) -> Study:
    """Return the study of a file. Raises `ValueError` that names the file and what to write, `OSError` of the disk."""
    content = check_regular(path).read_bytes()
    if len(content) > MOST_BYTES:
        raise Refused(f"{path}: a study has at most {MOST_BYTES:,} bytes")
    try:
        table = tomllib.loads(content.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused(f"{path} is no TOML: {error}") from None
    try:
        return study_of(table)
    except Refused as reason:
        raise Refused(f"{path}: {reason}") from None


def study_of(table: Mapping[str, Any]) -> Study:
    """Return the study that a table of TOML describes. Raises `ValueError` for what it cannot say."""
    _know(table, [field.name for field in fields(Study)])
    for name in ("title", "instructions"):
        if name not in table:
            raise Refused(f'a study needs `{name}`: write `{name} = "..."`')
    given = {name: _READERS[name](name, value) for name, value in table.items()}
    study = Study(**given)
    if study.practice >= study.episodes:
        raise Refused(
            f"`practice` is {study.practice} of {study.episodes} episodes: at least one has to count"
        )
    return study


def _know(table: Mapping[str, Any], names: list[str], where: str = "a study") -> None:
    for name in table:
        if name not in names:
            near = did_you_mean(name, names)
            raise Refused(f"{where} has no `{name}`; {near or 'known: ' + ', '.join(names)}")


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise Refused(f"`{name}` is a text in quotes, not {_said(value)}")
    return value


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise Refused(f"`{name}` is true or false, not {_said(value)}")
    return value


def _count(least: int) -> Callable[[str, Any], int]:
    def read(name: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= MOST_EPISODES:
            raise Refused(f"`{name}` is a whole number from {least} to {MOST_EPISODES}, not {_said(value)}")
        return value

    return read


def _one_of(words: tuple[str, ...]) -> Callable[[str, Any], str]:
    def read(name: str, value: Any) -> str:
        if value not in words:
            listed = ", ".join(f'"{word}"' for word in words)
            raise Refused(f"`{name}` is one of {listed}, not {_said(value)}")
        return str(value)

    return read


def _seeds(name: str, value: Any) -> tuple[int, ...]:
    fits = isinstance(value, list) and all(
        isinstance(seed, int) and not isinstance(seed, bool) and 0 <= seed < 2**53 for seed in value
    )
    if not fits:
        raise Refused(f"`{name}` is a list of whole numbers that are not negative, not {_said(value)}")
    return tuple(value)


def _texts(name: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise Refused(f"`{name}` is a list of texts, not {_said(value)}")
    return tuple(value)


def _questions(name: str, value: Any) -> tuple[Question, ...]:
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise Refused(f'`{name}` are tables: write `[[{name}]]`, and `text = "..."` below it')
    found = []
    for each in value:
        _know(each, ["text", "answers"], "a question")
        if "text" not in each:
            raise Refused("a question needs `text`")
        found.append(Question(_text("text", each["text"]), _texts("answers", each.get("answers", []))))
    return tuple(found)


def _said(value: Any) -> str:
    text = repr(value)
    return f"`{text if len(text) <= 60 else text[:57] + '...'}`"


_READERS: Mapping[str, Callable[[str, Any], Any]] = {
    **dict.fromkeys(("title", "instructions", "consent", "thanks", "post"), _text),
    "episodes": _count(1),
    "practice": _count(0),
    "seeds": _seeds,
    "levels": _texts,
    "show": _one_of(SHOWN),
    "participant": _one_of(PARTICIPANTS),
    "restarts": _flag,
    "questions": _questions,
}
