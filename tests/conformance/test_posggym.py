"""PredatorPrey, PursuitEvasion and Driving beside POSGGym's own models, joint step by joint step."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest

from griddsl.lowering.world.kinds import DEFAULT_LAYER
from tests.conformance.joint import Ours, draws, import_posggym

import_posggym()
dr: Any = importlib.import_module("posggym.envs.grid_world.driving")
pp: Any = importlib.import_module("posggym.envs.grid_world.predator_prey")
pe: Any = importlib.import_module("posggym.envs.grid_world.pursuit_evasion")

STEPS = 2000


# PredatorPrey


class Hunt:
    """Our PredatorPrey, whose prey go where theirs go."""

    def __init__(self, predators: int, strength: int) -> None:
        self.ours = Ours("predator_prey", predators=predators, strength=strength)
        self.theirs = pp.PredatorPreyModel("10x10", predators, 3, True, strength, 2)
        self.ours.replace("move__prey", self.follow)
        self.pending: dict[int, int] = {}

    def start(self, seed: int) -> dict[str, Any]:
        """Start an episode of ours; theirs takes its state over."""
        seen = self.ours.reset(seed)
        self.theirs.seed(seed)
        self.prey = self.ours.things("prey")
        self.state = pp.PPState(tuple(self.ours.places), tuple(self.prey.values()), (0, 0, 0))
        return seen

    def follow(self, s: Any, f: Any, r: Any, thing: int) -> None:
        """Stand in for a prey's move: with the first of them, all go where theirs went."""
        at, where = self.ours.offsets["OBJECT_CELL"], self.ours.offsets[("OBJECT_AT", DEFAULT_LAYER)]
        for prey in self.pending:
            s[where + s[at + prey]] = -1
        for prey, cell in self.pending.items():
            s[where + cell], s[at + prey] = prey, cell
        self.pending = {}

    def step(self, actions: Any) -> Any:
        """Take theirs first, then ours with the moves of their prey."""
        joint = {str(i): int(action) for i, action in enumerate(actions)}
        after = self.theirs.step(self.state, joint)
        self.pending = {
            prey: self.ours.cell(after.state.prey_coords[i])
            for i, prey in enumerate(self.prey)
            if not self.state.prey_caught[i]
        }
        before, self.state = self.state, after.state
        return before, after, self.ours.step(actions)


@pytest.mark.parametrize(("predators", "strength"), [(2, 2), (2, 1), (3, 2)])
def test_predator_prey__agrees_but_for_the_choice_of_its_prey(predators: int, strength: int) -> None:
    """Places, views, rewards and ends agree; where theirs lets two predators into one cell, the episode is left."""
    hunt = Hunt(predators, strength)
    rng = draws(1)
    steps, caught, cleared, left = 0, 0, 0, 0
    for episode in range(10_000):
        if steps >= STEPS:
            break
        check_views(hunt.start(episode), hunt.theirs.sample_initial_obs(hunt.state))
        for _ in range(49):
            before, after, (seen, rewards, ended, cut, infos) = hunt.step(chase(hunt, rng))
            places = after.state.predator_coords
            if len(set(places)) < predators:
                left += 1
                break
            where = f"episode {episode}, {before}"
            assert hunt.ours.places == list(places), where
            assert rewards == pytest.approx(list(after.rewards.values()), abs=1e-12), where
            assert ended == [after.all_done] * predators and not any(cut), where
            check_views(seen, after.observations)
            steps += 1
            caught += sum(after.state.prey_caught) - sum(before.prey_caught)
            if after.all_done:
                assert {info["outcome"] for info in infos.values()} == {"success"}
                cleared += 1
                break
    assert caught > 40 and cleared > 0
    assert left == 0 if predators == 2 else left < 200


def check_views(mine: dict[str, Any], theirs: dict[str, Any]) -> None:
    """Compare what each predator sees."""
    for view, seen in zip(mine.values(), theirs.values(), strict=True):
        assert view.flatten().tolist() == list(seen)


def chase(hunt: Hunt, rng: np.random.Generator) -> list[int]:
    """Return actions that go for the nearest prey half of the time, so that some are caught."""
    joint = []
    free = [
        spot for spot, gone in zip(hunt.state.prey_coords, hunt.state.prey_caught, strict=True) if not gone
    ]
    for x, y in hunt.state.predator_coords:
        px, py = min(free, key=lambda spot: abs(spot[0] - x) + abs(spot[1] - y))
        toward = [1] * (py < y) + [2] * (py > y) + [3] * (px < x) + [4] * (px > x)
        joint.append(int(rng.choice(toward)) if toward and rng.random() < 0.7 else int(rng.integers(5)))
    return joint


def test_predator_prey__flees_as_theirs_do() -> None:
    """From the same states our prey get as far from the nearest predator as theirs, but for the cells theirs avoid."""
    hunt = Hunt(2, 2)
    own = Ours("predator_prey")
    rng = draws(2)
    fled, alike = 0, 0
    for episode in range(60):
        hunt.start(episode)
        for _ in range(30):
            own.reset(0)
            own.env.set_state(hunt.ours.env.get_state())
            before, after, _ = hunt.step(chase(hunt, rng))
            own.step([0, 0])
            for index, prey in enumerate(hunt.prey):
                near = min(before.predator_coords, key=lambda c: distance(c, before.prey_coords[index]))
                gap = [abs(a - b) for a, b in zip(near, before.prey_coords[index], strict=True)]
                place = own.things("prey").get(prey)
                if before.prey_caught[index] or place is None or max(gap) > 2:
                    continue
                fled += 1
                alike += distance(near, place) == distance(near, after.state.prey_coords[index])
            if after.all_done:
                break
    assert fled > 1000
    assert alike / fled > 0.9, alike / fled


def distance(a: Any, b: Any) -> int:
    """Return the Manhattan distance of two cells."""
    return int(abs(a[0] - b[0]) + abs(a[1] - b[1]))


# PursuitEvasion

NORTH, EAST, SOUTH, WEST = range(4)
STEP = {NORTH: (0, -1), EAST: (1, 0), SOUTH: (0, 1), WEST: (-1, 0)}
# Their directions, in the order of ours: east, south, west, north.
COMPASS = [EAST, SOUTH, WEST, NORTH]


class Straight(pe.PEGrid):
    """Their maze, where an agent sees along the row or column that it faces rather than in a widening cone."""

    def get_fov(self, origin: Any, direction: Any, widening_increment: int, max_depth: int) -> Any:
        """Return the cells from an agent to the next wall, itself included."""
        seen, spot = {origin}, origin
        for _ in range(max_depth):
            spot = (spot[0] + STEP[direction][0], spot[1] + STEP[direction][1])
            if not self.coord_in_bounds(spot) or spot in self.block_coords:
                break
            seen.add(spot)
        return seen


def test_pursuit_evasion__agrees_but_for_the_width_of_sight() -> None:
    """Places, facings, walls, what is seen and heard, rewards and ends agree, where both see in a straight line."""
    ours = Ours("pursuit_evasion")
    theirs = pe.PursuitEvasionModel("16x16")
    theirs.grid.__class__ = Straight
    rng = draws(4)
    steps, outcomes, heard = 0, dict.fromkeys(("pursuer_wins", "evader_wins"), 0), 0
    for episode in range(10_000):
        if steps >= STEPS * 2 and min(outcomes.values()) >= 5:
            break
        seen = ours.reset(episode)
        state = taken_over(ours, theirs)
        assert state.evader_start_coord in theirs.grid.evader_start_coords
        assert state.pursuer_start_coord in theirs.grid.pursuer_start_coords
        assert state.evader_goal_coord in theirs.grid.get_goal_coords(state.evader_start_coord)
        check_chase(seen, theirs.sample_initial_obs(state))
        for step in range(1, 100):
            goal = homeward(theirs, state) if episode % 2 else int(rng.integers(4))
            joint = [
                int(rng.choice(4, p=[0.4, 0.1, 0.25, 0.25])),
                goal if rng.random() < 0.8 else int(rng.integers(4)),
            ]
            after = theirs.step(state, {"0": joint[1], "1": joint[0]})
            state = after.state
            seen, rewards, ended, cut, infos = ours.step(joint)
            where = f"episode {episode}, step {step}: {state}"
            assert ours.places == [state.pursuer_coord, state.evader_coord], where
            faced = [COMPASS[code] for code in ours.slot("FACING")]
            assert faced == [int(state.pursuer_dir), int(state.evader_dir)], where
            assert rewards == pytest.approx([after.rewards["1"], after.rewards["0"]], abs=1e-12), where
            assert ended == [after.all_done] * 2 and not any(cut), where
            check_chase(seen, after.observations)
            heard += after.observations["0"][0][5]
            steps += 1
            if after.all_done:
                outcome = infos["evader"]["outcome"]
                assert (outcome == "evader_wins") == (after.rewards["0"] > 0), where
                outcomes[outcome] += 1
                break
    assert min(outcomes.values()) >= 5 and heard > 50, (outcomes, heard, steps)


def taken_over(ours: Ours, theirs: Any) -> Any:
    """Return the state of theirs that ours starts in."""
    pursuer, evader = ours.places
    (flag,) = ours.things("flag").values()
    far = theirs.grid.get_shortest_path_distance(evader, flag)
    return pe.PEState(evader, pe.INITIAL_DIR, pursuer, pe.INITIAL_DIR, evader, pursuer, flag, far)


def homeward(theirs: Any, state: Any) -> int:
    """Return an action that brings the evader nearer to its goal."""
    for action in range(4):
        way = pe.ACTION_TO_DIR[action][state.evader_dir]
        there = theirs.grid.get_next_coord(state.evader_coord, way, ignore_blocks=False)
        far = [
            theirs.grid.get_shortest_path_distance(c, state.evader_goal_coord)
            for c in (there, state.evader_coord)
        ]
        if far[0] < far[1]:
            return action
    return 0


def check_chase(mine: dict[str, Any], theirs: dict[str, Any]) -> None:
    """Compare what either sees, hears and knows; their pursuer's blank goal is left out in ours."""
    for name, index in (("pursuer", "1"), ("evader", "0")):
        (*walls, seen, heard), evader, pursuer, goal = theirs[index]
        view = mine[name]
        assert view["walls"].tolist() == walls
        assert (view["seen"], view["heard"]) == (seen, heard)
        starts = [
            view["own_start"].tolist(),
            view["evader_start" if index == "1" else "pursuer_start"].tolist(),
        ]
        assert starts == ([list(pursuer), list(evader)] if index == "1" else [list(evader), list(pursuer)])
        if index == "0":
            assert view["goal"].tolist() == list(goal)


# Driving


class Order:
    """Stands in for their random stream: the cars go in the order in which ours went."""

    def __init__(self, order: list[int]) -> None:
        self.order = order

    def shuffle(self, cars: list[int]) -> None:
        """Put the cars into the order."""
        cars[:] = self.order


def test_driving__agrees() -> None:
    """What a car sees and knows, its reward and its end agree in every joint step, crashes and arrivals included."""
    ours = Ours("driving")
    theirs = dr.DrivingModel("14x14RoundAbout", 2, (3, 1, 1))
    rng = draws(6)
    steps, crashes, arrivals, hit_first = 0, 0, 0, 0
    for episode in range(10_000):
        if steps >= STEPS * 2 and min(crashes, arrivals) >= 20:
            break
        seen = ours.reset(episode)
        state = parked(ours, theirs)
        done = [False, False]
        check_cars(seen, theirs.sample_initial_obs(state), done)
        together = episode % 3 == 0
        for step in range(1, 51):
            joint = [drive(theirs, state, car, rng, together) for car in range(2)]
            seen, rewards, ended, cut, _ = ours.step(joint)
            theirs._rng = Order(ours.slot("ORDER"))
            before, after = state, theirs.step(state, {str(car): action for car, action in enumerate(joint)})
            state = after.state
            where = f"episode {episode}, step {step}: {before} {joint} {state}"
            assert ours.places == [car.coord for car in state], where
            for car in range(2):
                if done[car]:
                    continue
                assert rewards[car] == pytest.approx(after.rewards[str(car)], abs=1e-12), where
                assert ended[car] == after.terminations[str(car)], where
                assert cut[car] == (step == 50), where
                crashes += state[car].crashed
                arrivals += state[car].dest_reached
            first = [was_hit_first(before, state, car, ours.slot("ORDER")) for car in range(2)]
            hit_first += sum(first)
            check_cars(
                seen, after.observations, [gone or early for gone, early in zip(done, first, strict=True)]
            )
            done = [bool(car.crashed or car.dest_reached) for car in state]
            steps += 1
            if after.all_done:
                break
    assert min(crashes, arrivals) >= 20 and hit_first > 0, (crashes, arrivals, hit_first, steps)


def was_hit_first(before: Any, state: Any, car: int, order: list[int]) -> bool:
    """Whether a car was hit before its turn: theirs then forgets what its driver did, which ours shows it at last."""
    return bool(
        not before[car].crashed and state[car].crashed and order[-1] == car and state[1 - car].crashed
    )


def parked(ours: Ours, theirs: Any) -> Any:
    """Return the state of theirs that ours starts in."""
    goals = [*ours.things("ann_goal").values(), *ours.things("bob_goal").values()]
    cars = []
    for car, (spot, goal) in enumerate(zip(ours.places, goals, strict=True)):
        assert spot in theirs.grid.start_coords[car] and goal in theirs.grid.dest_coords[car]
        far = theirs.grid.get_shortest_path_distance(spot, goal)
        cars.append(dr.VehicleState(spot, dr.INIT_DIR, dr.INIT_SPEED, goal, 0, 0, far, far))
    assert cars[0].coord != cars[1].coord and cars[0].dest_coord != cars[1].dest_coord
    return tuple(cars)


def drive(theirs: Any, state: Any, car: int, rng: np.random.Generator, together: bool) -> int:
    """Return an action that drives to the goal, or (``together``) to the other car, and sometimes any."""
    me = state[car]
    if rng.random() < 0.15:
        return int(rng.integers(5))
    goal = state[1 - car].coord if together else me.dest_coord
    best, chosen = None, 0
    for action in range(5):
        speed = theirs.get_next_speed(action, me.speed)
        way = theirs.get_move_direction(action, speed, me.facing_dir)
        there, _, _ = theirs._get_next_coord(me.coord, speed, way, {})
        far = ways(theirs, goal).get(there, 99) + 0.1 * (speed != 2) + 0.01 * float(rng.random())
        if best is None or far < best:
            best, chosen = far, action
    return chosen


WAYS: dict[Any, Any] = {}


def ways(theirs: Any, goal: Any) -> Any:
    """Return the length of the way to a place from every other."""
    if goal not in WAYS:
        WAYS[goal] = theirs.grid.dijkstra(goal)
    return WAYS[goal]


def check_cars(mine: dict[str, Any], theirs: dict[str, Any], left_out: list[bool]) -> None:
    """Compare what either driver sees and knows."""
    for car, name in enumerate(("ann", "bob")):
        if left_out[car]:
            continue
        road, speed, place, goal, arrived, crashed = theirs[str(car)]
        view = mine[name]
        assert view["road"].flatten().tolist() == list(road)
        assert view["speed"] == int(speed) - 1
        assert (view["place"].tolist(), view["goal"].tolist()) == (list(place), list(goal))
        assert (view["arrived"], view["crashed"]) == (arrived, crashed)
