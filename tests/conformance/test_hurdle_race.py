"""HurdleRace against its rules written out again: two runners, each on a track of its own."""

from __future__ import annotations

from tests.conformance.joint import Ours, draws

STEPS = 5000
RUN, JUMP = 0, 1


def next_places(x: int, hurdles: set[int], action: int) -> set[int]:
    """Return where a runner can be after an action."""
    if x == 10:
        return {10}
    if action == JUMP:
        return {x, x + 1} if x + 1 in hurdles else {x + 1}
    ahead = [cell for cell in (x + 1, x + 2) if cell <= 10]
    clear = [cell for place, cell in enumerate(ahead) if not hurdles & set(ahead[: place + 1])]
    return {max(clear, default=x)}


def test_hurdle_race__follows_its_rules() -> None:
    """Places, observations, rewards, ends and outcomes are those of the rules; nine jumps in ten clear a hurdle."""
    ours = Ours("hurdle_race")
    rng = draws(1)
    steps, tried, cleared = 0, 0, 0
    ended_as: dict[str, int] = {}
    while steps < STEPS:
        seen = ours.reset(steps)
        tracks = [{x for x, y in ours.things("hurdle").values() if y == track} for track in (0, 1)]
        for hurdles in tracks:
            assert [len(hurdles & pair) for pair in ({1, 2}, {4, 5}, {7, 8})] == [1, 1, 1] and len(
                hurdles
            ) == 3
        timid = steps % 3 == 0
        for step in range(1, 51):
            before = [x for x, _ in ours.places]
            assert list(seen.values()) == [
                int(x + 1 in track) for x, track in zip(before, tracks, strict=True)
            ]
            actions = [RUN, RUN] if timid else rng.integers(2, size=2).tolist()
            seen, rewards, ended, cut, infos = ours.step(actions)
            after = [x for x, _ in ours.places]
            for x, there, track, action in zip(before, after, tracks, actions, strict=True):
                assert there in next_places(x, track, action)
                if action == JUMP and x + 1 in track:
                    tried, cleared = tried + 1, cleared + (there == x + 1)
            home = [x == 10 for x in after]
            assert rewards == [float(home[0] - home[1]), float(home[1] - home[0])]
            assert ended == [any(home)] * 2 and cut == [step == 50] * 2
            steps += 1
            if any(home):
                outcome = "draw" if all(home) else "red_wins" if home[0] else "blue_wins"
                results = ["draw"] * 2 if all(home) else ["win", "loss"] if home[0] else ["loss", "win"]
                assert [info["outcome"] for info in infos.values()] == [outcome] * 2
                assert [info["result"] for info in infos.values()] == results
                ended_as[outcome] = ended_as.get(outcome, 0) + 1
                break
    assert min(ended_as.values()) > 5 and len(ended_as) == 3, ended_as
    assert abs(cleared / tried - 0.9) < 0.03, (cleared, tried)
