"""Missions: what their names are at the moment, single and in a batch, also where a text that was chosen has names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import griddsl
from griddsl.envs.wording import Wordings

SPEC = """
env: test/Errand-v0
param site: shed in shed | barn
var lamp: off in off | on
var paces: 0 in 0..9
map:
    @..
setup:
    choose thing in ball | box
actions: left, right, switch, done
mission: "with the lamp {lamp}, take the {thing} to the {site}" if paces < 2 else "{paces} paces: enough" if lamp is on else "go on"
observe tuple: cell, mission
each step:
    if self.action is switch: lamp becomes on
    if self.action is right: paces += 1
limit: 8 steps
"""


def _expected(env: Any) -> str:
    """Say the mission by its definition, from the names that an environment tells one by one."""
    lamp, thing, paces = (env.value_of(name) for name in ("lamp", "thing", "paces"))
    if int(paces) < 2:
        return f"with the lamp {lamp}, take the {thing} to the barn"
    return f"{paces} paces: enough" if lamp == "on" else "go on"


@pytest.mark.parametrize("backend", ["python", "auto"])
def test_missions__are_what_the_names_say_in_every_step(backend: str) -> None:
    """An environment, its observation and those of a batch agree with the definition, over many episodes."""
    env: Any = griddsl.make(SPEC, site="barn", backend=backend)
    batch = griddsl.make_vec(SPEC, 3, site="barn", backend=backend)
    env.reset(seed=4)
    batch.reset(seed=[4, 5, 6])
    draw, said = np.random.default_rng(0), set()
    for _ in range(60):
        actions = draw.integers(0, 4, 3)
        seen, _, terminated, truncated, _ = env.step(int(actions[0]))
        missions = batch.step(actions)[0][1]
        assert env.mission() == seen[1] == missions[0] == _expected(env)
        said |= set(missions)
        if terminated or truncated:
            seen, _ = env.reset()
            missions = batch.step(actions)[0][1]
            assert seen[1] == missions[0] == _expected(env)
    assert {"go on", "2 paces: enough", "with the lamp on, take the box to the barn"} <= said
    assert len({text for text in said if "ball" in text}) == 2


PLAIN = SPEC.replace(
    SPEC[SPEC.index("mission: ") : SPEC.index("observe")], 'mission: "{paces} {lamp} {site}"\n'
)


def _place(env: Any, name: str) -> int:
    found = next(info for info in env.program.names if info.name == name)
    return int(env.program.layout.offsets[found.slot])


def test_places__are_those_that_the_mission_depends_on() -> None:
    """What the mission never names does not count, and a parameter is no number of the state."""
    env: Any = griddsl.make(PLAIN)
    assert env.wording.places == (_place(env, "paces"), _place(env, "lamp"))
    env.reset(seed=0)
    assert env.mission() == "0 off shed"
    cliff: Any = griddsl.make("CliffWalking")
    assert cliff.wording.places == () and cliff.mission() == (cliff.program.mission or "")


def test_what_is_remembered__has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Missions of many numbers do not fill the memory."""
    monkeypatch.setattr("griddsl.envs.wording._MOST_REMEMBERED", 3)
    wording = griddsl.make(PLAIN).wording
    assert [wording.of((paces, 1)) for paces in range(10)] == [f"{paces} on shed" for paces in range(10)]
    assert len(wording._said) <= 3


def test_wordings__put_only_what_changed_into_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many games those are asked anew whose numbers are others than before."""
    wording: Any = griddsl.make(PLAIN).wording
    asked: list[tuple[int, ...]] = []

    def said(numbers: tuple[int, ...]) -> str:
        asked.append(numbers)
        return str(numbers)

    monkeypatch.setattr(wording, "of", said)
    many = Wordings(wording)
    first = many.of(np.array([[0, 1], [2, 0]]))
    assert first == ("(0, 1)", "(2, 0)") and many.of(np.array([[0, 1], [2, 0]])) == first
    assert many.of(np.array([[0, 1], [3, 0]])) == ("(0, 1)", "(3, 0)") and first == ("(0, 1)", "(2, 0)")
    assert asked == [(0, 1), (2, 0), (3, 0)]


@pytest.mark.parametrize("backend", ["native", "table"])
def test_missions__are_read_where_a_backend_keeps_the_state(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Words ask for a few numbers; the whole state, which may be thousands, is not fetched for them."""
    if backend == "native":
        pytest.importorskip("numba")
    spec = SPEC if backend == "native" else SPEC.replace("observe tuple: cell, mission", "observe: cell")
    env: Any = griddsl.make(spec, site="barn", backend=backend)
    single = env.unwrapped._single
    env.reset(seed=4)
    for action in (3, 1, 2, 1, 0):
        env.step(action)
        words = _expected(env)
        with monkeypatch.context() as patched:
            patched.setattr(type(single), "take", lambda *_: pytest.fail("the whole state was fetched"))
            assert env.mission() == words
    assert words == "2 paces: enough"


@pytest.mark.parametrize(("given", "told"), [(2.5, "2.5"), (0.1, "0.1"), (1 / 3, "1/3"), (3, "3")])
def test_parameter__is_told_as_a_decimal_where_it_is_one(given: float, told: str) -> None:
    """Whatever the fraction is that it is held as."""
    text = SPEC.replace("param site: shed in shed | barn", "param site: 2.5 in 0.0..9.0")
    assert griddsl.make(text, site=given).reset(seed=0)[0][1].endswith(f"to the {told}")
