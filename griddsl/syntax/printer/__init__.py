"""Printer: from nodes to their canonical text, with no bracket that can be left out."""

from griddsl.syntax.printer import effects, expressions, items, observations
from griddsl.syntax.printer.binding import INDENT, PRINTERS, effects_to_text, quoted, to_text

for _room in (expressions, effects, items, observations):
    PRINTERS.update(_room.TEXTS)

__all__ = ["INDENT", "effects_to_text", "quoted", "to_text"]
