"""``griddsl train``: a first policy of a spec in one command."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from griddsl.cli.failures import ERRORS, INTERRUPTED, Refusal, note
from griddsl.cli.options import Level, Spec
from griddsl.cli.progress import BAR, SECONDS_BETWEEN, saying
from griddsl.cli.sources import find_spec, parse_params
from griddsl.cli.targets import check_target

EPISODES = 100


def command(
    spec: Spec,
    learner: Annotated[
        str, typer.Option("--with", metavar="LEARNER", help="tabular, sb3, cleanrl, rllib, or auto.")
    ] = "auto",
    steps: Annotated[int, typer.Option(min=1, help="The steps of the game to learn from.")] = 100_000,
    seed: Annotated[int, typer.Option(min=0, help="The seed: the same policy for the same seed.")] = 0,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="The policy file; by default NAME.policy."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from what the policy file holds, if it is there.")
    ] = False,
    address: Annotated[
        str | None,
        typer.Option(metavar="ADDR", help="Join a Ray cluster, with rllib.", show_default=False),
    ] = None,
    param: Annotated[
        list[str] | None,
        typer.Option(metavar="K=V", help="A parameter, or observation=FORM; may be repeated."),
    ] = None,
    level: Level = None,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="K=V", help="A setting of the learner, such as learning_rate=0.001."),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="OUT.svg", help="Draw the return by steps, and the optimum.")
    ] = None,
    gif: Annotated[
        Path | None, typer.Option(metavar="OUT.gif", help="Record an episode of the result.")
    ] = None,
    episodes: Annotated[int, typer.Option(min=1, help="Episodes that the result is judged by.")] = EPISODES,
) -> None:
    """Train a policy, say what it is worth, and write its file; what was written last stays where it is stopped."""
    path = find_spec(spec)
    params = parse_params(param or (), level)
    check_target(plot, ".svg")
    check_target(gif, ".gif")
    from griddsl.compiler import compiled
    from griddsl.training.scoring import optimum_of, score
    from griddsl.training.train import Wishes, checked, train_as_wished

    given = parse_params(setting or (), what="setting", example="--set learning_rate=0.001")
    target = output if output is not None else Path(f"{path.stem}.policy")
    wishes = Wishes(learner, steps, seed, target, resume, given, address)
    try:
        checked(path, params, wishes)  # first, for the search below can take minutes
    except ImportError as error:
        raise Refusal(str(error), code=ERRORS) from None
    with saying("looking for the optimum"):
        optimum, _ = optimum_of(compiled(path, **params))
    bar = _Bar(steps, optimum)
    started = time.perf_counter()
    try:
        trained = train_as_wished(path, params, wishes, bar)
    except KeyboardInterrupt:
        bar.clear()
        kept = f"; --resume goes on from what {target} holds" if target.exists() else ""
        note(f"stopped after {bar.done:,} of {steps:,} steps{kept}")
        raise typer.Exit(INTERRUPTED) from None
    finally:
        bar.clear()
    seconds = time.perf_counter() - started
    about = trained.about
    played = {**params, "observation": about.observation}
    with saying(f"playing {episodes:,} episodes"):
        found = score(trained.policy, compiled(path, **played), episodes=episodes, seed=seed + 1)
    rows = [
        ("spec", about.spec),
        ("learner", f"{about.learner}, {steps:,} steps in {seconds:.1f} s, seed {seed}"),
        ("observation", about.observation),
        *found.rows(),
    ]
    wide = max(len(name) for name, _ in rows)
    print("\n".join(f"{name:<{wide}}  {text}" for name, text in rows))
    note(f"wrote {target}")
    if plot is not None:
        from griddsl.files.writing import write
        from griddsl.training.curve import curve_svg

        write(plot, curve_svg(f"{about.spec}, {about.learner}", about.history, found.optimum))
        note(f"wrote {plot}")
    if gif is not None:
        record(path, played, trained.policy, seed + 1, gif)


def record(path: Path, params: dict[str, Any], policy: Any, seed: int, target: Path) -> None:
    """Write an episode that a policy plays as a GIF."""
    from griddsl.playing.policies import let_play
    from griddsl.playing.session import Session

    session = Session(path, params=params, seed=seed, records=True)
    let_play(session, dict.fromkeys(session.players, policy))
    while not session.moment.is_over and session.moment.step < 1000:
        session.act_by_itself()
    count = session.save_recording(target, 6.0)
    note(f"wrote {target} ({count} picture{'' if count == 1 else 's'})")


class _Bar:
    """A line on the terminal: how far, the return of late, and the optimum."""

    def __init__(self, steps: int, optimum: float | None) -> None:
        self.steps, self.done = steps, 0
        self._best = "" if optimum is None else f" of at most {optimum:.6g}"
        self._is_shown, self._last = sys.stderr.isatty(), 0.0

    def __call__(self, done: int, mean: float | None) -> None:
        self.done = done
        now = time.monotonic()
        if not self._is_shown or now - self._last < SECONDS_BETWEEN:
            return
        self._last = now
        filled = int(BAR * min(1.0, done / self.steps))
        told = "" if mean is None else f", return {mean:.6g}{self._best}"
        bar = "█" * filled + "░" * (BAR - filled)
        print(f"\r{bar} {done:,} of {self.steps:,} steps{told}", end="\x1b[K", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take the line away."""
        if self._is_shown and self._last:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
