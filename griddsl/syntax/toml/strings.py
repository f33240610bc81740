"""The texts of TOML in their four forms; each character of one remembers where it stands."""

from __future__ import annotations

import re
from array import array as packed_array

from griddsl.source import CONTROL, Fragment, Span
from griddsl.syntax.toml.cursor import Cursor, WrongToml
from griddsl.syntax.toml.tree import String

MOST_ESCAPED = 100_000
_PLAIN_BASIC = re.compile(r'[^"\\\n]+')
_PLAIN_BASIC_LINES = re.compile(r'[^"\\]+')
_PLAIN_LITERAL = re.compile(r"[^'\n]*")
_CONTINUED = re.compile(r"\\[ \t]*\n[ \t\n]*")
_OPEN = "this text is not closed"
_ESCAPES = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", '"': '"', "\\": "\\"}
LINE = re.compile(r"(?<=\n)(?=\[|[A-Za-z0-9_-]+[ \t]*=|\"[^\"\n]*\"[ \t]*=)")


class Strings(Cursor):
    """Reads texts."""

    def not_closed(self, start: int, reason: str = _OPEN) -> WrongToml:
        """Return what is wrong with a text of several lines that has no end, and above which line that may be."""
        wrong = WrongToml(start, start + 3, reason)
        following = LINE.search(self.text, start)
        if following is not None:
            line = self.source.position(following.start())[0]
            wrong.help = f"close it with `{self.text[start : start + 3]}` above line {line}"
        return wrong

    def string(self) -> String:
        """Read a text in any of its forms."""
        start = self.at
        quote = self.text[start]
        if self.text.startswith(quote * 3, start):
            fragment = self.lines(quote)
        elif quote == "'":
            fragment = self.literal_string()
        else:
            fragment = self.basic_string(1, _PLAIN_BASIC)
        return String(fragment, Span(self.source, start, self.at))

    def literal_string(self) -> Fragment:
        """Read a text in single quotes, in which nothing is escaped."""
        start = self.at
        match = _PLAIN_LITERAL.match(self.text, start + 1)
        assert match is not None
        if not self.text.startswith("'", match.end()):
            raise WrongToml(start, match.end(), _OPEN)
        self.at = match.end() + 1
        return self.whole.slice(start + 1, match.end())

    def lines(self, quote: str) -> Fragment:
        """Read a string of several lines; a line end right after the opening quotes is no part of it."""
        start = self.at
        first = 4 if self.text.startswith("\n", start + 3) else 3
        if quote == '"':
            return self.basic_string(3, _PLAIN_BASIC_LINES, first)
        end = self.text.find("'''", start + first)
        if end < 0:
            raise self.not_closed(start)
        end += self.quotes_before_closing("'", end)
        self.at = end + 3
        return self.whole.slice(start + first, end)

    def basic_string(self, quotes: int, plain: re.Pattern[str], skip: int = 1) -> Fragment:
        """Read a string with escapes; each character of it remembers its offset."""
        opening = self.at
        start = self.at = opening + skip
        end = self.text.find('"' * quotes, start)
        if end >= 0 and not re.compile(r"[\\]" if quotes == 3 else r"[\\\n]").search(self.text, start, end):
            self.at = end
            return self.closed(start, quotes, [], None)
        chars: list[str] = []
        origins = packed_array("Q")
        while True:
            match = plain.match(self.text, self.at)
            if match is not None:
                chars.append(match.group())
                origins.extend(range(self.at, match.end()))
                self.at = match.end()
            char = self.text[self.at : self.at + 1]
            if len(origins) > MOST_ESCAPED:
                reason = f"a text with escapes has at most {MOST_ESCAPED:,} characters"
                raise WrongToml(opening, opening + 1, reason)
            if char == "\\":
                self.escape(chars, origins, quotes == 3)
            elif char == '"' and (quotes == 1 or self.text.startswith('"""', self.at)):
                return self.closed(start, quotes, chars, origins)
            elif char == '"':
                chars.append(char)
                origins.append(self.at)
                self.at += 1
            else:
                raise WrongToml(opening, self.at, _OPEN) if quotes == 1 else self.not_closed(opening)

    def closed(
        self, start: int, quotes: int, chars: list[str], origins: packed_array[int] | None
    ) -> Fragment:
        """Return the text that ends here; up to two quotes may stand before three that close it."""
        extra = self.quotes_before_closing('"', self.at) if quotes == 3 else 0
        end = self.at + extra
        first, self.at = self.at, end + quotes
        if origins is None:
            return self.whole.slice(start, end)
        origins.extend(range(first, end + 1))
        return Fragment(self.source, "".join(chars) + '"' * extra, origins)

    def quotes_before_closing(self, quote: str, at: int) -> int:
        """Return how many quotes belong to a text that closes with the last three of a row of them."""
        extra = 0
        while extra < 2 and self.text.startswith(quote, at + 3 + extra):
            extra += 1
        return extra

    def take_escaped(self, char: str, size: int, chars: list[str]) -> None:
        """Take the character that an escape names, unless it is one that no spec holds."""
        if CONTROL.match(char):
            reason = f"the character U+{ord(char):04X} cannot stand in a spec, written out or as an escape"
            raise WrongToml(self.at, self.at + size, reason)
        chars.append(char)
        self.at += size

    def escape(self, chars: list[str], origins: packed_array[int], lines: bool) -> None:
        """Read an escape."""
        start = self.at
        letter = self.text[start + 1 : start + 2]
        if lines and (match := _CONTINUED.match(self.text, start)):
            self.at = match.end()
            return
        if letter in _ESCAPES and letter:
            self.take_escaped(_ESCAPES[letter], 2, chars)
        elif letter in {"u", "U"}:
            size = 4 if letter == "u" else 8
            digits = self.text[start + 2 : start + 2 + size]
            if not re.fullmatch(r"[0-9A-Fa-f]{4}|[0-9A-Fa-f]{8}", digits) or not _is_character(
                int(digits, 16)
            ):
                raise WrongToml(start, start + 2 + size, "this escape names no character")
            self.take_escaped(chr(int(digits, 16)), 2 + size, chars)
        else:
            raise WrongToml(start, start + 2, f"`\\{letter.strip()}` is no escape; texts in '...' have none")
        origins.append(start)


def _is_character(number: int) -> bool:
    return number <= 0x10FFFF and not 0xD800 <= number <= 0xDFFF
