"""Playing on paper: each step as text, for pipes, logs and bug reports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from griddsl.playing.moments import Moment
from griddsl.playing.session import Session
from griddsl.playing.traced import Move
from griddsl.program import keys
from griddsl.program.program import KindInfo
from griddsl.render.ansi import to_text

MARGIN = "    "
MOST_CHANGES = 8  # told of one step


def transcript(session: Session, moves: Iterable[Move]) -> Iterator[str]:
    """Play moves until they or the episode end; yield the lines that tell of it, as they happen."""
    program = session.program
    yield f"{program.id}  seed {session.seed}"
    if program.description:
        yield program.description
    if session.env.mission():
        yield f"mission: {session.env.mission()}"
    yield ""
    yield "start"
    yield from _state(session)
    for move in moves:
        before = session.integers
        moment = session.act(move)
        yield ""
        yield _headline(session, moment)
        yield from _forbidden(session, moment)
        yield from (f"  {fired}" for fired in moment.fired)
        yield from _changed(session, before)
        yield from _state(session)
        if moment.is_over:
            break
    yield ""
    yield _last_line(session, session.moment)


def random_moves(session: Session, most: int) -> Iterator[Move]:
    """Yield random moves, each drawn when it is asked for."""
    for _ in range(most):
        yield session.random_move()


def board_text(session: Session) -> str:
    """Return the board as a map is drawn."""
    return to_text(session.scene)


def write(lines: Iterable[str], out: Callable[[str], object]) -> None:
    """Hand every line on, with its end."""
    for line in lines:
        out(f"{line}\n")


def _state(session: Session) -> Iterator[str]:
    things = [f"{name}: {value}" for name, value in session.things()]
    if things:
        yield f"  {', '.join(things)}"
    for line in board_text(session).splitlines():
        yield f"{MARGIN}{line}".rstrip()


def _changed(session: Session, before: Sequence[int]) -> Iterator[str]:
    """Yield what a step has changed of the ground and of things on it that their glyphs do not tell."""
    program, now = session.program, session.integers
    offsets, width = program.layout.offsets, program.width
    told: list[str] = []
    kinds = {kind.name: kind for kind in program.kinds if kind.category != "agent"}
    for cell, stack in enumerate(session.scene.cells):
        for kind in (kinds[name] for name in dict.fromkeys(sprite.kind for sprite in stack) if name in kinds):
            index = cell if kind.category == "tile" else _thing_at(session, kind.code, cell)
            kept = [
                each for each in kind.attributes if index >= 0 and each.is_slot and each.holder in offsets
            ]
            values = {each.name: now[offsets[each.holder] + index] for each in kept}
            shown = _told_by_glyphs(kind, values)
            found = [
                f"{each.name} {each.words[value] if 0 <= (value := values[each.name]) < len(each.words) else value}"
                for each in kept
                if each.name not in shown and values[each.name] != before[offsets[each.holder] + index]
            ]
            if found:
                told.append(f"{kind.name} at ({cell % width}, {cell // width}): {', '.join(found)}")
    if told:
        more = [f"and {len(told) - MOST_CHANGES} more"] if len(told) > MOST_CHANGES else []
        yield f"  {'; '.join([*told[:MOST_CHANGES], *more])}"


def _told_by_glyphs(kind: KindInfo, values: Mapping[str, int]) -> set[str]:
    """Return the attributes that the glyph of a thing tells: words that glyphs tell apart, and the numbers of its own.

    Which of the other words it is, the glyph of the kind leaves to be guessed; which of the other numbers, it does not.
    """
    words = {each.name for each in kind.attributes if each.words}
    told = {name for glyph in kind.glyphs for name, _ in glyph.attributes if name in words}
    own = (glyph for glyph in kind.glyphs if all(values.get(name) == code for name, code in glyph.attributes))
    return told | {name for glyph in own for name, _ in glyph.attributes}


def _thing_at(session: Session, code: int, cell: int) -> int:
    """Return the number of an object of a kind in a cell; -1 where there is none."""
    offsets = session.program.layout.offsets
    if not {keys.OBJECT_CELL, keys.OBJECT_KIND} <= offsets.keys():
        return -1
    count = next(slot.length for slot in session.program.slots if slot.key == keys.OBJECT_CELL)
    now, cells, codes = session.integers, offsets[keys.OBJECT_CELL], offsets[keys.OBJECT_KIND]
    return next((i for i in range(count) if now[cells + i] == cell and now[codes + i] == code), -1)


def _headline(session: Session, moment: Moment) -> str:
    flags = [name for name in ("terminated", "truncated") if getattr(moment, name)]
    parts = [
        f"step {moment.step}: {session.names_of(moment)}",
        f"reward {session.amounts(moment.rewards)}",
        f"score {session.amounts(moment.scores)}",
        *flags,
    ]
    return (", " if len(session.players) == 1 else "; ").join(parts)


def _forbidden(session: Session, moment: Moment) -> Iterator[str]:
    """Yield which actions of a step were not allowed, and what became of them."""
    becomes = {"end": "and ends the episode", "act": "and is carried out all the same"}
    for index in moment.forbidden:
        name = session.seats[index].group.actions[moment.move[index]].name
        what = becomes.get(session.env.spec_model.illegal, "and does nothing")
        yield f"  {name} is not allowed here, {what}"


def _last_line(session: Session, moment: Moment) -> str:
    steps = f"{moment.step} step{'' if moment.step == 1 else 's'}"
    score = f"score {session.amounts(moment.scores)}"
    if moment.is_over:
        return f"ended after {steps}: {moment.outcome}, {score}"
    return f"not over after {steps}: {score}"
