"""The pipeline on one page: a text becomes a document, a spec, a program; nothing else happens here."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from griddsl.compiling.cache import Compiled, find, keep, name_of
from griddsl.diagnostics import Report

if TYPE_CHECKING:
    from griddsl.program.program import Program
    from griddsl.source import Source
    from griddsl.spec.models import GridSpec

AnySpec: TypeAlias = "str | os.PathLike[str] | GridSpec | Compiled"


def compile_spec(
    source: AnySpec, arguments: dict[str, Any], report: Report
) -> tuple[GridSpec | None, Program | None]:
    """Read, build and lower a spec; where a stage reports errors, the stages after it do not run."""
    from griddsl.syntax.reader import read_source

    if not isinstance(source, str | os.PathLike):
        model = source.model if isinstance(source, Compiled) else source
        return lower_spec(model.with_arguments(arguments), report)

    text = read_source(source, report)
    if text is None or report.has_errors:
        return None, None
    return compile_text(text, arguments, report)


def compile_text(
    text: Source, arguments: dict[str, Any], report: Report
) -> tuple[GridSpec | None, Program | None]:
    """Build and lower a spec whose text was read before; where it has errors, look for all that it has."""
    found = _compiled_once(text, arguments, report)
    if found[1] is None:
        from griddsl.compiling.mended import look_at_mended

        look_at_mended(text, report, lambda mended, said: _compiled_once(mended, arguments, said))
    return found


def _compiled_once(
    text: Source, arguments: dict[str, Any], report: Report
) -> tuple[GridSpec | None, Program | None]:
    from griddsl.spec.build import build
    from griddsl.syntax.reader import read_document

    folder = folder_of(text.name)
    document = read_document(text, report)
    spec = None if report.has_errors else build(document, report, folder)
    if spec is None:
        from griddsl.compiling.further import look_further

        look_further(document, arguments, report, folder)
        return None, None
    spec = spec.as_variant(text.variant).with_arguments(arguments)
    found = lower_spec(spec, report)
    if found[1] is None:
        from griddsl.compiling.further import look_behind

        look_behind(document, spec, report)
    return found


def lower_spec(spec: GridSpec, report: Report) -> tuple[GridSpec | None, Program | None]:
    """Lower a spec that was built before, with its parameters as they are."""
    from griddsl.lowering.lower import lower

    _check_level(spec, report)
    program = lower(spec, report)
    return (None, None) if program is None else (spec, program)


def _check_level(spec: GridSpec, report: Report) -> None:
    """Report a level that is asked for by name where there is none to choose: the map is generated."""
    wanted = spec.arguments.get("level")
    if spec.generate is None or spec.maps or wanted in {None, "random"}:
        return
    if all(declared.name != "level" for declared in spec.params):
        help = "its map is generated: parameters and the seed say how it is"
        report.add("unknown-level", spec.place("generate"), name=wanted, help=help)


def compiled(source: AnySpec, /, **params: Any) -> Compiled:
    """Return a spec as a program, with its model; raise `SpecError` where it has errors.

    A file that was compiled before, and is as it was then, is not compiled again: see `griddsl.compiling.cache`.
    """
    if isinstance(source, Compiled):
        if not params:
            return source
        source = source.model
    report = Report()
    name = None
    if isinstance(source, str | os.PathLike):
        from griddsl.syntax.reader import read_source

        text = read_source(source, report)
        report.raise_errors()
        assert text is not None
        name = name_of(text, params)
        if name is not None and (found := find(name)) is not None:
            return found
        spec, program = compile_text(text, params, report)
    else:
        spec, program = lower_spec(source.with_arguments(params), report)
    report.raise_errors()
    assert spec is not None and program is not None
    if name is not None:
        keep(name, spec, program, report)
    return Compiled(program, spec)


def folder_of(name: str) -> Path | None:
    """Return the folder of a source, by its name; None for a text."""
    from griddsl.source import is_file

    path = Path(name)
    return path.parent if path.suffix in {".grid", ".toml"} and is_file(path) else None
