"""Scores as SVG: a bar for each environment, a dot for each seed, and an interval where there is one."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape

WIDTH, LEFT, RIGHT, TOP, ROW = 640, 220, 20, 40, 24
_TEXT = 'font-family="sans-serif" font-size="12" fill="#444"'

# A name, the scores of its seeds, where its bar ends, and the ends of an interval.
Row = tuple[str, Sequence[float], float, tuple[float, float] | None]


def bars_svg(title: str, rows: Sequence[Row]) -> str:
    """Return a picture of scores, of which 0 and 1 are marked."""
    values: list[float] = [
        0.0,
        1.0,
        *(value for _, seeds, end, span in rows for value in (*seeds, end, *(span or ()))),
    ]
    low, high = min(values), max(values)
    height = TOP + ROW * len(rows) + 30

    def x(value: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * ((value - low) / (high - low))

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">',
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
        f'<text x="12" y="22" {_TEXT} font-weight="bold">{escape(title)}</text>',
    ]
    for mark in (0, 1):
        parts.append(
            f'<line x1="{x(mark):.1f}" x2="{x(mark):.1f}" y1="{TOP}" y2="{height - 26}" stroke="#bbb"/>'
            f'<text x="{x(mark):.1f}" y="{height - 10}" text-anchor="middle" {_TEXT}>{mark}</text>'
        )
    for number, (name, seeds, end, span) in enumerate(rows):
        y = TOP + ROW * number + ROW / 2
        parts.append(
            f'<text x="{LEFT - 10}" y="{y + 4:.1f}" text-anchor="end" {_TEXT}>{escape(name)}</text>'
            f'<rect x="{x(min(0.0, end)):.1f}" y="{y - 7:.1f}" width="{x(max(0.0, end)) - x(min(0.0, end)):.1f}" '
            'height="14" fill="#9dbfe0"/>'
        )
        if span is not None:
            parts.append(
                f'<line x1="{x(span[0]):.1f}" x2="{x(span[1]):.1f}" y1="{y}" y2="{y}" stroke="#222" stroke-width="2"/>'
            )
        parts += [f'<circle cx="{x(score):.1f}" cy="{y}" r="3" fill="#2465a8"/>' for score in seeds]
    return "\n".join([*parts, "</svg>"]) + "\n"
