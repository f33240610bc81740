"""A fuzzer: breaks working specs in small ways, and finds whatever is raised that is no `SpecError`.

``python tests/fuzz/mutate.py --minutes 10 --seed 1`` prints each new crash, minimised, and exits with 1 if there was
one. What compiles is also made, reset and stepped.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

import numpy as np

import griddsl
from griddsl.compiler import compiled
from griddsl.envs.joint.game import Game

ROOT = Path(__file__).parents[2]
SECONDS_A_CASE = 4.0  # of processor time, in which each program is proved as well
LONG = {"baby_sentences", "connect_four", "reversi"}  # what is well formed and takes nearly as long
_VARIANT = re.compile(r"^variant .*\n(?:    .*\n)*", re.MULTILINE)
SECONDS_TO_LEAVE = 1.0  # that a case takes to unwind once its time is up
STEPS = 30
MOST_KEPT = 300
LONGEST_KEPT = 4_000
LARGEST_TABLED = 16  # cells of a spec that is also run by the backend that the machine would choose
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|[A-Za-z_]\w*|\d+(?:\.\d+)?|\.\.|[<>=!+\-]=|[^\s\w]')
WORD = re.compile(r"[A-Za-z_]\w*$")
_STATEMENT = re.compile(r"^([a-z]\w*)\b.*\n(?:[ \t]+.*\n)*", re.MULTILINE)


class Hang(BaseException):
    """A case that took too long; no `Exception`, so that nothing under test swallows it."""


@dataclass(frozen=True)
class Crash:
    """What was raised, and a spec that raises it."""

    signature: str
    text: str
    trace: str


@dataclass
class Result:
    """What a run saw."""

    cases: int = 0
    crashes: list[Crash] = field(default_factory=list)


# What the fuzzer starts from


def seeds() -> list[str]:
    """Return the texts that are mutated: bundled specs, the language's examples, and the specs of the error cases."""
    folders = ("specs", "tests/cases/language", "tests/cases/errors", "tests/fuzz/seeds")
    texts = [
        _with_one_variant(file.read_text("utf-8")) for folder in folders for file in _specs(ROOT / folder)
    ]
    return [text for text in texts if "env" in text and "# expand" not in text and "1000, 1000" not in text]


def _with_one_variant(text: str) -> str:
    """Return a text with no variants but its first, because each is checked as a spec of its own."""
    first, rest = next(_VARIANT.finditer(text), None), _VARIANT.sub("", text)
    return text if first is None else rest[: first.start()] + first.group() + rest[first.start() :]


def _specs(folder: Path) -> Iterator[Path]:
    for file in sorted(folder.rglob("*")):
        if file.suffix in {".grid", ".toml"} and file.stem not in LONG:
            yield file


def words_of(texts: list[str]) -> list[str]:
    """Return every token of the texts once: what a mutation puts in another's place."""
    found = {token for text in texts for token in TOKEN.findall(text) if len(token) < 40}
    return sorted(found)


# Expressions that fit nowhere, or nearly

_LEAVES = (
    "0", "1", "-1", "7", "1/3", "20%", "0.5", "99999999999", "1e9", "true", "false", "random", '"text"', "step", "limit",
    "(0, 0)", "(1, 2)", "(-1, 99)", "self", "other agent", "here", "start", "edge", "free", "agent.x", "agent.y",
    "agent.facing", "self.action", "random floor", "every floor", "width", "height", "wall", "floor", "agent", "nothing",
)  # fmt: skip
_FORMS = (
    "{} + {}", "{} - {}", "{} * {}", "{} / {}", "{} div {}", "{} mod {}", "{} == {}", "{} < {}", "{} is {}",
    "{} is not {}", "{} and {}", "{} or {}", "not {}", "-{}", "({})", "min({}, {})", "max({})", "abs({})", "exp({})",
    "sqrt({})", "count({})", "count({} where {})", "sum({} for {})", "distance({}, {})", "chebyshev({}, {})",
    "euclid({}, {})", "path_distance({}, {} avoiding {})", "prev({})", "lowest({})", "{} if {} else {}", "{} on {}",
    "{} at {}", "{} has {}", "{} ahead", "{} within {} of {}", "all {} on {}", "any {} is {}", "no {} left", "can {}",
    "{}.color", "{}.x", "{}({})", "({}, {})", "index({}, {})", "flags({}, {})", "{} in {}..{}", "{} | {}", "{} as planes",
    "random {} where {}", "other {}", "{} reachable from {}", "[{}]", "{} = {}", "{} with chance {} else {}",
)  # fmt: skip


def expression(chance: random.Random, names: list[str], depth: int = 2) -> str:
    """Return a random expression over the words of a spec: well formed as a rule, and seldom of the right type."""
    if depth == 0 or chance.random() < 0.3:
        return chance.choice(_LEAVES if chance.random() < 0.4 or not names else names)
    form = chance.choice(_FORMS)
    return form.format(*(expression(chance, names, depth - 1) for _ in range(form.count("{}"))))


# Statements that may be added anywhere

_EFFECTS = (
    "reward {}", "reward = {}", "hidden reward {}", "end", "end success", "truncate", "out", "cancel", "again", "go to {}",
    "go to random {}", "go to other {}", "move {} {}", "move {} to {}", "turn to {}", "pickup {}", "drop {}", "remove {}",
    "place {} at {}", "place {} {} at random {}", "place {} in {}", "place {} at random free in {} where {}",
    "place {} at every {} with chance {}", "{} becomes {}", "{} = {}", "{} += {}", "{} -= {}", "choose a in {}..{}",
    "choose a, b distinct in {} | {} where {}", "choose c in random {} where {}", "info n = {}", "{}.x becomes {}",
    "place {} as it at {}", "reward {} to {}",
)  # fmt: skip
_STATEMENTS = (
    "each step: EFFECT", "every {} steps: EFFECT", "each {}: EFFECT", "each {} if {}: EFFECT", "on act: EFFECT",
    "on act if {} with chance {}: EFFECT", "on do {}: EFFECT", "on enter {}: EFFECT", "on leave {}: EFFECT",
    "on bump {}: EFFECT", "on bump edge: EFFECT", "on push {}: EFFECT", "on pickup {}: EFFECT", "on drop {}: EFFECT",
    "on toggle {}: EFFECT", "on fail {}: EFFECT", "on meet {}: EFFECT", "on {} enter {}: EFFECT", "on {} meet {}: EFFECT",
    "when {}: EFFECT", "when {} with chance {}:\n    if {}: EFFECT\n    else if {}: EFFECT\n    else: EFFECT",
    "observe: {}", "observe: a = {}, b = {}", "observe flat: {}, {}", "observe tuple: {}, {}", "observe: grid as planes ({}, {})",
    "observe: grid as codes ({} 0, {} 1)", "observe: view {}x{} {}", "observe: position of {} as {}", "info: n = {}",
    "observe: {} with chance {} else {}", "observe: grid, {} seen as {} if {}", "observe goal: achieved = {}, desired = {}",
    "limit: {} steps", "sticky: {}", "slip: {} left, {} right", "slip if {}: 1/3 left", "allow {}: {}", "edge: wrap",
    "illegal: end", "param p: {} in {}..{}", "var v: {} in {}..{}", "var w: {} in {} | {}", "region r: ({}..{}, {}..{})",
    "setup:\n    EFFECT\n    EFFECT", "setup:\n    retry {} until {}:\n        EFFECT", "generate: room({}, {})",
    "generate: maze({}, {})", "generate: caves({}, {})", "generate: rooms({}, {})", "tile t: solid if {}", "object o: pushable {}",
    "object o: moves toward {} with chance {}", "agent: moves {}", "agent {}: moves patrol", "tile t: drift north {} | {}", "tile t: k in {}..{}", "agent: carries {}",
    "agent: facing, gear {} in {}..{}", "legend: Z = {}", "legend: Z = {} on {}", "mission: \"go to {{}}\"", "look {}: shape {}",
    "actions: {} = move east {} through {}", "actions: joystick {}", "actions: {}, {} [x]", "agents: {}, {}", "level: {}",
    "order: objects, agents", "use: minigrid", "map:\n    @.G\n    ...", "map two:\n    @.\n    ..",
)  # fmt: skip


def statement(chance: random.Random, names: list[str]) -> str:
    """Return a random statement over the words of a spec."""
    text = chance.choice(_STATEMENTS)
    while "EFFECT" in text:
        text = text.replace("EFFECT", chance.choice(_EFFECTS), 1)
    text = text.replace("{{}}", "\0")
    while "{}" in text:
        text = text.replace("{}", expression(chance, names, chance.choice((0, 0, 1))), 1)
    return text.replace("\0", "{" + chance.choice(names or ["x"]) + "}")


_ONCE = (
    "observe",
    "limit",
    "sticky",
    "edge",
    "illegal",
    "setup",
    "generate",
    "map",
    "mission",
    "actions",
    "level",
    "agent",
)


# Mutations


class Mutator:
    """Random changes of specs; the same seed gives the same changes."""

    def __init__(self, seed: int, texts: list[str]) -> None:
        self.chance = random.Random(seed)
        self.texts = texts
        self.words = words_of(texts)
        self.kept: list[str] = []
        self.changes: tuple[Callable[[str], str], ...] = (
            *(self.change_token,) * 5,
            *(self.put_expression,) * 5,
            *(self.change_line,) * 3,
            *(self.add_statement,) * 4,
            *(self.borrow,) * 2,
            self.change_head,
            self.change_character,
            self.splice,
        )

    def mutant(self) -> str:
        """Return one of the texts, or of the mutants that compiled, with one to four changes."""
        text = self.chance.choice(self.kept if self.kept and self.chance.random() < 0.4 else self.texts)
        for _ in range(self.chance.choice((1, 1, 1, 2, 2, 3, 4))):
            text = self.chance.choice(self.changes)(text)
        return text

    def keep(self, text: str) -> None:
        """Remember a mutant that compiled, as one to go on from."""
        if len(text) > LONGEST_KEPT:
            return
        if len(self.kept) < MOST_KEPT:
            self.kept.append(text)
        else:
            self.kept[self.chance.randrange(MOST_KEPT)] = text

    def change_token(self, text: str) -> str:
        """Delete, repeat, swap or replace a token."""
        tokens = list(TOKEN.finditer(text))
        if len(tokens) < 2:
            return text
        at = self.chance.randrange(len(tokens) - 1)
        token = tokens[at]
        match self.chance.randrange(9):
            case 0:
                return text[: token.start()] + text[token.end() :]
            case 1:
                return text[: token.end()] + " " + token.group() + text[token.end() :]
            case 2:
                after = tokens[at + 1]
                between = text[token.end() : after.start()]
                return text[: token.start()] + after.group() + between + token.group() + text[after.end() :]
            case 3:
                other = self.chance.choice(tokens).group()
            case 4:
                other = self.chance.choice(self.words)
            case _:
                other = self.chance.choice(
                    [word for word in self.names(text) if word[0].isdigit() == token.group()[0].isdigit()]
                    or ["0"]
                )
        return text[: token.start()] + other + text[token.end() :]

    def put_expression(self, text: str) -> str:
        """Put a random expression in the place of a word or number."""
        tokens = [token for token in TOKEN.finditer(text) if token.group()[0].isalnum()]
        if not tokens:
            return text
        token = self.chance.choice(tokens)
        return text[: token.start()] + expression(self.chance, self.names(text)) + text[token.end() :]

    def names(self, text: str) -> list[str]:
        """Return the words and numbers of a text."""
        return sorted({token for token in TOKEN.findall(text) if token[0].isalnum()})

    def change_line(self, text: str) -> str:
        """Delete, repeat, swap, move, indent or cut a line."""
        lines = text.split("\n")
        at, other = self.chance.randrange(len(lines)), self.chance.randrange(len(lines))
        match self.chance.randrange(7):
            case 0:
                del lines[at]
            case 1:
                lines.insert(other, lines[at])
            case 2:
                lines[at], lines[other] = lines[other], lines[at]
            case 3:
                lines.insert(other, lines.pop(at))
            case 4:
                lines[at] = "    " + lines[at]
            case 5:
                lines[at] = lines[at].lstrip()
            case _:
                lines[at] = lines[at][: self.chance.randrange(len(lines[at]) + 1)]
        return "\n".join(lines)

    def change_character(self, text: str) -> str:
        """Delete, insert or replace a character."""
        at = self.chance.randrange(len(text) + 1)
        new = self.chance.choice(
            [
                "",
                " ",
                "\n",
                "\t",
                ":",
                ",",
                '"',
                "(",
                ")",
                "#",
                "'",
                "=",
                "{",
                "\\",
                "é",
                "\U0001f600",
                "0",
                "@",
            ]
        )
        return text[:at] + new + text[at + self.chance.randrange(2) :]

    def add_statement(self, text: str) -> str:
        """Add a random statement."""
        if re.match(r"\s*(\[|[a-z]+ *= )", text):
            return self.change_token(text)
        new = statement(self.chance, self.names(text))
        keyword = re.match(r"\w+", new)
        if keyword and keyword.group() in _ONCE:
            text = re.sub(rf"^{keyword.group()}\b.*\n(?:[ \t]+.*\n)*", "", text, flags=re.MULTILINE)
        return text.rstrip("\n") + "\n" + new + "\n"

    def borrow(self, text: str) -> str:
        """Put a statement of another text in the place of one that begins with the same word, or behind all others."""
        whole = self.chance.choice(
            [each[0] for each in _STATEMENT.finditer(self.chance.choice(self.texts))] or [""]
        )
        keyword = re.match(r"\w*", whole)
        alike = [found for found in _STATEMENT.finditer(text) if keyword and found[1] == keyword.group()]
        if not alike:
            return text.rstrip("\n") + "\n" + whole
        found = self.chance.choice(alike)
        return text[: found.start()] + whole + text[found.end() :]

    def change_head(self, text: str) -> str:
        """Let a declaration say the same of another tile, object, agent, or kind of agents."""
        heads = list(re.finditer(r"^(?:object|tile|agent|look)\b[^:\n]*", text, re.MULTILINE))
        if not heads:
            return text
        head, name = self.chance.choice(heads), self.chance.choice(self.names(text) or ["x"])
        new = self.chance.choice(("agent", f"agent {name}", f"tile {name}", f"object {name}"))
        return text[: head.start()] + new + text[head.end() :]

    def splice(self, text: str) -> str:
        """Join the head of one text and the tail of another."""
        lines, others = text.split("\n"), self.chance.choice(self.texts).split("\n")
        return "\n".join(
            lines[: self.chance.randrange(len(lines) + 1)] + others[self.chance.randrange(len(others) + 1) :]
        )


# Running a case


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `Hang` after some seconds of processor time in the block.

    What is raised while the garbage collector calls back, an object is finalised or C calls Python is printed and lost,
    so the timer goes on until it meets code that can be left, and raises again where the block did not end.
    """
    least = 0.0

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal least
        now = time.process_time()
        if now < least or _is_collecting(frame):
            return
        least = now + SECONDS_TO_LEAVE
        raise Hang

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds, 0.01)
    try:
        yield
    finally:
        least = float("inf")
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _is_collecting(frame: FrameType | None) -> bool:
    """Whether a frame is, or was called by, a callback of the garbage collector (Hypothesis has one) or a finaliser."""
    while frame is not None:
        if frame.f_code.co_name in {"gc_callback", "__del__"}:
            return True
        frame = frame.f_back
    return False


def run_spec(text: str) -> bool:
    """Check a spec; if it is sound make it, reset it and take random steps. Return whether it compiled."""
    diagnostics = griddsl.check(text)
    for diagnostic in diagnostics:
        assert diagnostic.message, "a diagnostic without a message"
        assert not re.search(r"object at 0x|Fraction\(|Name\(|\bspan=|<class|\bNone\b", diagnostic.message), (
            diagnostic.message
        )
    if any(diagnostic.is_error for diagnostic in diagnostics):
        return False
    try:
        found = compiled(text)
        spec, program = found.model, found.program
        if len(program.players) > 1:
            play_together(Game(spec))
            return True
        env = griddsl.make(spec, backend="python")
        if env.program.width * env.program.height <= LARGEST_TABLED and len(text) % 4 == 0:
            env = griddsl.make(spec)
        env.reset(seed=1)
        env.action_space.seed(1)
        for _ in range(STEPS):
            observation, reward, terminated, truncated, _ = env.step(env.action_space.sample())
            assert env.observation_space.contains(observation), (
                f"{observation!r} is not in {env.observation_space}"
            )
            assert isinstance(reward, float) and not np.isnan(reward), f"a reward of {reward!r}"
            if terminated or truncated:
                env.reset()
        env.set_state(env.get_state())
    except griddsl.SpecError as error:
        assert str(error)
    return True


def play_together(game: Game) -> None:
    """Play a spec with several agents at random."""
    game.begin(1)
    for step in range(STEPS):
        for space in game.action_spaces.values():
            space.seed(step)
        game.act({name: space.sample() for name, space in game.action_spaces.items() if game.is_in(name)})
        for name, space in game.observation_spaces.items():
            seen, reward = game.observe(name), game.reward(name)
            assert space.contains(seen), f"{seen!r} is not in {space}"
            assert isinstance(reward, float) and not np.isnan(reward), f"a reward of {reward!r}"
        if all(game.has_ended(name) or game.is_cut_short(name) for name in game.players):
            game.start()
    game.set_state(game.get_state())


def crash_of(text: str, compiles: Callable[[str], None] | None = None) -> Crash | None:
    """Run a spec; return what it raised, if it raised anything. ``compiles`` is told of a sound one."""
    try:
        with time_limit(SECONDS_A_CASE), warnings.catch_warnings():
            warnings.simplefilter("error")
            if run_spec(text) and compiles is not None:
                compiles(text)
    except (Exception, Hang) as error:
        return Crash(_signature(error), text, "".join(traceback.format_exception(error)[-6:]))
    return None


def _signature(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "griddsl" in frame.filename and "/fuzz/" not in frame.filename]
    place = ours[-1] if ours else frames[-1]
    if isinstance(error, Hang):
        return "Hang"
    where = (
        f"{Path(place.filename).name}:{place.lineno if not place.filename.startswith('<') else place.name}"
    )
    return f"{type(error).__name__} at {where}" + (
        f" {str(error)[:30]}" if place.filename.startswith("<") else ""
    )


def minimised(crash: Crash, seconds: float = 20.0) -> Crash:
    """Return a crash with a smaller text: lines, then tokens are left out while the same is raised."""
    end = time.monotonic() + seconds
    best = crash
    for split, join in (
        (lambda t: t.split("\n"), "\n".join),
        (lambda t: re.findall(r"\s+|\w+|.", t), "".join),
    ):
        parts = split(best.text)
        size = max(1, len(parts) // 2)
        while size and time.monotonic() < end:
            at = 0
            while at < len(parts) and time.monotonic() < end:
                fewer = parts[:at] + parts[at + size :]
                found = crash_of(join(fewer))
                if found is not None and found.signature == crash.signature:
                    best, parts = found, fewer
                else:
                    at += size
            size //= 2
    return best


def fuzz(seed: int, seconds: float, show: Callable[[Crash], None] | None = None, most: int = 10**9) -> Result:
    """Run mutants for some seconds; each new kind of crash is shown once, minimised."""
    mutator = Mutator(seed, seeds())
    run_spec(mutator.texts[0])  # The grammar is read once, and by no case.
    result = Result()
    seen: set[str] = set()
    end = time.monotonic() + seconds
    while time.monotonic() < end and result.cases < most:
        text = mutator.mutant()
        result.cases += 1
        crash = crash_of(text, mutator.keep)
        if crash is None or crash.signature in seen:
            continue
        seen.add(crash.signature)
        crash = minimised(crash)
        result.crashes.append(crash)
        if show is not None:
            show(crash)
    return result


def _show(crash: Crash) -> None:
    print(f"=== {crash.signature}\n{crash.text}\n--- trace\n{crash.trace}", flush=True)


def main() -> int:
    """Fuzz for the time that the command line gives; return 1 if anything crashed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    os.chdir(ROOT)
    result = fuzz(arguments.seed, arguments.minutes * 60, _show)
    print(f"{result.cases} cases, {len(result.crashes)} kinds of crash")
    return 1 if result.crashes else 0


if __name__ == "__main__":
    sys.exit(main())
