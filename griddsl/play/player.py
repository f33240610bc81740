"""The player: keys in, a session moved on, a panel out; what window and terminal have in common."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path

from griddsl.play.keys import Keys, keys_of
from griddsl.play.session import SEEDS, Session
from griddsl.play.watch import Watch

SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0)
REST_SECONDS = 1.5
LOOK_SECONDS = 0.25
IDLE_ACTIONS = ("stay", "noop", "none", "quiet", "done")


class Player:
    """Carries out what keys say, plays by itself when asked to, and follows the spec's file.

    ``speed`` is in moves a second.
    """

    def __init__(
        self,
        session: Session,
        path: Path | None,
        speed: float = 4.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.session = session
        self.speed = speed
        self.is_auto = False
        self.keys: Keys = keys_of(session.program)
        self._chosen = self._idle()
        self._watch = Watch(path)
        self._clock = clock
        self._next_move = 0.0
        self._next_look = clock() + LOOK_SECONDS

    def press(self, key: str) -> bool:
        """Do what a key says; False for the one that quits."""
        if key in self.keys.actions:
            self._act(*self.keys.actions[key])
            return True
        command = self.keys.commands.get(key.lower() if len(key) == 1 else key)
        if command is not None and command != "quit":
            getattr(self, f"_{command}")()
        return command != "quit"

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
        for group, number in zip(self.session.program.groups[1:], self._chosen[1:], strict=True):
            found.append((group.name or "action", group.actions[number].name))
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

    def _act(self, group: int, number: int) -> None:
        """Play an action. Those of further groups are held until another is chosen, and wait for the first."""
        self.is_auto = False
        self._chosen[group] = number
        if group == 0:
            self.session.act(tuple(self._chosen))

    def _undo(self) -> None:
        self.is_auto = False
        self.session.undo()

    def _restart(self) -> None:
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
        return True

    def _idle(self) -> list[int]:
        """Return for each group the action that does the least."""
        found = []
        for group in self.session.program.groups:
            names = [action.name for action in group.actions]
            found.append(next((names.index(name) for name in IDLE_ACTIONS if name in names), 0))
        return found
