"""A place in a TOML text, and what is passed over there: blanks, comments, the ends of lines."""

from __future__ import annotations

import re

from griddsl.source import Source

_BLANKS = re.compile(r"[ \t]*")
_COMMENT = re.compile(r"#([^\n]*)")


class WrongToml(Exception):
    """What is no TOML, and where; never leaves this room."""

    def __init__(
        self, start: int, end: int, reason: str, code: str = "toml-syntax", **fields: object
    ) -> None:
        super().__init__(reason)
        self.start, self.end, self.reason, self.code, self.fields = start, end, reason, code, fields
        self.help: str | None = None


class Cursor:
    """A place in a text."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = source.text
        self.whole = source.whole()
        self.at = 0

    def skip_blanks(self) -> None:
        """Pass over blanks."""
        match = _BLANKS.match(self.text, self.at)
        assert match is not None
        self.at = match.end()

    def comment(self) -> str:
        """Read a comment."""
        match = _COMMENT.match(self.text, self.at)
        assert match is not None
        self.at = match.end()
        words = match.group(1).rstrip()
        return f"# {words.lstrip()}" if words and words[0] not in "#!" else f"#{words}"

    def end_line(self) -> str:
        """Read to the end of the line; return its comment."""
        self.skip_blanks()
        comment = self.comment() if self.text.startswith("#", self.at) else ""
        if self.at < len(self.text):
            if self.text[self.at] != "\n":
                raise WrongToml(self.at, self.at + 1, f"found {self.shown()}, expected the end of the line")
            self.at += 1
        return comment

    def shown(self) -> str:
        """Return what stands here, as a message names it."""
        if self.at >= len(self.text):
            return "the end of the file"
        char = self.text[self.at]
        if char == "\n":
            return "the end of the line"
        return f"`{char}`" if char.isprintable() else f"the character U+{ord(char):04X}"

    def expect(self, sign: str) -> None:
        """Pass over blanks and a sign."""
        self.skip_blanks()
        if not self.text.startswith(sign, self.at):
            raise WrongToml(self.at, self.at + 1, f"found {self.shown()}, expected `{sign}`")
        self.at += len(sign)
