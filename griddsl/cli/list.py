"""``griddsl list``: the registered specs."""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from griddsl.cli.paint import is_colored, paint
from griddsl.packages import installed

WIDTH = 100


def command(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List the registered specs."""
    from griddsl.registration import registered_specs

    records = [record_of(spec_id, path) for spec_id, path in sorted(registered_specs().items())]
    if as_json:
        print(json.dumps(records, indent=2, ensure_ascii=False))
        return
    color = is_colored(sys.stdout)
    print("\n\n".join("\n".join(_lines(record, color)) for record in records))


def record_of(spec_id: str, path: Path) -> dict[str, Any]:
    """Return what is known of a spec, in values of JSON; of one with errors how many there are."""
    from griddsl.compiler import compiled
    from griddsl.diagnostics import SpecError
    from griddsl.program.space_words import space_text

    try:
        ready = compiled(path)
        spec, program = ready.model, ready.program
    except SpecError as error:
        found = sum(diagnostic.is_error for diagnostic in error.diagnostics)
        return {"id": spec_id, "path": str(path), "package": _package(path), "errors": found}
    return {
        "id": spec_id,
        "path": str(path),
        "package": _package(path),
        "description": spec.description,
        "width": program.width,
        "height": program.height,
        "levels": [drawing.name for drawing in spec.maps if drawing.name],
        "agents": list(program.agent_names),
        "actions": [[action.name for action in group.actions] for group in program.groups],
        "observation": space_text(program),
        "params": _params(spec),
        "limit": program.limit,
    }


def _package(path: Path) -> str | None:
    """Return the name of the installed package of specs that a file comes from; None for others."""
    return next((each.name for each in installed().packages if path.is_relative_to(each.folder)), None)


def _params(spec: Any) -> dict[str, dict[str, Any]]:
    from griddsl.diagnostics import Report
    from griddsl.lowering.world.parameters import bind_params

    values, domains = bind_params(spec, Report())
    return {name: {"default": _plain(values[name]), "domain": str(domains[name])} for name in domains}


def _plain(value: Any) -> Any:
    """Return a fraction as a number of JSON."""
    if isinstance(value, bool | str):
        return value
    return int(value) if float(value).is_integer() else float(value)


def _lines(record: Mapping[str, Any], color: bool) -> list[str]:
    head = paint(record["id"], "bold", color)
    if "errors" in record:
        return [head, f"    {paint('has errors:', 'red', color)} griddsl check {record['path']}"]
    lines = [f"{head}  {record['width']} x {record['height']}"]
    lines += textwrap.wrap(record["description"], WIDTH, initial_indent="    ", subsequent_indent="    ")
    facts = {
        "package": record["package"],
        "actions": " + ".join(", ".join(group) for group in record["actions"]),
        "observes": record["observation"],
        "params": ", ".join(_param_text(name, param) for name, param in record["params"].items()),
        "levels": ", ".join(record["levels"]),
    }
    for label, text in facts.items():
        if text:
            lines.append(f"    {paint(f'{label:<9}', 'faint', color)}{text}")
    return lines


def _param_text(name: str, param: Mapping[str, Any]) -> str:
    default = param["default"]
    shown = f"{default:.4g}" if isinstance(default, float) else str(default)
    return f"{name}={shown.lower() if isinstance(default, bool) else shown} in {param['domain']}"
