"""``griddsl run``: play a spec, in a window, in the terminal or on paper."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from enum import StrEnum
from importlib import util
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from griddsl.cli.failures import Refusal, note
from griddsl.cli.options import Level, Params, Spec
from griddsl.cli.sources import find_spec, parse_params
from griddsl.cli.targets import check_target
from griddsl.diagnostics import listing

if TYPE_CHECKING:
    from griddsl.playing.player import Player
    from griddsl.playing.session import Session
    from griddsl.playing.traced import Move, Seat

MOST_RANDOM_STEPS = 100
MOST_VALUES = 6  # of an action, that are listed one by one
JOINT = "+"
# A comma or a line's end that stands in no brackets: `mark(2, 1), swap((0, 1), (1, 1))`.
_SEPARATOR = re.compile(r"[,\n](?![^()]*(?:\([^()]*\)[^()]*)*\))")


class View(StrEnum):
    """Where a game is shown."""

    auto = "auto"
    window = "window"
    terminal = "terminal"
    text = "text"


def command(
    spec: Spec,
    actions: Annotated[
        str | None, typer.Option(metavar="A,B,...", help="Print what these actions do: names or numbers.")
    ] = None,
    random: Annotated[bool, typer.Option("--random", help="Print what random actions do.")] = False,
    steps: Annotated[int | None, typer.Option(min=1, help="The most steps that are printed.")] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="The seed; by default any.", show_default=False)
    ] = None,
    param: Params = None,
    level: Level = None,
    policy: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Watch a policy: a file of `griddsl train`, MODULE:NAME or FILE.py:NAME."
        ),
    ] = None,
    transfer: Annotated[
        bool, typer.Option("--transfer", help="Watch a policy that was trained in another game.")
    ] = False,
    save: Annotated[
        Path | None,
        typer.Option(metavar="PLAYS.jsonl", help="Add the game, as seed and actions, to a file of plays."),
    ] = None,
    record: Annotated[
        Path | None, typer.Option(metavar="OUT", help="Save the game: all of it (.gif), or its end (.png).")
    ] = None,
    speed: Annotated[
        float, typer.Option(min=0.1, max=60, help="Moves a second, where it plays by itself.")
    ] = 4.0,
    view: Annotated[View, typer.Option(help="Where the game is shown.")] = View.auto,
    window: Annotated[
        bool, typer.Option("--window", help="Open a window, also where output is piped: `--view window`.")
    ] = False,
    highlight: Annotated[
        bool, typer.Option(help="Darken what no agent sees, where agents see a part of the board only.")
    ] = True,
    opponents: Annotated[
        list[str] | None,
        typer.Option(
            "--with",
            metavar="AGENT=WHO",
            help="Who plays an agent: `random`, `keys`, or a policy, MODULE:NAME or FILE.py:NAME. May be repeated.",
        ),
    ] = None,
) -> None:
    """Play a spec; where no person watches, print a transcript of given or random actions."""
    path = find_spec(spec)
    params = parse_params(param or (), level)
    view = View.window if window else view
    if actions is not None and random:
        raise Refusal("`--actions` and `--random` exclude each other")
    if record is not None:
        from griddsl.playing.recording import ENDINGS

        check_target(record, *ENDINGS)
    if save is not None:
        check_target(save)
        from griddsl.training.plays import check_plays

        check_plays(save)
    from griddsl.playing.policies import let_play
    from griddsl.playing.session import Session

    policies, humans = _opponents(opponents or ())
    watched, params = (None, params) if policy is None else _watched(policy, path, params, transfer)
    session = Session(path, params=params, seed=seed, records=record is not None)
    _check_agents(session, [*policies, *humans])
    if save is not None and len(session.players) > 1:
        said = f"a play is of one agent, and {session.program.id} is played by {listing(list(session.players), 'and')}"
        raise Refusal(said, "`--record game.gif` keeps the pictures of a game of several")
    if watched is not None:
        policies = {name: watched for name in session.players if name not in humans} | policies
        humans = humans or dict.fromkeys(session.players, False)
    let_play(session, policies)
    if actions is not None or random or view is View.text:
        moves = _moves(session, actions) if actions is not None else _random(session, steps)
        _print(session, moves, steps)
    else:
        from griddsl.playing.player import Player

        playing = [name for name, plays in humans.items() if plays] if humans else None
        _play(Player(session, path, speed, humans=playing, highlight=highlight), view)
    if save is not None:
        from griddsl.training.plays import add_play

        add_play(save, path, params, session.seed, [moment.move for moment in session.moments[1:]])
        note(f"added a play of {session.moment.step} steps to {save}")
    if record is not None:
        count = session.save_recording(record, speed)
        note(f"wrote {record} ({count} picture{'' if count == 1 else 's'})")


def _play(player: Player, view: View) -> None:
    session = player.session
    view = _view() if view is View.auto else view
    if view is View.text:
        _print(session, _random(session, None), None)
    elif view is View.window:
        from griddsl.playing.window import play_in_window
        from griddsl.render.window import display_available

        if not display_available() and not _is_dummy():
            raise Refusal("there is no display to open a window on", "`--view terminal` plays here", 1)
        play_in_window(player)
    else:
        if not _is_terminal():
            raise Refusal(
                "standard input and output are no terminal", "`--random` or `--actions` print a transcript"
            )
        if not _reads_keys():
            raise Refusal("the terminals of this system give no single keys", "`--view window` plays here")
        from griddsl.playing.terminal import play_in_terminal

        play_in_terminal(player)
        print(f"{session.program.id}: {session.moment.step} steps, seed {session.seed}")


def _view() -> View:
    """Return where to play: on paper where nobody sits before a terminal, else in a window if one can be seen."""
    if not _is_terminal():
        return View.text
    from griddsl.render.window import display_available

    if display_available():
        return View.window
    return View.terminal if _reads_keys() else View.text


def _reads_keys() -> bool:
    """Whether keys can be read one by one from a terminal, which takes what Windows has not."""
    return util.find_spec("termios") is not None


def _is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _is_dummy() -> bool:
    """Whether windows were asked to be drawn where nobody sees them, as tests do."""
    import os

    return os.environ.get("SDL_VIDEODRIVER", "") == "dummy"


# On paper


def _print(session: Session, moves: Iterable[Move], steps: int | None) -> None:
    from itertools import islice

    from griddsl.playing.transcript import transcript, write

    write(transcript(session, islice(moves, steps)), sys.stdout.write)


def _random(session: Session, steps: int | None) -> Iterable[Move]:
    from griddsl.playing.transcript import random_moves

    return random_moves(session, steps or MOST_RANDOM_STEPS)


def _moves(session: Session, text: str) -> Iterable[Move]:
    """Return the moves of ``up,up,right``; actions of several seats are joined by ``+``. `-` is standard input.

    Where agents take turns, a move may be that of the one whose turn it is.
    """
    given = sys.stdin.read() if text == "-" else text
    words = [word.strip() for word in _SEPARATOR.split(given) if word.strip()]
    moves = [_move(session, word) for word in words]
    return (move if isinstance(move, tuple) else _in_turn(session, move) for move in moves)


def _move(session: Session, word: str) -> Move | list[str]:
    """Return a move; the actions of one agent alone as they are written, because whose turn it is shows in play."""
    seats, parts = session.seats, [part.strip() for part in word.split(JOINT)]
    if len(parts) == len(seats):
        return tuple(_number(seat, part) for seat, part in zip(seats, parts, strict=True))
    takes_turns = session.program.turns == "alternate"
    own = [seat for seat in seats if seat.agent == seats[0].agent]
    if takes_turns and len(parts) == len(own):
        return parts
    shape = JOINT.join(seat.group.actions[0].name for seat in (own if takes_turns else seats))
    whose = "group" if len({seat.agent for seat in seats}) == 1 else "agent"
    whose = "the agent whose turn it is" if takes_turns else f"each {whose}, joined by `{JOINT}`"
    reason = f"`{word}` is no move of this spec"
    if any(
        _without_blanks(word) == _without_blanks(each.name) for seat in seats for each in seat.group.actions
    ):
        reason = f"`{word}` is one action, and a move of this spec has {len(own if takes_turns else seats)}"
    raise Refusal(reason, f"write one action of {whose}: `{shape}`")


def _in_turn(session: Session, parts: list[str]) -> Move:
    """Return the move in which the agent whose turn it is does this; what the others would do does not count."""
    found, moving = [0] * len(session.seats), session.env.seats_to_move()
    for number, part in zip(moving, parts, strict=False):
        found[number] = _number(session.seats[number], part)
    return tuple(found)


def _number(seat: Seat, word: str) -> int:
    names = [action.name for action in seat.group.actions]
    plain = [_without_blanks(name) for name in names]
    if _without_blanks(word) in plain:
        return plain.index(_without_blanks(word))
    if word.isdigit() and len(word) < 10 and int(word) < len(names):
        return int(word)
    from griddsl.diagnostics.suggest import did_you_mean, listing

    help = _of_its_values(seat, word) or did_you_mean(word, names)
    if len(word.split()) > 1 and {*word.split()} <= {*names}:
        help = f"actions are separated by commas: `{','.join(word.split())}`"
    raise Refusal(f"there is no action `{word}`", help or f"actions: {listing(names, 'and', 20)}")


def _of_its_values(seat: Seat, word: str) -> str | None:
    """Say what an action takes that is named with other values, or with none; None for what is no such action."""
    from griddsl.diagnostics.suggest import listing

    name = re.match(r"\s*(\w+)\s*(?=\(|\Z)", word)
    values = [each.name for each in seat.group.actions if name and each.name.startswith(f"{name[1]}(")]
    if name is None or not values:
        return None
    plain = [_without_blanks(each) for each in values]
    parts = [_without_blanks(each) for each in re.findall(r"\w+\s*\([^()]*(?:\([^()]*\)[^()]*)*\)", word)]
    if len(parts) > 1 and set(parts) <= set(plain):
        return f"actions are separated by commas: `{', '.join(values[plain.index(each)] for each in parts)}`"
    if len(values) <= MOST_VALUES:
        return f"it is one of {listing(values)}"
    return f"it is one of {len(values):,}, from `{values[0]}` to `{values[-1]}`"


def _without_blanks(name: str) -> str:
    """Return an action's name without blanks; a cell that it takes alone without brackets of its own."""
    return re.sub(r"\(\(([^()]*)\)\)", r"(\1)", "".join(name.split()))


# Who plays


def _watched(name: str, path: Path, params: dict[str, Any], transfer: bool) -> tuple[Any, dict[str, Any]]:
    """Return the policy that is watched, and the parameters with which the spec shows what it observes."""
    from griddsl.cli.policies import policy_of

    if name in {"random", "optimal"}:
        raise Refusal(f"`--policy {name}` is for `griddsl evaluate`", "`--random` plays at random")
    try:
        return policy_of(name, path, params, transfer)
    except ImportError as error:
        raise Refusal(str(error), code=1) from None


def _opponents(given: Iterable[str]) -> tuple[dict[str, Any], dict[str, bool]]:
    """Return the policies of agents, and for those that have none whether keys move them."""
    policies: dict[str, Any] = {}
    others: dict[str, bool] = {}
    for text in given:
        agent, sign, who = text.partition("=")
        if not sign or not agent or not who:
            raise Refusal(f"`--with {text}` names no agent and who plays it", "write `--with blue=random`")
        if who in {"random", "keys"}:
            others[agent] = who == "keys"
        else:
            from griddsl.playing.policies import load_policy_object

            policies[agent] = load_policy_object(who)
    return policies, others


def _check_agents(session: Session, names: Iterable[str]) -> None:
    from griddsl.diagnostics.suggest import did_you_mean, listing

    for name in names:
        if name not in session.players:
            players = listing(session.players, "and", 20)
            raise Refusal(
                f"there is no agent `{name}`", did_you_mean(name, session.players) or f"agents: {players}"
            )
