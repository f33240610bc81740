"""A part of a board, for screens that are smaller than the board."""

from __future__ import annotations

from griddsl.render.scene import Scene


def around(scene: Scene, cell: int, width: int, height: int) -> Scene:
    """Return at most ``width`` x ``height`` cells of a scene, with ``cell`` as near to the middle as can be.

    Overlays are left out.
    """
    if scene.width <= width and scene.height <= height:
        return scene
    wide, high = max(1, min(width, scene.width)), max(1, min(height, scene.height))
    y, x = divmod(max(0, cell), scene.width)
    left = min(max(0, x - wide // 2), scene.width - wide)
    top = min(max(0, y - high // 2), scene.height - high)
    starts = [(top + row) * scene.width + left for row in range(high)]
    numbers = [start + column for start in starts for column in range(wide)]
    moved = {old: new for new, old in enumerate(numbers)}
    barriers = frozenset((moved[at], side) for at, side in scene.barriers if at in moved)
    return Scene(wide, high, tuple(scene.cells[number] for number in numbers), barriers)
