"""The player: keys in, a session moved on, a panel out; what window and terminal have in common."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
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

    ``speed`` is in moves a second. ``humans`` are the agents that keys move, by default all that no policy does: a
    step is made when each of them whose turn it is has chosen.
    """

    def __init__(
        self,
        session: Session,
        path: Path | None,
        speed: float = 4.0,
        clock: Callable[[], float] = time.monotonic,
        humans: Sequence[str] | None = None,
    ) -> None:
        self.session = session
        self.humans = (
            [name for name in session.players if name not in session.policies] if humans is None else humans
        )
        self._pressed: set[int] = set()
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
            self._pressed.clear()
        return True

    def _idle(self) -> list[int]:
        """Return for each group the action that does the least."""
        found = []
        for seat in self.session.seats:
            names = [action.name for action in seat.group.actions]
            found.append(next((names.index(name) for name in IDLE_ACTIONS if name in names), 0))
        return found
