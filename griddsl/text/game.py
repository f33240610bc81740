"""A text game: an episode as turns of words, for one player and for several."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from griddsl.compass import COMPASS
from griddsl.compiler import AnySpec, compiled
from griddsl.diagnostics import Refused, with_keywords
from griddsl.envs.joint.game import Game
from griddsl.envs.single.grid_env import GridEnv
from griddsl.loading import resolve
from griddsl.program import keys
from griddsl.program.program import ActionGroup, KindInfo, Program
from griddsl.text.answers import answer_in

SHOWS = ("board", "observation")
TURNS_WITHOUT_LIMIT = 100


@dataclass(frozen=True)
class Turn:
    """What an answer did: what it was read as (None: no answer), the reward, whether all is over, and the next text.

    ``text`` is for whoever plays next; at the end it tells how it ended. ``reward`` is that of the player who answered;
    where all choose at once, it comes with the answer of the last, and ``rewards`` holds everybody's.
    """

    action: str | None
    reward: float
    over: bool
    text: str
    rewards: dict[str, float]


class TextGame:
    """An episode in words: `text` says what there is to see and to do, `answer` takes what is said to it.

    An answer that means no action, or one that is not allowed now, costs a turn: the game stays where it is, for one
    player; where several choose at once, that player does nothing in the step. An episode has at most ``max_turns``
    turns a player, by default the spec's ``limit``, or 100.
    """

    @with_keywords
    def __init__(
        self,
        source: AnySpec,
        *,
        seed: int = 0,
        shows: str = "board",
        max_turns: int | None = None,
        **params: Any,
    ) -> None:
        if shows not in SHOWS:
            raise Refused(f"a text game shows the {' or the '.join(SHOWS)}, not {shows!r}")
        if max_turns is not None and max_turns < 1:
            raise Refused(f"a text game has 1 turn or more, not {max_turns}")
        self.compiled = compiled(resolve(source), **params)
        self.program: Program = self.compiled.program
        self.shows = shows
        self.max_turns = max_turns or self.program.limit or TURNS_WITHOUT_LIMIT
        self._several = len(self.program.players) > 1
        self._env: Any = Game(self.compiled) if self._several else GridEnv(self.compiled, backend="python")
        self.players = [player.name for player in self.program.players]
        self.reset(seed)

    # Playing

    def reset(self, seed: int = 0) -> str:
        """Start the episode of a seed; return the first text."""
        self.seed, self.turns, self.over, self.outcome = seed, 0, False, ""
        self.returns = dict.fromkeys(self.players, 0.0)
        self._live, self._chosen = list(self.players), dict[str, Any]()
        self.wrong_answers = dict.fromkeys(self.players, 0)
        if self._several:
            self._env.begin(seed)
        else:
            self._env.reset(seed=seed)
        self.player = self._next()
        return self.text

    @property
    def text(self) -> str:
        """What the player whose turn it is is told: at the first turn also the rules of answering."""
        if self.over:
            return self._ending()
        parts = [self._rules()] if self.turns == 0 else []
        return "\n\n".join([*parts, self._seen(self.player)])

    @property
    def actions(self) -> list[str]:
        """The names of the actions of the player whose turn it is, in order; groups are joined by ``+``."""
        return _joined(self._player(self.player).groups)

    @property
    def allowed(self) -> list[str]:
        """The names of those actions that are allowed now."""
        masks = self._masks(self.player)
        return [name for number, name in enumerate(self.actions) if self._fits(number, masks)]

    def answer(self, text: str) -> Turn:
        """Play what an answer says, for the player whose turn it is; raise `ValueError` after the end."""
        if self.over:
            raise Refused("the episode is over: call reset()")
        who, names = self.player, self.actions
        number = answer_in(text, names)
        if number is not None and not self._fits(number, self._masks(who)):
            number = None
        note = ""
        if number is None:
            self.wrong_answers[who] += 1
            note = f"That was no answer. Say one of: {', '.join(self.allowed)}.\n\n"
        rewards = dict[str, float]()
        if self._several:
            rewards = self._answered_together(who, number)
        elif number is not None:
            _, reward, ended, cut, info = self._env.step(self._split(who, number))
            rewards = {who: float(reward)}
            if ended or cut:
                self.over, self.outcome = True, info["outcome"]
            self.turns += 1
        else:
            self.turns += 1
        for name, reward in rewards.items():
            self.returns[name] += reward
        if not self.over and self.turns >= self.max_turns:
            self.over, self.outcome = True, "out of turns"
        action = None if number is None else names[number]
        return Turn(action, rewards.get(who, 0.0), self.over, note + self.text, rewards)

    def _answered_together(self, who: str, number: int | None) -> dict[str, float]:
        """Keep an answer; carry out the step where all have answered whose turn it is."""
        self._chosen[who] = None if number is None else self._split(who, number)
        waited = [name for name in self._live if name not in self._chosen]
        if waited and self._env.turn is None:
            self.player = waited[0]
            return {}
        given = {name: action for name, action in self._chosen.items() if action is not None}
        played = self._env.play_on(given, self._live)
        self._live, self._chosen = list(played.agents), {}
        self.turns += 1
        if not self._live:
            self.over = True
            self.outcome = str(
                self._env.info(who, played.terminated.get(who, True), played.truncated.get(who, False))[
                    "outcome"
                ]
            )
        else:
            self.player = self._next()
        return {name: float(reward) for name, reward in played.rewards.items()}

    # Words

    def _rules(self) -> str:
        program = self.program
        lines = [program.description] if program.description else []
        if self._several:
            lines.append(f"You are {self.player}. Players: {', '.join(self.players)}.")
        lines.append(f"You play on a grid of {program.width} columns and {program.height} rows.")
        if self.shows == "board":
            lines.append(f"Signs: {', '.join(_signs(program))}.")
        lines.append(f"Actions: {', '.join(self.actions)}.")
        lines.append(
            f"Answer each turn with one action by its name, as in <action>{self.allowed[0] if self.allowed else ''}"
            "</action>. An answer that is none of them costs a turn. "
            f"There are at most {self.max_turns} turns."
        )
        return "\n".join(lines)

    def _seen(self, who: str) -> str:
        lines = [f"Turn {self.turns + 1} of {self.max_turns}" + (f", {who}" if self._several else "") + "."]
        mission = self._env.mission()
        if mission:
            lines.append(f"Task: {mission}")
        lines.append("")
        if self.shows == "board":
            lines += [line.rstrip() for line in self._env.text().splitlines()]
            lines += _facing(self._env, self.program, who)
        else:
            lines += list(_described(self._env.observe(who) if self._several else self._looked()))
        allowed, names = self.allowed, self.actions
        if len(allowed) < len(names):
            lines += ["", f"Allowed now: {', '.join(allowed)}."]
        return "\n".join(lines)

    def _looked(self) -> Any:
        return self._env._seen_by(self.players[0])

    def _ending(self) -> str:
        said = ", ".join(
            f"{name} {self.returns[name]:.6g}" if self._several else f"{self.returns[name]:.6g}"
            for name in self.players
        )
        board = f"\n\n{self._env.text()}" if self.shows == "board" else ""
        return f"The episode is over after {self.turns} turns: {self.outcome}. Return: {said}.{board}"

    # Players and actions

    def _player(self, name: str) -> Any:
        return next(player for player in self.program.players if player.name == name)

    def _next(self) -> str:
        turn = self._env.turn if self._several else None
        return turn if turn in self._live else self._live[0]

    def _masks(self, who: str) -> list[bool]:
        found = self._env.mask(who) if self._several else self._env.action_masks()
        return [bool(fits) for fits in found]

    def _numbers(self, who: str, number: int) -> list[int]:
        sizes = [len(group.actions) for group in self._player(who).groups]
        found: list[int] = []
        for size in reversed(sizes):
            number, digit = divmod(number, size)
            found.insert(0, digit)
        return found

    def _split(self, who: str, number: int) -> Any:
        """Return an action as the environment takes it: a number, or one a group."""
        numbers = self._numbers(who, number)
        return numbers[0] if len(numbers) == 1 else numbers

    def _fits(self, number: int, masks: list[bool]) -> bool:
        at, sizes = 0, [len(group.actions) for group in self._player(self.player).groups]
        for size, digit in zip(sizes, self._numbers(self.player, number), strict=True):
            if not masks[at + digit]:
                return False
            at += size
        return True


def _joined(groups: tuple[ActionGroup, ...]) -> list[str]:
    names = [""]
    for group in groups:
        names = [
            f"{name}+{action.name}" if name else action.name for name in names for action in group.actions
        ]
    return names


def _signs(program: Program) -> list[str]:
    found: list[str] = []
    for kind in program.kinds:
        found += [f"{sign} is {word}" for sign, word in _signs_of(kind)]
    return found


def _signs_of(kind: KindInfo) -> list[tuple[str, str]]:
    words = kind.name.replace("_", " ")
    pairs = [(kind.glyph, words)]
    for info in kind.glyphs:
        names = {attribute.name: attribute.words for attribute in kind.attributes}
        said = [names[name][code] if names.get(name) else f"{name} {code}" for name, code in info.attributes]
        if said and info.glyph != kind.glyph:
            pairs.append((info.glyph, " ".join([*said, words])))
    return pairs


def _facing(env: Any, program: Program, who: str) -> list[str]:
    """Return what the board does not show: where a player looks."""
    offsets = program.layout.offsets
    if keys.FACING not in offsets:
        return []
    index = next(player.agent for player in program.players if player.name == who)
    return [f"You face {COMPASS[env.get_state()[0][offsets[keys.FACING] + index] % 8]}."]


def _described(observation: Any, name: str = "") -> list[str]:
    """Return an observation in lines: a row of numbers for each row of an array."""
    if isinstance(observation, dict):
        return [line for key, part in observation.items() for line in _described(part, key)]
    if isinstance(observation, tuple):
        return [line for key, part in enumerate(observation) for line in _described(part, str(key))]
    label = f"{name}: " if name else ""
    shape = getattr(observation, "shape", ())
    if len(shape) < 2:
        return [f"{label}{observation.tolist() if hasattr(observation, 'tolist') else observation}"]
    return [f"{label}".rstrip(), *(str(row) for row in observation.tolist())]


@with_keywords
def make_text(
    source: AnySpec, *, seed: int = 0, shows: str = "board", max_turns: int | None = None, **params: Any
) -> TextGame:
    """Return a spec as a text game, for one or several players; ``shows`` is ``board`` or ``observation``."""
    return TextGame(source, seed=seed, shows=shows, max_turns=max_turns, **params)


def play_text(game: TextGame, say: Callable[[str], str]) -> TextGame:
    """Play an episode to its end: ``say`` is given each text and returns an answer, as a model does, or `input`."""
    text = game.text
    while not game.over:
        text = game.answer(say(text)).text
    return game
