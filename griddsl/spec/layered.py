"""Layered maps: `map ground:` and `map objects:` are two layers of one level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from griddsl.diagnostics import Label, Report
from griddsl.spec.models import Drawing

GROUND, OBJECTS = "ground", "objects"


def layered(maps: Sequence[Drawing], report: Report) -> tuple[Drawing, ...]:
    """Return the maps with what lies on the ground as a layer of it, where both are drawn; else as they are."""
    named = {drawing.name: drawing for drawing in maps}
    ground, objects = named.get(GROUND), named.get(OBJECTS)
    if ground is None or objects is None:
        return tuple(maps)
    for drawing in maps:
        if drawing is not ground and drawing is not objects:
            name = f"`map {drawing.name}`" if drawing.name else "`map` without a name"
            where = "beside `map ground` and `map objects`, which are two layers of one level"
            labels = [Label(ground.span, "the ground"), Label(objects.span, "what lies on it")]
            report.add("wrong-place", drawing.span, what=name, where=where, labels=labels)
    if objects.walled:
        where = "for `map objects`: walls between cells are drawn with the ground"
        report.add("wrong-place", objects.span, what="`walled`", where=where)
    return (replace(ground, name=None, over=objects),)
