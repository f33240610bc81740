"""Warnings about arithmetic: what is reckoned in another order than it is read in."""

from __future__ import annotations

import re
from dataclasses import replace

from griddsl.diagnostics import write
from griddsl.lowering.state.writer import Writer
from griddsl.spec.clauses import clauses_of
from griddsl.syntax import nodes as n

_UNBRACKETED = re.compile(r"(.*\S\s*[+-]\s*[\d.]+)\s+((?:mod|div)\s+[\d.]+)", re.DOTALL)


def reckoned_first(writer: Writer) -> None:
    """`t = t + 1 mod 4` adds 1, as `1 mod 4` is reckoned first: a sum is meant, in brackets."""
    spec = writer.world.spec
    said = set[int]()
    for node in clauses_of(spec):
        match node:
            case n.Arithmetic("+" | "-", _, n.Arithmetic("mod" | "div", n.Number(), n.Number()) as part):
                pass
            case _:
                continue
        whole, first = (replace(each.span, through=()) for each in (node, part))
        written = _UNBRACKETED.fullmatch(whole.text)
        if whole.source is not spec.source or whole.start in said or written is None:
            continue
        said.add(whole.start)
        help = write(f"({written[1]}) {written[2]}", place=whole)
        writer.report.add("reckoned-first", first, part=first.text, help=help)
