"""Rooms: each open spec with its text, its game, and the tabs that look at it. What a tab asks, and what it is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from secrets import token_hex
from typing import Any, TypeAlias

from griddsl.diagnostics import Refused
from griddsl.source import Contents, Source
from griddsl.web.studio.completing import completions
from griddsl.web.studio.documents import Document
from griddsl.web.studio.folder import Changed, Folder
from griddsl.web.studio.painting import painted, resized
from griddsl.web.studio.reading import colours, drawn_maps, problems
from griddsl.web.studio.solving import Question
from griddsl.web.studio.stage import Stage

Message: TypeAlias = dict[str, Any]
LONGEST = 1_000_000  # characters of a text that is edited here


@dataclass
class Room:
    """An open spec."""

    document: Document
    stage: Stage
    found: list[dict[str, Any]] = field(default_factory=list)
    life: str = field(
        default_factory=lambda: token_hex(8)
    )  # another one in each process, which has versions of its own


class Rooms:
    """All open specs of a folder."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.rooms: dict[str, Room] = {}

    def open(self, name: str) -> Room:
        """Return the room of a spec, read from the disk where it was not open."""
        if name not in self.rooms:
            text, digest = self.folder.read(name)
            stage = Stage(self.folder.path(name), self.contents)
            room = Room(Document(name, text, digest), stage)
            self.rooms[name] = room
            self._look(room)
        return self.rooms[name]

    def contents(self) -> Contents:
        """Return the texts that are not saved, by path: what other specs use of them counts as it is here."""
        return {
            self.folder.path(name): room.document.text.encode()
            for name, room in self.rooms.items()
            if room.document.is_dirty
        }

    def unsaved(self) -> list[str]:
        """Return the names of the specs whose text is not the file's."""
        return [name for name, room in self.rooms.items() if room.document.is_dirty]

    def do(self, name: str, message: Message) -> list[Message]:
        """Do what a tab asks of a spec, and return what all tabs that look at it are told.

        Raises `Refused` for what cannot be done, and then nothing was.
        """
        room = self.open(name)
        what = message.get("do")
        if what in _TEXT:
            before = room.document.version
            _TEXT[what](self, room, message)
            if room.document.version != before:
                self._look(room)
                return [self.told(room), self.view(room)]
            return [self.told(room)]
        if what in _GAME:
            seen = {"is": "view", "name": name, **_GAME[what](room.stage, message)}
            # Other tabs have the same parameters to choose.
            settings = {"is": "settings", "name": name, **room.stage.settings()}
            return [settings, seen] if what == "choose" else [seen]
        if what == "complete":
            return [self.offered(room, message)]
        raise Refused(f"the studio does not know {str(what)[:40]!r}")

    def question(self, name: str) -> Question:
        """Return what is asked where the game of a spec is to be solved."""
        return self.open(name).stage.question()

    def is_of(self, name: str, question: Question) -> bool:
        """Whether a question is still about the game of a spec."""
        session = self.open(name).stage.session
        return session is not None and session.program is question.program

    def offered(self, room: Room, message: Message) -> Message:
        """Return what may stand at a place of a text that is being typed."""
        text, at = _text(message, "text"), _number(message, "at")
        if len(text) > LONGEST:
            raise Refused("the text is too long to complete in")
        offered = completions(room.stage.path, text, at, self.contents())
        return {"is": "offered", "name": room.document.name, "at": at, "offered": offered}

    def follow(self) -> list[tuple[str, list[Message]]]:
        """Look at the files of open specs: take what others saved, or say that both have changed."""
        told: list[tuple[str, list[Message]]] = []
        for name, room in self.rooms.items():
            document = room.document
            digest = self.folder.digest(name)
            if not digest or digest == document.on_disk:
                continue
            if document.is_dirty:
                if not document.is_contested:
                    document.is_contested = True
                    told.append((name, [self.told(room)]))
                continue
            try:
                text, digest = self.folder.read(name)
            except Refused:
                continue
            document.take_from_disk(text, digest)
            self._look(room)
            told.append((name, [self.told(room), self.view(room)]))
        return told

    def _look(self, room: Room) -> None:
        """Check the text, and let the game follow it."""
        if len(room.document.text) > LONGEST:
            raise Refused(f"texts of more than {LONGEST:,} characters are edited elsewhere")
        contents = {**self.contents(), room.stage.path: room.document.text.encode()}
        room.found = problems(room.stage.path, room.document.name, contents)
        if not any(each["error"] for each in room.found) or room.stage.session is None:
            room.stage.follow()

    def told(self, room: Room) -> Message:
        """Return what is to be said of a text."""
        document = room.document
        source = Source(str(room.stage.path), document.text)
        return {
            "is": "text",
            "name": document.name,
            "version": document.version,
            "life": room.life,
            "disk": document.on_disk,
            "text": document.text,
            "dirty": document.is_dirty,
            "contested": document.is_contested,
            "colours": colours(document.name, document.text),
            "problems": room.found,
            "maps": drawn_maps(source),
            **room.stage.settings(),
        }

    def view(self, room: Room) -> Message:
        """Return what is to be shown of a game."""
        return {"is": "view", "name": room.document.name, **room.stage.view()}

    # What is done to a text

    def edit(self, room: Room, message: Message) -> None:
        """Take in a text that somebody typed."""
        text = _text(message, "text").replace("\r\n", "\n")
        if len(text) > LONGEST:
            raise Refused(f"texts of more than {LONGEST:,} characters are edited elsewhere")
        room.document.edit(_number(message, "base"), text, typed=bool(message.get("typed")))
        disk = message.get("disk")
        if isinstance(disk, str) and room.document.is_dirty:
            room.document.contest(disk)

    def undo(self, room: Room, message: Message) -> None:
        """Take the last change of the text back."""
        room.document.undo()

    def redo(self, room: Room, message: Message) -> None:
        """Make a change again."""
        room.document.redo()

    def paint(self, room: Room, message: Message) -> None:
        """Paint cells of a map."""
        cells = message.get("cells")
        if not isinstance(cells, list) or not all(
            isinstance(each, list) and len(each) == 3 for each in cells
        ):
            raise Refused("cells are painted as [x, y, glyph]")
        given = [(int(x), int(y), str(glyph)) for x, y, glyph in cells]
        source = Source(str(room.stage.path), room.document.text)
        room.document.edit(room.document.version, painted(source, _number(message, "map"), given))

    def resize(self, room: Room, message: Message) -> None:
        """Give a map another size."""
        source = Source(str(room.stage.path), room.document.text)
        width, height = _number(message, "width"), _number(message, "height")
        room.document.edit(room.document.version, resized(source, _number(message, "map"), width, height))

    def save(self, room: Room, message: Message) -> None:
        """Write the file; where somebody else has changed it meanwhile, only if that is ``forced``."""
        document = room.document
        expected = None if message.get("forced") else document.on_disk
        try:
            document.take_saved(self.folder.write(document.name, document.text, expected))
        except Changed:
            document.is_contested = True

    def take(self, room: Room, message: Message) -> None:
        """Take the text that lies on the disk; what was here can be got back by undo."""
        room.document.take_from_disk(*self.folder.read(room.document.name))


def _text(message: Message, key: str) -> str:
    value = message.get(key)
    if not isinstance(value, str):
        raise Refused(f"`{key}` is no text")
    return value


def _number(message: Message, key: str) -> int:
    value = message.get(key)
    if not isinstance(value, int) or isinstance(value, bool):
        raise Refused(f"`{key}` is no number")
    return value


def _played(do: Callable[[Stage, Message], None]) -> Callable[[Stage, Message], Message]:
    def play(stage: Stage, message: Message) -> Message:
        do(stage, message)
        return stage.view()

    return play


def _choose(stage: Stage, message: Message) -> None:
    params, level = message.get("params"), message.get("level")
    if not isinstance(params, dict) or not (level is None or isinstance(level, str)):
        raise Refused("parameters are given by name")
    stage.choose({str(name): str(value) for name, value in params.items()}, level or None)


_TEXT: dict[Any, Callable[[Rooms, Room, Message], None]] = {
    "edit": Rooms.edit,
    "undo": Rooms.undo,
    "redo": Rooms.redo,
    "paint": Rooms.paint,
    "resize": Rooms.resize,
    "save": Rooms.save,
    "take": Rooms.take,
}
_GAME: dict[Any, Callable[[Stage, Message], Message]] = {
    "look": lambda stage, message: stage.view(_number(message, "moment")),
    "act": _played(lambda stage, message: stage.act(_number(message, "seat"), _number(message, "action"))),
    "random": _played(lambda stage, message: stage.at_random()),
    "back": _played(lambda stage, message: stage.undo()),
    "restart": _played(lambda stage, message: stage.restart(None)),
    "seed": _played(lambda stage, message: stage.restart(_number(message, "seed"))),
    "choose": _played(_choose),
    "resets": lambda stage, message: {"resets": stage.resets(_number(message, "first"))},
}
