"""A learning curve as SVG: the return by steps, and the optimum as a dashed line where it is known."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 640, 360, 70, 46, 34, 18
_TEXT = 'font-family="sans-serif" font-size="12" fill="#444"'


def curve_svg(title: str, rows: Sequence[tuple[int, float, int]], optimum: float | None = None) -> str:
    """Return a picture of rows (steps, mean return, episodes)."""
    values = [mean for _, mean, _ in rows] + ([] if optimum is None else [optimum])
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    margin = (high - low) * 0.08 or 1.0
    low, high = low - margin, high + margin
    last = max((step for step, _, _ in rows), default=1)

    def x(step: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * step / last

    def y(value: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (high - low)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{LEFT}" y="20" {_TEXT} font-weight="bold">{escape(title)}</text>',
    ]
    for part in range(5):
        value = low + (high - low) * part / 4
        parts.append(
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}" stroke="#e5e5e5"/>'
            f'<text x="{LEFT - 8}" y="{y(value) + 4:.1f}" text-anchor="end" {_TEXT}>{value:.4g}</text>'
        )
        step = last * part / 4
        parts.append(
            f'<text x="{x(step):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle" {_TEXT}>{step:,.0f}</text>'
        )
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(f'<text x="{middle}" y="{HEIGHT - 8}" text-anchor="middle" {_TEXT}>steps</text>')
    if optimum is not None:
        parts.append(
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(optimum):.1f}" y2="{y(optimum):.1f}" '
            'stroke="#c0392b" stroke-dasharray="6 4"/>'
            f'<text x="{WIDTH - RIGHT}" y="{y(optimum) - 5:.1f}" text-anchor="end" {_TEXT}>optimum {optimum:.6g}</text>'
        )
    points = " ".join(f"{x(step):.1f},{y(mean):.1f}" for step, mean, _ in rows)
    parts.append(f'<polyline points="{points}" fill="none" stroke="#2465a8" stroke-width="2"/>')
    return "\n".join([*parts, "</svg>"]) + "\n"
