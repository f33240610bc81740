"""The stage: the game of a text that is being written, as a page shows it, and what can be asked about it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

from griddsl.diagnostics import Refused
from griddsl.playing.keys import keys_of
from griddsl.playing.session import Session
from griddsl.playing.views import views_of
from griddsl.program.program import Program
from griddsl.render import to_text
from griddsl.source import Contents, unsaved
from griddsl.spec.models import GridSpec
from griddsl.web.page import cell_taken
from griddsl.web.studio.reading import board_pixels, palette, picture
from griddsl.web.studio.solving import Question

RESETS = 64
MOST_CELLS_OF_RESETS = 64 * 64 * 16  # of all boards together
SLIDES = 100  # steps that a slider of real numbers has
_T = TypeVar("_T")


class Stage:
    """One game: it follows its text, and goes on with the moves that were made wherever the text still has them.

    ``contents`` gives the texts that are not saved, by path, whenever something is read.
    """

    def __init__(self, path: Path, contents: Callable[[], Contents]) -> None:
        self.path = path
        self._contents = contents
        self.params: dict[str, Any] = {}
        self.level: str | None = None
        self.session: Session | None = None
        self._shown: Program | None = None
        self._programs = 0
        self.error = ""

    def follow(self) -> None:
        """Read the text again; where it has errors, the game that was stays."""
        session = self.session
        if session is None:
            self._begin(0)
            return
        self._reading(session.reload)
        self.error = session.error

    def _begin(self, seed: int) -> None:
        try:
            self.session = self._reading(lambda: Session(self.path, params=self.given(), seed=seed))
            self.error = ""
        except Refused as error:
            self.error = str(error).strip()

    def _reading(self, do: Callable[[], _T]) -> _T:
        with unsaved(self._contents()):
            return do()

    # What a player does

    def act(self, seat: int, number: int) -> None:
        """Carry out an action of a seat; the other seats stay idle where they can, and else act at random."""
        session = self._playing()
        if not 0 <= seat < len(session.seats) or not 0 <= number < len(session.seats[seat].group.actions):
            raise Refused("there is no such action")
        if seat not in session.env.seats_to_move():
            raise Refused(f"{session.seats[seat].agent} is not to move")
        session.act(session.random_move(_idle(session) | {seat: number}))

    def at_random(self) -> None:
        """Carry out a random move."""
        self._playing().act_by_itself()

    def undo(self) -> None:
        """Go back one step."""
        self._playing().undo()

    def restart(self, seed: int | None) -> None:
        """Start the episode again, or that of another seed."""
        self._playing().restart(seed)

    def choose(self, params: Mapping[str, str], level: str | None) -> None:
        """Play with other values of parameters, texts as a command line has them, and on another level."""
        before = self.params, self.level
        self.params = {name: _value(text) for name, text in params.items()}
        self.level = level
        self._begin(0 if self.session is None else self.session.seed)
        if self.error:
            error, (self.params, self.level) = self.error, before
            self.error = error

    def _playing(self) -> Session:
        if self.session is None:
            raise Refused("the spec has errors: there is nothing to play yet")
        return self.session

    # What is shown

    def view(self, moment: int | None = None) -> dict[str, Any]:
        """Return all that a page shows: the board and what each sees now, or the board of an earlier moment."""
        session = self.session
        if session is None:
            return {"error": self.error, "board": None}
        seats = session.seats
        masks, awaited = session.env.masks(), session.env.seats_to_move()
        last = len(session.moments) - 1
        scene = session.scene if moment is None or moment >= last else session.look_back(moment)
        shown = session.moments[last if moment is None else max(0, min(moment, last))]
        keys: dict[str, list[int]] = {
            key: list(action) for key, action in keys_of(session.program).actions.items()
        }
        views = views_of(session, alone=True) if moment is None or moment >= last else []
        return {
            "error": self.error,
            "notice": session.notice,
            "id": session.program.id,
            "description": session.program.description,
            "board": picture(scene, board_pixels(scene)),
            "size": [scene.width, scene.height],
            "text": to_text(session.scene) if moment is None or moment >= last else "",
            "facts": session.facts(),
            "fired": [
                {"rule": fired.head, "place": fired.place, "times": fired.times} for fired in shown.fired
            ],
            "moment": last if moment is None else moment,
            "moments": last,
            "first": session.first_kept,
            "over": session.moment.is_over,
            "program": self._number_of(session.program),
            "seats": [
                {
                    "agent": seat.agent,
                    "actions": [action.name for action in seat.group.actions],
                    "cells": [cell_taken(action, session.program.width) for action in seat.group.actions],
                    "allowed": mask,
                    "awaited": number in awaited,
                }
                for number, (seat, mask) in enumerate(zip(seats, masks, strict=True))
            ],
            "keys": keys,
            "views": [
                {"agent": name, "picture": picture(seen, board_pixels(seen, 220))} for name, seen in views
            ],
            "seed": session.seed,
            "level": self.level,
        }

    def _number_of(self, program: Program) -> int:
        """Return a number that is another one as soon as another program is played."""
        if program is not self._shown:
            self._shown, self._programs = program, self._programs + 1
        return self._programs

    def settings(self) -> dict[str, Any]:
        """Return the parameters and levels of the spec, and what can be painted on its maps."""
        session = self.session
        if session is None:
            return {"params": [], "levels": [], "level": None, "palette": []}
        spec = session.env.spec_model
        return {
            "params": _params(spec),
            "levels": [drawing.name for drawing in spec.maps if drawing.name],
            "level": self.level,
            "palette": palette(spec.plain, session.program),
        }

    # What can be asked

    def resets(self, first: int = 0, count: int = RESETS) -> list[dict[str, Any]]:
        """Return the boards of many resets, from a seed on; fewer where they are large."""
        session = self._playing()
        program = session.program
        count = max(1, min(count, MOST_CELLS_OF_RESETS // max(1, program.cells)))
        other = self._reading(lambda: Session(self.path, params=self.given(), seed=0))
        found = []
        for seed in range(max(0, first), max(0, first) + count):
            other.restart(seed)
            if other.error:
                found.append({"seed": seed, "picture": "", "error": other.error})
                continue
            scene = other.scene
            found.append({"seed": seed, "picture": picture(scene, board_pixels(scene, 130)), "error": ""})
        return found

    def question(self) -> Question:
        """Return what is asked where the game is to be solved."""
        session = self._playing()
        start = session.state_at(0)[:2] if session.first_kept == 0 else None
        return Question(session.program, start, session.seed)

    def given(self) -> dict[str, Any]:
        """Return the values of parameters, and the level, that were chosen."""
        return {**self.params, **({} if self.level is None else {"level": self.level})}


def _idle(session: Session) -> dict[int, int]:
    """Return for each seat the action of doing nothing, where it has one."""
    found = {}
    for index, seat in enumerate(session.seats):
        number = next((k for k, action in enumerate(seat.group.actions) if action.name in _IDLE), None)
        if number is not None:
            found[index] = number
    return found


_IDLE = ("stay", "noop", "wait", "none", "nothing")


def _value(text: str) -> Any:
    """Return what a text means as the value of a parameter: a number, a truth value, or the word itself."""
    try:
        return Fraction(text) if "/" in text else json.loads(text)
    except (ValueError, ZeroDivisionError):
        return text


def _params(spec: GridSpec) -> list[dict[str, Any]]:
    """Return the parameters with their values, and what a page offers for each: a slider or a list."""
    from griddsl.diagnostics import Report
    from griddsl.lowering.world.parameters import bind_params

    values, domains = bind_params(spec, Report())
    found: list[dict[str, Any]] = []
    for name, domain in domains.items():
        value = values[name]
        shown = str(value).lower() if isinstance(value, bool) else str(value)
        entry: dict[str, Any] = {"name": name, "value": shown, "domain": str(domain)}
        if domain.form in ("words", "bool"):
            entry |= {"how": "list", "words": list(domain.words) or ["true", "false"]}
        else:
            entry |= {
                "how": "slider",
                "low": float(domain.low),
                "high": float(domain.high),
                "at": float(value),
            }
            entry["step"] = 1 if domain.form == "int" else float(domain.high - domain.low) / SLIDES
        found.append(entry)
    return found
