"""The canonical text of what is observed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from griddsl.syntax import nodes as n
from griddsl.syntax.printer.binding import Level, chance_text, if_text, text_at, to_text, where_text


def _code(node: n.Code) -> str:
    return f"{text_at(node.kind, Level.POSTFIX)} {to_text(node.number)}"


def _cells_for(node: n.CellsFor) -> str:
    others = f" | {to_text(node.others)}" if node.others is not None else ""
    return f"{to_text(node.cell)} for {to_text(node.over)}{where_text(node.where)}{others}"


def _form(node: n.Form) -> str:
    entries = ", ".join(to_text(entry) for entry in node.entries)
    return f"as {node.name} ({entries})" if entries else f"as {node.name}"


def _view(node: n.ViewShape) -> str:
    cone = "" if node.cone is None else " cone" if node.cone.value == 1 else f" cone {node.cone.text}"
    occluded = cone + (" occluded" if node.occluded else "")
    if node.reach is not None:
        ahead, behind, aside = (text_at(part, Level.SUM) for part in node.reach)
        return f"ahead {ahead} behind {behind} aside {aside}{occluded}"
    anchor = f" {node.anchor}" if node.anchor != "ahead" else ""
    return f"{node.width}x{node.height}{anchor}{occluded}"


def _rays(node: n.Rays) -> str:
    reach = f" within {text_at(node.reach, Level.SUM)}" if node.reach is not None else ""
    kinds = ", ".join(to_text(kind) for kind in node.hits)
    hits = f" of {f'({kinds})' if len(node.hits) > 1 else kinds}" if node.hits else ""
    return f"rays {text_at(node.count, Level.SUM)}{reach}{hits}"


def _observe_item(node: n.ObserveItem) -> str:
    name = f"{node.name} = " if node.name else ""
    noise = f"{chance_text(node.chance)} else {to_text(node.noise)}" if node.noise is not None else ""
    return f"{name}{_sight(node)}{noise}"


def _sight(node: n.ObserveItem) -> str:
    form = f" {to_text(node.form)}" if node.form is not None else ""
    if node.what == "value":
        return f"{to_text(node.value)}{form}"
    if node.rays is not None:
        return to_text(node.rays)
    if node.what == "position":
        return f"position of {to_text(node.value)}{form}"
    what = f"view {to_text(node.view)}" if node.view is not None else node.what
    return what + (f" {to_text(node.value)}" if node.value is not None else form)


def _seen_as(node: n.SeenAs) -> str:
    return f"{text_at(node.kind, Level.POSTFIX)} seen as {to_text(node.appearance)}{if_text(node.condition)}"


TEXTS: dict[type, Callable[[Any], str]] = {
    n.Code: _code,
    n.CellsFor: _cells_for,
    n.Form: _form,
    n.ViewShape: _view,
    n.Rays: _rays,
    n.ObserveItem: _observe_item,
    n.SeenAs: _seen_as,
}
