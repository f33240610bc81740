"""Completion in shells: what may follow on a command line, and the scripts that let bash, zsh and fish ask for it.

The scripts run ``griddsl`` itself, with `ASKED` in the environment and the line up to the cursor as its argument; what
is printed is a candidate a line, in the form that the shell reads.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from griddsl.cli.failures import Refusal
from griddsl.cli.verbs import BY_NAME, VERBS, command_of
from griddsl.files.writing import write

ASKED = "_GRIDDSL_COMPLETE"
ENDINGS = (".grid", ".toml")
MOST_FILES = 2_000
BASH = f"""\
_griddsl_completion() {{
    local IFS=$'\\n'
    COMPREPLY=($({ASKED}=bash "$1" "${{COMP_LINE:0:COMP_POINT}}" 2>/dev/null))
    if [[ ${{#COMPREPLY[@]}} == 1 && ${{COMPREPLY[0]}} == *[=/,] ]]; then compopt -o nospace; fi
}}
complete -F _griddsl_completion griddsl
"""
ZSH = f"""\
#compdef griddsl
_griddsl() {{
    local -a closed open
    local line
    while IFS= read -r line; do
        case "${{line%%:*}}" in
            *=|*/|*,) open+=("$line") ;;
            *) closed+=("$line") ;;
        esac
    done < <({ASKED}=zsh griddsl "$LBUFFER" 2>/dev/null)
    (( ${{#closed}} )) && _describe griddsl closed
    (( ${{#open}} )) && _describe griddsl open -S ''
    return 0
}}
compdef _griddsl griddsl
"""
FISH = f"""\
complete --command griddsl --no-files --arguments '(env {ASKED}=fish griddsl (commandline -cp) 2>/dev/null)'
"""
SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}


@dataclass(frozen=True, slots=True)
class Candidate:
    """What may stand in place of the word at the cursor, and a word on it."""

    text: str
    meaning: str = ""


def answer(shell: str, line: str, alone: Callable[..., None]) -> str:
    """Return the candidates for the end of a line, one a line, as a shell reads them.

    ``alone`` is the function whose options stand before any verb.
    """
    words = split(line)
    found = list(candidates(words, alone))
    if shell == "bash":
        # Its words end at `=` too, and only what follows that is replaced.
        before = words[-1].rpartition("=")[:2]
        start = len("".join(before))
        return "\n".join(shlex.quote(each.text[start:]) for each in found if each.text[start:])
    if shell == "zsh":
        return "\n".join(f"{each.text.replace(':', chr(92) + ':')}:{each.meaning}" for each in found)
    return "\n".join(f"{each.text}\t{each.meaning}" for each in found)


def split(line: str) -> list[str]:
    """Return the words of a line after the command; the last is the one at the cursor, perhaps empty."""
    try:
        words = shlex.split(line)
    except ValueError:  # a quote that is still open
        words = line.replace('"', " ").replace("'", " ").split()
    if not line or line[-1].isspace():
        words.append("")
    return words[1:] or [""]


@dataclass(frozen=True, slots=True)
class _Parameter:
    """An option or an argument of a verb: what it is called, and what its values are."""

    name: str
    options: tuple[str, ...]
    is_flag: bool
    many: bool
    choices: tuple[str, ...]
    metavar: str
    meaning: str


def candidates(words: Sequence[str], alone: Callable[..., None]) -> Iterator[Candidate]:
    """Yield what may stand in place of the last word; the others are the verb and what follows it."""
    *before, last = words
    verb = next((word for word in before if not word.startswith("-")), None)
    if verb is None:
        yield from _starting(last, (Candidate(each.name, each.summary) for each in VERBS))
        yield from _options(_parameters(alone), before, last)
        return
    if verb in BY_NAME:
        yield from _of_verb(_parameters(command_of(BY_NAME[verb])), before[before.index(verb) + 1 :], last)


def _of_verb(parameters: list[_Parameter], before: Sequence[str], last: str) -> Iterator[Candidate]:
    named = {name: each for each in parameters for name in each.options}
    given, pending = _given(before, named)
    name, equals, value = last.partition("=")
    if pending is not None:
        yield from _values(pending, last, given)
    elif equals and name in named:
        for each in _values(named[name], value, given):
            yield Candidate(f"{name}={each.text}", each.meaning)
    elif last.startswith("-"):
        yield from _options(parameters, before, last)
    else:
        place = next((each for each in parameters if not each.options), None)
        if place is not None and (place.many or "spec" not in given):
            yield from _values(place, last, given)


def _given(before: Sequence[str], named: dict[str, _Parameter]) -> tuple[dict[str, str], _Parameter | None]:
    """Return what stands in place of names so far, and the option whose value is to come, if one is."""
    given: dict[str, str] = {}
    pending = None
    for word in before:
        if pending is not None:
            given[pending.name], pending = word, None
        elif word in named:
            pending = None if named[word].is_flag else named[word]
        elif not word.startswith("-"):
            given.setdefault("spec", word)
    return given, pending


def _values(parameter: _Parameter, last: str, given: dict[str, str]) -> Iterator[Candidate]:
    """Yield the values of an option or argument."""
    if parameter.choices:
        yield from _starting(last, (Candidate(word) for word in parameter.choices))
    elif not parameter.options and parameter.metavar in {"SPEC", "FILE"}:
        yield from _ids(last)
        yield from _files(last, ENDINGS)
    elif parameter.name == "param":
        yield from _starting(last, _params(given.get("spec"), last))
    elif parameter.name == "level":
        yield from _starting(last, (Candidate(name) for name in _levels(given.get("spec"))))
    elif parameter.name == "actions":
        done, comma, rest = last.rpartition(",")
        for name in _actions(given.get("spec")):
            if name.startswith(rest):
                yield Candidate(f"{done}{comma}{name}")
    elif parameter.name == "fail_on":
        from griddsl.diagnostics import CODES

        yield from _starting(last, (Candidate(code, row.meaning) for code, row in CODES.items()))
    elif re.match("FILE|OUT|FOLDER", parameter.metavar):
        yield from _files(last)


def _starting(last: str, found: Iterable[Candidate]) -> Iterator[Candidate]:
    return (each for each in found if each.text.startswith(last))


def _options(parameters: Iterable[_Parameter], before: Sequence[str], last: str) -> Iterator[Candidate]:
    """Yield the options that may still be given, where the word starts like one."""
    if last.startswith("-"):
        for each in parameters:
            if each.many or not set(each.options) & set(before):
                long = [name for name in each.options if name.startswith("--")]
                yield from _starting(last, (Candidate(name, each.meaning) for name in long))
        yield from _starting(last, [Candidate("--help", "Show what there is.")])


def _parameters(command: Callable[..., None]) -> list[_Parameter]:
    """Return the parameters of a command, from its signature."""
    hints = get_type_hints(command, include_extras=True)
    return [
        _parameter(name, *get_args(hint)[:2]) for name, hint in hints.items() if get_origin(hint) is Annotated
    ]


def _parameter(name: str, kind: Any, info: Any) -> _Parameter:
    kinds = {kind, *get_args(kind)}
    inner = next((each for each in kinds if isinstance(each, type) and issubclass(each, Enum)), None)
    many = list[str] in kinds or get_origin(kind) is list
    is_argument = type(info).__name__ == "ArgumentInfo"
    plain = f"--{name.replace('_', '-')}"
    first = info.default if isinstance(info.default, str) else ""  # where typer keeps the first of the names
    names = tuple(each for each in (first, *(info.param_decls or ())) if each.startswith("-"))
    options = () if is_argument else names or (plain,)
    choices = () if inner is None else tuple(str(each.value) for each in inner)
    return _Parameter(name, options, bool in kinds, many, choices, info.metavar or "", info.help or "")


# What specs offer


def _ids(last: str) -> Iterator[Candidate]:
    """Yield the registered ids: whole where a namespace was begun, else short."""
    from griddsl.registration.ids import registered_specs

    for spec_id in sorted(registered_specs()):
        namespace, _, name = spec_id.rpartition("/")
        short = re.sub(r"-v0$", "", name)
        shown = spec_id if "/" in last else short
        if shown.startswith(last):
            yield Candidate(shown, namespace)


def _files(last: str, endings: Sequence[str] = ()) -> Iterator[Candidate]:
    """Yield the folders, and the files that end so, which a path begins."""
    folder, _, name = last.rpartition("/")
    root = f"{folder}/" if "/" in last else ""
    try:
        with os.scandir(Path(root).expanduser()) as entries:
            found = sorted(
                (each.name, each.is_dir()) for each, _ in zip(entries, range(MOST_FILES), strict=False)
            )
    except OSError:
        return
    for each, is_folder in found:
        if not each.startswith(name) or (each.startswith(".") and not name.startswith(".")):
            continue
        if is_folder or not endings or each.endswith(tuple(endings)):
            yield Candidate(f"{root}{each}{'/' if is_folder else ''}")


def _params(name: str | None, last: str) -> Iterator[Candidate]:
    """Yield `name=` for each parameter of a spec, or, behind that, what its domain lists."""
    spec = _spec(name)
    for each in spec.params if spec is not None else ():
        from griddsl.syntax import nodes as n
        from griddsl.syntax.printer import to_text

        domain = "" if each.domain is None else to_text(each.domain)
        if not last.startswith(f"{each.name}="):
            default = "" if each.default is None else to_text(each.default)
            yield Candidate(f"{each.name}=", f"{default} in {domain}" if domain else default)
        elif isinstance(each.domain, n.ChoiceDomain):
            yield from (Candidate(f"{each.name}={to_text(value)}") for value in each.domain.values)
        elif each.domain is None:
            yield from (Candidate(f"{each.name}={value}") for value in ("true", "false"))
        elif each.default is not None:
            yield Candidate(f"{each.name}={to_text(each.default)}", domain)


def _levels(name: str | None) -> list[str]:
    spec = _spec(name)
    names = [] if spec is None else [drawing.name for drawing in spec.maps if drawing.name]
    return [*names, "random"] if names else []


def _actions(name: str | None) -> list[str]:
    spec = _spec(name)
    if spec is None:
        return []
    return [item.name for group in spec.actions for item in group.items if hasattr(item, "name")]


def _spec(name: str | None) -> Any:
    """Return the model of the spec that the line names; None where there is none to be read."""
    from griddsl.compiler import compile_text
    from griddsl.diagnostics import Report
    from griddsl.loading import resolve
    from griddsl.syntax.reader import read_source

    if name is None:
        return None
    report = Report()
    source = read_source(Path(resolve(name)), report)
    return None if source is None else compile_text(source, {}, report)[0]


# Scripts


def shell_of(wanted: str | None) -> str:
    """Return the shell that is meant: by name, else that of the user."""
    shell = wanted or Path(os.environ.get("SHELL", "")).name
    if shell not in SCRIPTS:
        found = f"there is no completion for `{shell}`" if shell else "which shell? SHELL is not set"
        raise Refusal(found, f"add `--shell NAME`: {', '.join(SCRIPTS)}")
    return shell


def install(shell: str) -> Path:
    """Write a shell's script where the shell finds it; return the file."""
    home = Path.home()
    if shell == "fish":
        settings = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
        return _written(settings / "fish" / "completions" / "griddsl.fish", FISH)
    if shell == "zsh":
        file = _written(home / ".zfunc" / "_griddsl", ZSH)
        folder = Path(os.environ.get("ZDOTDIR") or home)
        lines = f"autoload -Uz compinit && compinit\nsource {shlex.quote(str(file))}"
        _add_line(folder / ".zshrc", lines)
        return file
    file = _written(home / ".bash_completions" / "griddsl.sh", BASH)
    _add_line(home / ".bashrc", f"source {shlex.quote(str(file))}")
    return file


def _written(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    write(file, text)
    return file


def _add_line(file: Path, line: str) -> None:
    """Add a line to a file of settings, once."""
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    if line not in text:
        write(file, f"{text}{'' if not text or text.endswith(chr(10)) else chr(10)}{line}\n")
