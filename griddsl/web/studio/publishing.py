"""What the studio gives away of a spec: a page that plays it, a module, the program, a picture."""

from __future__ import annotations

from griddsl.backends.javascript.emit import Unsuitable, module
from griddsl.compiler import compiled
from griddsl.diagnostics import Refused
from griddsl.program.form import to_json
from griddsl.render import to_svg
from griddsl.source import unsaved
from griddsl.web.studio.rooms import Rooms

TYPES = {
    "html": "text/html",
    "js": "text/javascript",
    "json": "application/json",
    "svg": "image/svg+xml",
}


def published(rooms: Rooms, name: str, form: str) -> tuple[bytes, str]:
    """Return what a spec is in a form, ``html``, ``js``, ``json`` or ``svg``, with its type.

    Raises `Refused` for another form, and for a spec that has errors or cannot be given in it.
    """
    if form not in TYPES:
        raise Refused(f"there is no form {form!r}: {', '.join(TYPES)}")
    room = rooms.open(name)
    stage = room.stage
    with unsaved(rooms.contents()):
        ready = compiled(stage.path, **stage.given())
    try:
        if form == "html":
            from griddsl.web.page import page

            text = page(ready)
        elif form == "svg":
            assert stage.session is not None
            text = to_svg(stage.session.scene)
        else:
            text = module(ready.program) if form == "js" else to_json(ready.program, with_paths=False)
    except Unsuitable as reason:
        raise Refused(f"{ready.program.id} cannot be one: {reason}") from None
    return text.encode(), TYPES[form]
