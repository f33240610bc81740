"""The player: keys in, a session moved on, a panel out; what window and terminal have in common."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from griddsl.playing.asking import PICKS, STEPS, STOPS, Asking, asking, cell_in
from griddsl.playing.keys import Keys, keys_of, playable
from griddsl.playing.session import SEEDS, Session
from griddsl.playing.watch import Watch
from griddsl.render.scene import Scene, Sprite

SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0)
REST_SECONDS = 1.5
LOOK_SECONDS = 0.25
CURSOR = (255, 214, 64)
IDLE_ACTIONS = ("stay", "noop", "none", "quiet", "done")


class Player:
    """Carries out what keys say, plays by itself when asked to, and follows the spec's file.

    ``speed`` is in moves a second. ``humans`` are the agents that keys move, by default all that no policy does: a
    step is made when each of them whose turn it is has chosen. ``highlight`` darkens what agents that see a part of the
    board do not see.
    """

    def __init__(
        self,
        session: Session,
        path: Path | None,
        speed: float = 4.0,
        clock: Callable[[], float] = time.monotonic,
        humans: Sequence[str] | None = None,
        highlight: bool = True,
    ) -> None:
        self.session = session
        self._highlight = highlight
        self.humans = (
            [name for name in session.players if name not in session.policies] if humans is None else humans
        )
        self._pressed: set[int] = set()
        self.speed = speed
        self.is_auto = False
        self.keys: Keys = keys_of(session.program)
        self.asking: Asking | None = None
        self._chosen = self._idle()
        self._watch = Watch(path)
        self._clock = clock
        self._next_move = 0.0
        self._next_look = clock() + LOOK_SECONDS

    def press(self, key: str) -> bool:
        """Do what a key says; False for the one that quits."""
        if self.asking is not None and self._answer(self.asking, key):
            return True
        if key in self.keys.actions:
            self._act(*self.keys.actions[key])
            return True
        command = self.keys.commands.get(key.lower() if len(key) == 1 else key)
        if command is not None and command != "quit":
            getattr(self, f"_{command}")()
        return command != "quit"

    def click(self, cell: tuple[int, int], button: int = 1) -> None:
        """Point at a cell ``(x, y)``: for what is asked, or for an action on cells.

        The right ``button``, 3, plays the second action on cells.
        """
        if self.asking is None:
            pointing = self._pointing()
            if not pointing:
                return
            self._act(*pointing[1 if button == 3 and len(pointing) > 1 else 0])
        asked = self.asking
        if asked is not None and asked.pick_cell(cell):
            self._go_on_asking(asked)

    def scene(self) -> Scene:
        """Return the board; where a cell is asked for, with those that can be picked, and the next one marked."""
        asked = self.asking
        if asked is None or not asked.asks_for_cells:
            return self.session.highlighted if self._highlight else self.session.scene
        scene = self.session.scene
        allowed = asked.allowed(self.session.env.masks())
        dimmed = np.ones((scene.height, scene.width), np.bool_)
        for place in allowed:
            x, y = cell_in(asked.asked[place]) or (0, 0)
            dimmed[y, x] = False
        x, y = cell_in(asked.asked[asked.cursor if asked.cursor in allowed else allowed[0]]) or (0, 0)
        cells = list(scene.cells)
        cells[y * scene.width + x] += (Sprite("cursor", "target", CURSOR, glyph="+"),)
        return replace(scene, cells=tuple(cells), dimmed=dimmed)

    def tick(self) -> bool:
        """Do what is due by now; True where something changed."""
        now = self._clock()
        changed = False
        if now >= self._next_look:
            self._next_look = now + LOOK_SECONDS
            changed = self._follow()
        if self.is_auto and now >= self._next_move:
            self._move_on()
            changed = True
        return changed

    def seconds_to_wait(self) -> float:
        """Return how long nothing is due."""
        due = min(self._next_look, self._next_move) if self.is_auto else self._next_look
        return max(0.005, min(LOOK_SECONDS, due - self._clock()))

    def rows(self) -> list[tuple[str, str]]:
        """Return what stands beside the board, as labels and values."""
        found = self.session.facts()
        firsts = self._first_seats()
        for index, (seat, number) in enumerate(zip(self.session.seats, self._chosen, strict=True)):
            if index not in firsts:
                found.append((seat.group.name or "action", seat.group.actions[number].name))
        waiting = [self.session.seats[index].agent for index in self._awaited() if index not in self._pressed]
        turns = [self.session.seats[index].agent for index in self.session.env.seats_to_move()]
        if self.session.program.turns == "alternate" and turns and not self.session.moment.is_over:
            found.append(("turn", turns[0]))
        if len(self.humans) > 1 and self._pressed and waiting:
            found.append(("waiting for", ", ".join(waiting)))
        if self.asking is not None:
            found.append(("asked for", self.asking.said()))
            found.append((self.asking.names[len(self.asking.answers)], self._options(self.asking)))
        if self.is_auto:
            found.append(("playing by itself", f"{self.speed:g} moves a second"))
        return found

    def message(self) -> str:
        """Return the rules that fired, or what the player was told last."""
        lines = [str(fired) for fired in self.session.moment.fired]
        if self.session.moment.is_over:
            lines.append(self._ending())
        if self.session.notice and not (
            self.session.moment.is_over and not self.session.notice.startswith("the spec")
        ):
            lines.append(self.session.notice)
        return "\n".join(lines)

    def _ending(self) -> str:
        restart = next(key for key, command in self.keys.commands.items() if command == "restart")
        return f"The episode is over: {self.session.moment.outcome}. Press {restart} to play again."

    # Commands

    def _act(self, seat: int, number: int) -> None:
        """Play an action. Those of an agent's further groups are held until another is chosen, and wait for the first.

        With several players, the step waits until all have chosen.
        """
        self.is_auto = False
        if self.session.seats[seat].agent not in self.humans:
            self.session.notice = f"{self.session.seats[seat].agent} plays by itself here"
            return
        self.asking = asking(self.session.seats, seat, number)
        if self.asking is None:
            self._play(seat, number)

    def _play(self, seat: int, number: int) -> None:
        self._chosen[seat] = number
        if seat in self._first_seats():
            self._pressed.add(seat)
        awaited = self._awaited()
        if awaited and not self._pressed >= set(awaited):
            return
        if seat in self._first_seats():
            given = {i: n for i, n in enumerate(self._chosen) if self.session.seats[i].agent in self.humans}
            self.session.act(self.session.random_move(given))
            self._pressed.clear()

    # What an action takes

    def _pointing(self) -> list[tuple[int, int]]:
        """Return the actions of who is to move whose first argument is a cell."""
        awaited = self._awaited()
        found: list[tuple[int, int]] = []
        for seat, number in playable(self.session.seats):
            asked = asking(self.session.seats, seat, number)
            if asked is not None and asked.asks_for_cells and (seat in awaited or not awaited):
                found.append((seat, number))
        return found

    def _answer(self, asked: Asking, key: str) -> bool:
        """Take a key as an answer; False for one that is none."""
        allowed = asked.allowed(self.session.env.masks())
        if key in STOPS:
            self.asking = None
        elif key in PICKS:
            asked.pick(asked.cursor if asked.cursor in allowed else allowed[0])
            self._go_on_asking(asked)
        elif key in STEPS:
            asked.move(key, allowed)
        elif key in (digits := asked.by_digit(allowed)):
            asked.pick(digits[key])
            self._go_on_asking(asked)
        else:
            return False
        return True

    def _options(self, asked: Asking) -> str:
        """Return what can be picked: a place on the board, or values with the digits that pick them."""
        allowed = asked.allowed(self.session.env.masks())
        cursor = asked.cursor if asked.cursor in allowed else allowed[0]
        if asked.asks_for_cells:
            return f"{asked.asked[cursor]}: arrows and return, or a click"
        digits = asked.by_digit(allowed)
        if not digits:
            return f"{asked.asked[cursor]}: arrows and return"
        words = ((key, asked.asked[place]) for key, place in digits.items())
        return "  ".join(key if key == word else f"{key} {word}" for key, word in words)

    def _go_on_asking(self, asked: Asking) -> None:
        if not asked.is_complete:
            return
        self.asking = None
        for axis, answer in zip(asked.axes, asked.answers, strict=False):
            self._chosen[axis] = answer
        self._play(asked.seat, asked.chosen)

    def _first_seats(self) -> list[int]:
        """Return the first seat of each agent: the one whose choice makes its move."""
        agents = [seat.agent for seat in self.session.seats]
        return [agents.index(agent) for agent in dict.fromkeys(agents)]

    def _awaited(self) -> list[int]:
        """Return the seats that have to choose before the game goes on."""
        moving = self.session.env.seats_to_move()
        return [i for i in self._first_seats() if i in moving and self.session.seats[i].agent in self.humans]

    def _undo(self) -> None:
        self.is_auto = False
        self.asking = None
        self.session.undo()

    def _restart(self) -> None:
        self.asking = None
        self.session.restart()

    def _new_seed(self) -> None:
        self.session.restart(random.randrange(SEEDS))

    def _auto(self) -> None:
        self.is_auto = not self.is_auto
        self._next_move = self._clock()

    def _next(self) -> None:
        self.is_auto = False
        self.session.act_by_itself()

    def _faster(self) -> None:
        self.speed = min((speed for speed in SPEEDS if speed > self.speed), default=self.speed)
        self.session.notice = f"{self.speed:g} moves a second"

    def _slower(self) -> None:
        self.speed = max((speed for speed in SPEEDS if speed < self.speed), default=self.speed)
        self.session.notice = f"{self.speed:g} moves a second"

    # By itself

    def _move_on(self) -> None:
        if self.session.moment.is_over:
            self.session.restart((self.session.seed + 1) % SEEDS)
        else:
            self.session.act_by_itself()
        rest = REST_SECONDS if self.session.moment.is_over else 1 / self.speed
        self._next_move = self._clock() + rest

    def _follow(self) -> bool:
        if not self._watch.changed():
            return False
        if self.session.reload():
            self.keys = keys_of(self.session.program)
            self._chosen = self._idle()
            self._pressed.clear()
            self.asking = None
        return True

    def _idle(self) -> list[int]:
        """Return for each group the action that does the least."""
        found = []
        for seat in self.session.seats:
            names = [action.name for action in seat.group.actions]
            found.append(next((names.index(name) for name in IDLE_ACTIONS if name in names), 0))
        return found
