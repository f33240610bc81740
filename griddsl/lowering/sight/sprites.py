"""Files beside a spec that its looks name."""

from __future__ import annotations

from griddsl.lowering.state.writer import Writer
from griddsl.spec.libraries import inside
from griddsl.syntax import nodes as n

TRIED_PIXELS = 8


def sprite_path(writer: Writer, item: n.LookItem) -> str | None:
    """Return the absolute path of a sprite's picture, in the spec's own folder."""
    path = inside(item.value, item.span, writer.world.spec.folder, writer.report)
    if path is None:
        return None
    writer.report.seek(str(path))
    if not path.is_file():
        writer.report.add(
            "unreadable", item.span, reason=f"there is no picture `{item.value}` in the spec's folder"
        )
        return None
    from griddsl.render.pictures import MOST_PIXELS, picture

    try:
        picture(str(path), TRIED_PIXELS)
    except ValueError:
        reason = f"`{item.value}` is not a whole picture of at most {MOST_PIXELS:,} pixels"
        help = "PNG, JPEG, GIF and WebP are read, whatever the name of the file"
        writer.report.add("unreadable", item.span, reason=reason, help=help)
        return None
    return str(path)
