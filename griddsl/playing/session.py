"""A game in progress: one environment, all that happened in it, the way back, and its spec's edits."""

from __future__ import annotations

import os
import random
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from griddsl.compass import COMPASS
from griddsl.diagnostics import Refused, SpecError
from griddsl.envs.sight import out_of_sight
from griddsl.envs.states import State
from griddsl.playing.moments import Fired, Moment, number_text, place_text
from griddsl.playing.recording import Recording
from griddsl.playing.traced import Move, Played, Seat, open_traced, seats_of
from griddsl.program import keys
from griddsl.program.program import Program
from griddsl.render.scene import Scene

# What chooses for an agent: from its observation and the actions that are allowed, one number a group.
Policy: TypeAlias = Callable[[Any, list[list[bool]]], Sequence[int]]
MOST_UNDONE = 10_000
MOST_KEPT_VALUES = 20_000_000
SEEDS = 1_000_000
MOST_FACTS = 14  # things beside the board; a transcript has all


class Session:
    """One game that somebody plays.

    ``source`` is the path or text of a spec, ``params`` its parameters (and ``level``). Without a seed one is
    drawn, and shown, so that the game can be played again. ``policies`` choose for agents where nobody else does;
    the others are drawn at random. Raises `SpecError` where the spec cannot be used.
    """

    def __init__(
        self,
        source: str | os.PathLike[str],
        *,
        params: Mapping[str, Any] | None = None,
        seed: int | None = None,
        records: bool = False,
        policies: Mapping[str, Policy] | None = None,
    ) -> None:
        self._source = source
        self.policies = dict(policies or {})
        self._params = dict(params or {})
        self.seed = random.randrange(SEEDS) if seed is None else seed
        self.error = ""
        self.notice = ""
        self._recording = Recording() if records else None
        self._begin(self._made(), self.seed)

    # What there is

    @property
    def program(self) -> Program:
        """The program that is played."""
        return self.env.program

    @property
    def moment(self) -> Moment:
        """What the last step did."""
        return self.moments[-1]

    @property
    def scene(self) -> Scene:
        """The board as it is."""
        scene: Scene = self.env.scene()
        return scene

    @property
    def first_kept(self) -> int:
        """The number of the first moment whose board is remembered."""
        return len(self.moments) - len(self._states)

    def state_at(self, moment: int) -> State:
        """Return the state at a moment; of one that is not remembered, the first that is."""
        return self._states[max(0, min(moment - self.first_kept, len(self._states) - 1))]

    def look_back(self, moment: int) -> Scene:
        """Return the board as it was at a moment; of one that is not remembered, the first that is."""
        now = self.env.get_state()
        self.env.set_state(self.state_at(moment))
        scene = self.scene
        self.env.set_state(now)
        return scene

    @property
    def highlighted(self) -> Scene:
        """The board as it is, with what no agent sees darkened where agents see a part of it only."""
        hidden = out_of_sight(self.program, self.integers, self.env.observe)
        return self.scene if hidden is None else replace(self.scene, dimmed=hidden)

    @property
    def integers(self) -> Sequence[int]:
        """The whole numbers of the state, slot after slot."""
        return self._states[-1][0]

    @property
    def agent_cell(self) -> int:
        """The cell of the (first) agent; -1 where it stands on none."""
        return self.value(keys.AGENT_CELL, -1)

    @property
    def players(self) -> list[str]:
        """The names of the agents that are played."""
        return [player.name for player in self.program.players]

    def names_of(self, moment: Moment) -> str:
        """Return a move in words: the names of its actions, with those of the agents where there are several."""
        words: dict[str, list[str]] = {}
        for index in moment.movers:
            seat = self.seats[index]
            done = seat.group.actions[moment.move[index]].name
            words.setdefault(seat.agent, []).append("away" if seat.agent in moment.away else done)
        if len(self.players) == 1:
            return " + ".join(name for names in words.values() for name in names)
        return ", ".join(f"{agent} {' + '.join(names)}" for agent, names in words.items())

    def amounts(self, values: Sequence[float]) -> str:
        """Return rewards or scores in words: one number, or one for each player."""
        if len(self.players) == 1:
            return number_text(values[0] if values else 0.0)
        worth = zip(self.players, values or [0.0] * len(self.players), strict=True)
        return ", ".join(f"{name} {number_text(value)}" for name, value in worth)

    def facts(self) -> list[tuple[str, str]]:
        """Return what a player wants to know, as labels and values; of many names the first."""
        return list(self._facts())

    # What a player does

    def act(self, move: Move | int) -> Moment:
        """Carry out a move; after the end of the episode nothing happens any more."""
        self.notice = ""
        if self.moment.is_over:
            self.notice = "the episode is over"
            return self.moment
        return self._step((move,) if isinstance(move, int) else move)

    def act_by_itself(self) -> Moment:
        """Carry out a random move among those that are allowed."""
        return self.act(self.random_move())

    def random_move(self, given: Mapping[int, int] | None = None) -> Move:
        """Draw an action for each seat, with equal chances among those that are allowed; policies choose theirs.

        ``given`` are the numbers of seats that are chosen already.
        """
        masks = self.env.masks()
        move: list[int] = []
        for seat, mask in zip(self.seats, masks, strict=True):
            allowed = [number for number, fits in enumerate(mask) if fits]
            move.append(self._choices.choice(allowed or range(len(seat.group.actions))))
        for agent, policy in self.policies.items():
            mine = [index for index, seat in enumerate(self.seats) if seat.agent == agent]
            chosen = policy(self.env.observe(agent), [masks[index] for index in mine])
            for index, number in zip(mine, chosen, strict=True):
                move[index] = int(number)
        for index, number in (given or {}).items():
            move[index] = number
        return tuple(move)

    def undo(self) -> bool:
        """Go back to before the last step; False at the start (or as far back as is remembered)."""
        if len(self._states) < 2:
            self.notice = "nothing to undo"
            return False
        self._states.pop()
        self.moments.pop()
        self.env.set_state(self._states[-1])
        self.notice = ""
        self._record()
        return True

    def restart(self, seed: int | None = None) -> None:
        """Start the episode again, the same one or that of another seed."""
        wanted = self.seed if seed is None else seed
        try:
            self._begin(self.env, wanted)
        except SpecError as error:
            self.error = _text_of(error)
            return
        self.error = ""
        self.notice = f"seed {wanted}" if seed is not None else ""

    def reload(self) -> bool:
        """Read the spec again and play the same moves in it; where it has errors, keep the game and show them."""
        moves = [moment.move for moment in self.moments[1:]]
        old, names = self.env, self._action_names()
        try:
            env = self._made()
            same = env.spec_model == old.spec_model
            self._begin(env, self.seed, again=True)
        except Refused as error:
            self.error = _text_of(error)
            return False
        self.error = ""
        replayed = self._replay(moves) if self._action_names() == names else 0
        self._record()
        if not same:
            self.notice = _reloaded(replayed, len(moves))
        return True

    def save_recording(self, path: str | os.PathLike[str], fps: float) -> int:
        """Write what was recorded as a GIF, or the board as it is as a PNG; return the number of pictures."""
        recording = self._recording or Recording([self.scene])
        return recording.save(path, fps)

    # How it is done

    def _made(self) -> Played:
        return open_traced(self._source, **self._params)

    def _begin(self, env: Played, seed: int, again: bool = False) -> None:
        env.begin(seed)
        self.env = env
        self.seats: list[Seat] = seats_of(env.program)
        self.seed = seed
        self.moments = [Moment(0)]
        self._choices = random.Random(seed)
        most = min(MOST_UNDONE, MOST_KEPT_VALUES // max(1, env.program.layout.saved))
        self._states: deque[State] = deque([env.get_state()], maxlen=max(2, most))
        env.take_fired()
        if not again:
            self._record()

    def _replay(self, moves: Sequence[Move]) -> int:
        for number, move in enumerate(moves[:MOST_UNDONE]):
            if self.moment.is_over:
                return number
            self._step(move, records=False)
        return min(len(moves), MOST_UNDONE)

    def _step(self, move: Move, records: bool = True) -> Moment:
        movers, away = tuple(self.env.seats_to_move()), self._away()
        here = [seat for seat in movers if self.seats[seat].agent not in away]
        forbidden = self._forbidden(move, here) if self.program.has_mask else ()
        result = self.env.play(move)
        before = self.moment
        scores = before.scores or (0.0,) * len(result.rewards)
        moment = Moment(
            step=before.step + 1,
            move=move,
            rewards=result.rewards,
            scores=tuple(score + reward for score, reward in zip(scores, result.rewards, strict=True)),
            movers=movers,
            forbidden=forbidden,
            away=tuple(away),
            terminated=result.terminated,
            truncated=result.truncated,
            outcome=result.outcome,
            fired=self._fired(),
        )
        self.moments.append(moment)
        self._states.append(self.env.get_state())
        if records:
            self._record()
        return moment

    def _forbidden(self, move: Move, movers: Sequence[int]) -> tuple[int, ...]:
        """Return the seats among those that move whose action is not allowed now."""
        masks = self.env.masks()
        return tuple(seat for seat in movers if not masks[seat][move[seat]])

    def _fired(self) -> tuple[Fired, ...]:
        counts = Counter(self.env.take_fired())
        rules, source = self.program.rules, self.env.spec_model.source
        return tuple(
            Fired(rules[number].head, place_text(rules[number].span, source), times)
            for number, times in counts.items()
        )

    def _record(self) -> None:
        if self._recording is not None:
            self._recording.add(self.scene)

    def _action_names(self) -> list[list[str]]:
        return [[seat.agent, *(action.name for action in seat.group.actions)] for seat in self.seats]

    def value(self, slot: str, default: int, index: int = 0) -> int:
        """Return a number of the state; the default where the program has no such slot."""
        offset = self.program.layout.offsets.get(slot)
        return default if offset is None else self._states[-1][0][offset + index]

    def _facts(self) -> Iterator[tuple[str, str]]:
        moment, limit = self.moment, self.program.limit
        yield "score", self.amounts(moment.scores)
        yield "step", f"{moment.step} of {limit}" if limit else str(moment.step)
        yield from self._scores()
        if moment.move:
            yield "last action", self.names_of(moment)
            yield "last reward", self.amounts(moment.rewards)
        if moment.is_over:
            yield "outcome", moment.outcome
        mission = self.env.mission()
        if mission:
            yield "mission", mission
        things = list(self.things())
        yield from things if len(things) <= MOST_FACTS else things[: MOST_FACTS - 1]
        if len(things) > MOST_FACTS:
            yield "further values", str(len(things) - MOST_FACTS + 1)
        yield "seed", str(self.seed)

    def _scores(self) -> Iterator[tuple[str, str]]:
        """Yield what `score NAME: E` says, of each player where there are several."""
        players = self.program.players if self.program.scores else ()
        for player in players:
            whose = f" of {player.name}" if len(players) > 1 else ""
            for name, value in self.env.told(player.name).items():
                if name in self.program.scores:
                    yield f"{name}{whose}", number_text(value) if isinstance(value, float) else str(value)

    def things(self) -> Iterator[tuple[str, str]]:
        """Yield what the board does not tell: facings, agents' attributes, what they carry, variables, chosen names."""
        several, away = len(self.program.agents) > 1, self._away()
        for index, agent in enumerate(self.program.agent_names):
            whose = f" of {agent}" if several else ""
            facing = self.value(keys.FACING, -1, index)
            if facing >= 0:
                yield f"facing{whose}", COMPASS[facing]
            for label, value in self._attributes(self.program.agents[index], index):
                yield f"{label}{whose}", value
            if agent in away:
                yield f"away{whose}", f"{away[agent]} step{'' if away[agent] == 1 else 's'}"
            carried = self._carried(index)
            if carried is not None and (carried or not several):
                yield f"carrying{whose}", ", ".join(carried) or "nothing"
        for name in self.program.names:
            if name.is_part:  # of the mission, which is shown whole
                continue
            value = self.env.value_of(name.name)
            if name.form == "cell" and value.isdigit():
                y, x = divmod(int(value), self.program.width)
                value = f"({x}, {y})"
            yield name.label, value

    def _away(self) -> dict[str, int]:
        """Return the agents that are away, and for how many steps more."""
        names = self.program.agent_names
        return {name: left for at, name in enumerate(names) if (left := self.value(keys.OUT, 0, at) - 1) > 0}

    def _carried(self, agent: int) -> list[str] | None:
        """Return the kinds that an agent carries; None where nothing can be carried."""
        slot = next((slot for slot in self.program.slots if slot.key == keys.CARRIED), None)
        if slot is None:
            return None
        can_carry = any("portable" in kind.properties for kind in self.program.kinds)
        integers, offsets = self._states[-1][0], self.program.layout.offsets
        kinds = {kind.code: kind for kind in self.program.kinds}
        hands = slot.length // len(self.program.agents)
        first = offsets[keys.CARRIED] + agent * hands
        things = [thing for thing in integers[first : first + hands] if thing >= 0]
        if not things and not can_carry:
            return None
        found = []
        for thing in things:
            kind = kinds[integers[offsets[keys.OBJECT_KIND] + thing]]
            said = ", ".join(f"{name}={value}" for name, value in self._attributes(kind.name, thing))
            found.append(f"{kind.name}({said})" if said else kind.name)
        return found

    def _attributes(self, kind_name: str, index: int) -> Iterator[tuple[str, str]]:
        """Yield the attributes of a thing, and their values in words."""
        kind = next(kind for kind in self.program.kinds if kind.name == kind_name)
        for attribute in kind.attributes:
            if attribute.is_slot:
                value = self.integers[self.program.layout.offsets[attribute.holder] + index]
            else:
                table = next(table for table in self.program.tables if table.key == attribute.holder)
                value = int(table.values[index])
            words = attribute.words
            yield attribute.name, words[value] if 0 <= value < len(words) else str(value)


def _text_of(error: Exception) -> str:
    return str(error).strip()


def _reloaded(replayed: int, moves: int) -> str:
    if not moves or replayed == moves:
        return "the spec changed: reloaded"
    return f"the spec changed: reloaded, with {replayed} of {moves} moves played again"
