"""``griddsl replay``: what was recorded in a page, played again and compared with the recording, bit for bit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from griddsl.cli.failures import ERRORS, Refusal, harmless, note
from griddsl.cli.sources import find_spec
from griddsl.cli.targets import check_target

if TYPE_CHECKING:
    from griddsl.render.scene import Scene
    from griddsl.web.recordings import Episode, Recording, Replayed

FPS = 4.0


def command(
    recordings: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Recordings that pages saved or posted (JSON).")
    ],
    spec: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC",
            help="The spec that was played; else the one of the recording's id.",
            show_default=False,
        ),
    ] = None,
    transcript: Annotated[
        bool, typer.Option("--transcript", help="Print every step, with the board.")
    ] = False,
    record: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the game as a .gif picture.", show_default=False),
    ] = None,
    fps: Annotated[float, typer.Option(min=0.1, max=50, help="Steps a second of the picture.")] = FPS,
    as_json: Annotated[bool, typer.Option("--json", help="Say what is found as JSON.")] = False,
) -> None:
    """Play recordings again and verify each step; exits with 1 where one does not agree."""
    from griddsl.web.recordings import read_recording

    check_target(record, ".gif", ".png")
    scenes: list[Scene] = []
    results: list[dict[str, Any]] = []
    for path in recordings:
        _refuse_plays(path)
        recording = read_recording(path)
        source = find_spec(spec) if spec is not None else _spec_of(recording, path)
        if not recording.episodes and not as_json:
            print(harmless(f"{path}: no episode was played"))
        for number, episode in enumerate(recording.episodes, 1):
            found = _verified(source, episode, scenes if record is not None else None, transcript)
            results.append({"file": str(path), "episode": number, "seed": episode.seed, **found})
            if not as_json:
                print(harmless(_line(results[-1])))
    if as_json:
        print(json.dumps(results, indent=2))
    if record is not None and scenes:
        from griddsl.playing.recording import Recording as Pictures

        frames = Pictures(scenes).save(record, fps)
        note(f"wrote {record} ({frames} frames)")
    wrong = sum(not result["verified"] for result in results)
    if wrong:
        raise Refusal(f"{wrong} of {len(results)} episodes did not agree", code=ERRORS)


def _refuse_plays(path: Path) -> None:
    """Refuse what `griddsl run --save` wrote, which is played again elsewhere."""
    from griddsl.training.plays import holds_plays

    if holds_plays(path):
        raise Refusal(
            f"{path} holds plays of `griddsl run --save`, and here recordings of pages are played again",
            f"in Python `griddsl.replay({str(path)!r})` plays one; `griddsl dataset` makes a dataset of them",
        )


def _spec_of(recording: Recording, path: Path) -> Path:
    """Return the spec that a recording names: a file beside it, or a registered id."""
    beside = path.parent / Path(recording.source).name
    if recording.source and beside.is_file():
        return beside
    try:
        return find_spec(recording.id)
    except Refusal:
        raise Refusal(
            f"{path} was played with `{recording.id}`, which is no registered id",
            f"`griddsl replay {path} --spec {Path(recording.source).name or 'FILE'}` names its file",
        ) from None


def _verified(source: Path, episode: Episode, scenes: list[Scene] | None, transcript: bool) -> dict[str, Any]:
    """Play an episode again; return what is found, gather its pictures, and print its steps where that is wanted."""
    from griddsl.web.recordings import Mismatch, is_changed, opened, replayed

    score = [0.0]
    history: list[list[float]] = []
    found: dict[str, Any] = {
        "steps": len(episode.steps),
        "outcome": episode.outcome,
        "verified": True,
        "reason": "",
    }
    try:
        for moment in replayed(source, episode):
            if moment.undone:
                score = history.pop()
            elif moment.action is not None:
                history.append(score)
                score = [
                    a + b
                    for a, b in zip(
                        score * (len(moment.rewards) if len(score) == 1 else 1), moment.rewards, strict=True
                    )
                ]
            if scenes is not None:
                scenes.append(moment.env.scene())
            if transcript:
                print("\n".join(_lines(moment, score)))
    except Mismatch as reason:
        changed = is_changed(opened(source, episode), episode)
        found |= {"verified": False, "reason": f"{reason}{'; the spec has changed since' if changed else ''}"}
    found["score"] = score[0] if len(score) == 1 else score
    found["seconds"] = (episode.steps[-1].time_ms if episode.steps else 0) / 1000
    return found


def _lines(moment: Replayed, score: list[float]) -> list[str]:
    from griddsl.playing.moments import number_text
    from griddsl.render.ansi import to_text

    what = (
        "taken back"
        if moment.undone
        else "start"
        if moment.action is None
        else f"action {json.dumps(moment.action)}"
    )
    rewards = "" if moment.action is None else f", reward {', '.join(map(number_text, moment.rewards))}"
    told = f", score {', '.join(map(number_text, score))}" if moment.number else ""
    ending = f", {moment.outcome}" if moment.outcome else ""
    board = [f"    {line}".rstrip() for line in to_text(moment.env.scene()).splitlines()]
    return [f"{moment.number}: {what}{rewards}{told}{ending}", *board]


def _line(found: dict[str, Any]) -> str:
    from griddsl.playing.moments import number_text

    scores = found["score"] if isinstance(found["score"], list) else [found["score"]]
    head = f"{found['file']}: episode {found['episode']} (seed {found['seed']}): "
    steps = f"{found['steps']} step{'' if found['steps'] == 1 else 's'} in {found['seconds']:.1f} s"
    outcome = found["outcome"] or "not over"
    verdict = "verified" if found["verified"] else f"NOT verified: {found['reason']}"
    return f"{head}{steps}, {outcome}, score {', '.join(map(number_text, scores))}: {verdict}"
