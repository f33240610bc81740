"""The application: verbs found by name and imported when asked for, and errors as words, never as tracebacks."""

from __future__ import annotations

import codecs
import functools
import gc
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from griddsl.cli.failures import BROKEN_PIPE, ERRORS, INTERRUPTED, Refusal, tell
from griddsl.cli.verbs import BY_NAME, SYNONYMS, VERBS, command_of, help_of
from griddsl.cli.wrong_options import VerbCommand
from griddsl.diagnostics import Refused

PATIENCE = 100_000  # while modules load there is no garbage, and looking for it takes a tenth of the start
CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 110}


class Verbs(TyperGroup):
    """The verbs of the table."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the verbs, in the order of the table."""
        return [verb.name for verb in VERBS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a verb's command, its module imported now; None for what is no verb."""
        if cmd_name not in BY_NAME:
            return None
        verb = BY_NAME[cmd_name]
        one = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
        text = help_of(verb)
        one.command(verb.name, cls=VerbCommand, help=text, short_help=verb.summary, context_settings=CONTEXT)(
            _guarded(command_of(verb))
        )
        return typer.main.get_command(one)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that the arguments start with, or refuse with near names."""
        if args and not args[0].startswith("-") and args[0] not in BY_NAME:
            tell(Refusal(f"there is no command `{args[0]}`", _verb_meant(args)))
            raise typer.Exit(2)
        return super().resolve_command(ctx, args)


def _verb_meant(args: list[str]) -> str:
    """Return what to type instead of something that is no verb: one that means it, a near one, or `run`."""
    from griddsl.diagnostics.suggest import listing, near

    if args[0].lower() in SYNONYMS:
        return f"did you mean `{' '.join(('griddsl', SYNONYMS[args[0].lower()], *args[1:]))}`?"
    if args[0].lower().endswith((".grid", ".toml")):
        return f"a verb stands before the file: `griddsl run {args[0]}`"
    if args[0] in SHELLS:
        return f"`--install-completion --shell {args[0]}` names the shell"
    if found := near(args[0], [*BY_NAME, *SYNONYMS]):
        return f"did you mean {listing(dict.fromkeys(SYNONYMS.get(word, word) for word in found))}?"
    from griddsl.registration.ids import spec_path

    if spec_path(args[0]) is not None:
        return f"a verb stands before the id: `griddsl run {args[0]}`"
    return "`griddsl --help` lists what there is"


SHELLS = ("bash", "zsh", "fish")

app = typer.Typer(
    cls=Verbs,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings=CONTEXT,
    help="A small language for grid environments: a spec of a few lines is a game, and a Gymnasium environment.\n\n"
    "Start with `griddsl run CliffWalking`, or `griddsl new MyWorld`.",
)


def _version(wanted: bool) -> None:
    if wanted:
        from griddsl import __version__

        typer.echo(f"griddsl {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def before_verbs(
    ctx: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
    install_completion: Annotated[
        bool,
        typer.Option("--install-completion", help="Let TAB complete verbs, options, ids and parameters."),
    ] = False,
    show_completion: Annotated[
        bool, typer.Option("--show-completion", help="Print the script that --install-completion installs.")
    ] = False,
    shell: Annotated[
        str | None,
        typer.Option(metavar="SHELL", help="Which shell: bash, zsh or fish.", show_default=False),
    ] = None,
) -> None:
    """Do what is asked for without a verb; without anything, show what verbs there are."""
    if install_completion or show_completion:
        _guarded(_complete)(install_completion, shell)
        raise typer.Exit
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())


def _complete(install: bool, shell: str | None) -> None:
    from griddsl.cli import completion

    meant = completion.shell_of(shell)
    if install:
        file = completion.install(meant)
        typer.echo(f"wrote {file}: start a new {meant} to complete with TAB", err=True)
    else:
        typer.echo(completion.SCRIPTS[meant], nl=False)


def main() -> None:
    """Run the command line; exits with 0, 1 for errors, 2 for a wrong use."""
    _open_streams()
    if "_GRIDDSL_COMPLETE" in os.environ:
        _answer_shell(os.environ["_GRIDDSL_COMPLETE"], sys.argv[1:])
        return
    gc.set_threshold(PATIENCE)
    # Pydantic would look through all installed packages for plugins, which takes longer than to check a spec.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    # Numpy would start threads for an algebra that no command uses: a quarter of the work of a short one.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        app(prog_name="griddsl")
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        _leave_pipe()
        sys.exit(BROKEN_PIPE)
    except OSError as error:  # where help cannot be written, which no command prints
        tell(error)
        _leave_pipe()
        sys.exit(ERRORS)


def _answer_shell(shell: str, words: list[str]) -> None:
    """Print what a shell may complete; nothing, whatever goes wrong, for nobody reads it."""
    from griddsl.cli.completion import answer

    with suppress(Exception):
        print(answer(shell, words[0] if words else "", before_verbs))


def _guarded(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command that tells of what goes wrong in words, and exits."""

    @functools.wraps(command)
    def guarded(*args: Any, **kwargs: Any) -> None:
        try:
            command(*args, **kwargs)
            sys.stdout.flush()
        except BrokenPipeError:
            _leave_pipe()
            raise typer.Exit(BROKEN_PIPE) from None
        except KeyboardInterrupt:
            raise typer.Exit(INTERRUPTED) from None
        except Refusal as refusal:
            tell(refusal)
            raise typer.Exit(refusal.code) from None
        except (Refused, OSError, EOFError, RecursionError, MemoryError) as error:
            tell(error)
            if isinstance(error, OSError):
                _leave_what_is_full()
            raise typer.Exit(ERRORS) from None

    return guarded


_TELLING = "griddsl.telling"
# Of all others the user has chosen what becomes of what cannot be said.
_STRICT = {"strict", "surrogateescape"}


def _told_as_far_as_it_goes(error: UnicodeError) -> tuple[bytes, int]:
    """Return what stands for a character that a stream cannot say: `?`, and for a name that is no text its byte."""
    assert isinstance(error, UnicodeEncodeError)
    code = ord(error.object[error.start])
    return bytes([code - 0xDC00]) if 0xDC80 <= code <= 0xDCFF else b"?", error.start + 1


def _open_streams() -> None:
    """Let the streams say what they can of any text; those that the process was started without lead nowhere.

    Python has None for them, and the system would give their numbers to the next files that are opened.
    """
    codecs.register_error(_TELLING, _told_as_far_as_it_goes)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nowhere = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 (as long as the process)
            setattr(sys, name, nowhere)
        elif isinstance(stream := getattr(sys, name), TextIOWrapper) and stream.errors in _STRICT:
            stream.reconfigure(errors="surrogateescape" if mode == "r" else _TELLING)


def _leave_what_is_full() -> None:
    """Forget what standard output cannot take, which would be told once more at the end of the process."""
    try:
        sys.stdout.flush()
    except OSError:
        _leave_pipe()


def _leave_pipe() -> None:
    """Let what is still to be written go nowhere, so that the end of the process is quiet."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
