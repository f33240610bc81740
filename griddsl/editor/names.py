"""What a name of a spec is: where it is declared, here or in a file that is used, and where it is named."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from griddsl.editor.text import Library, SpecText
from griddsl.source import Fragment
from griddsl.syntax.document import Statement, unquote
from griddsl.syntax.keywords import STATEMENTS
from griddsl.syntax.vocabulary.words import Word

# The sorts of names that do not stand in one another's way.
_SORTS = {"attribute": "attribute", "action": "action", "level": "level", "word": "word", "name": "name"}
_KINDS = frozenset({"tile", "object", "agent", "agents"})
# Where a name is that of a kind which needs no declaration, unless the language has it.
_PLAIN = frozenset({("legend", "legend_item", "kind"), ("effects", "place_at", "kind")})
BUILT_IN = ("agent", "floor", "wall")


@dataclass(frozen=True, slots=True)
class Declaration:
    """Where a name is declared: the text, the word and its statement. ``owner`` is the kind of an attribute."""

    spec: SpecText
    word: Word
    statement: Statement
    sort: str
    owner: str = ""

    @property
    def name(self) -> str:
        """The name, without quotes."""
        return plain(self.word)

    @property
    def category(self) -> str:
        """What is declared, in a word or two."""
        keyword = self.statement.keyword
        if self.sort == "attribute":
            return f"attribute of `{self.owner}`" if self.owner else "attribute"
        if self.sort == "word":
            return f"word of `{self.owner}`" if self.owner else "word"
        if self.sort != "name":
            return self.sort
        return {
            "var": "variable",
            "param": "parameter",
            "tile": "tile",
            "object": "object",
            "agent": "agent",
            "agents": "agent",
            "region": "region",
            "once": "drawn once for many episodes",
            "setup": "drawn at every reset",
        }.get(keyword, keyword if STATEMENTS[keyword].head == "name" else "named in a rule")

    @property
    def is_kind(self) -> bool:
        """Whether it is a kind of things."""
        return self.sort == "name" and self.statement.keyword in _KINDS


def plain(word: Word) -> str:
    """Return a word without its quotes."""
    return unquote(word.text) if word.text.startswith('"') and len(word.text) > 1 else word.text


@lru_cache(maxsize=64)
def declarations(spec: SpecText) -> tuple[Declaration, ...]:
    """Return what a text itself declares, in its order."""
    return tuple(_declared(spec))


def _declared(spec: SpecText) -> Iterator[Declaration]:
    from griddsl.syntax.vocabulary.words import words_of_statement

    for statement in spec.document.statements:
        owner = statement.head.text if statement.head.text else statement.keyword
        attribute = ""
        for word in words_of_statement(statement):
            if not word.is_new or word.span.source is not spec.source:
                continue
            sort = _SORTS.get(word.part.removeprefix("new "), "name")
            if sort == "attribute":
                attribute = word.text
            if sort == "word":
                whose = owner if statement.keyword in {"var", "param"} else f"{owner}.{attribute}"
                yield Declaration(spec, word, statement, sort, whose)
            elif not (
                sort == "name"
                and "choose_more_name" in word.path
                and len(word.path) == 2
                and not _chooses(statement)
            ):
                yield Declaration(spec, word, statement, sort, owner if sort == "attribute" else "")


def _chooses(statement: Statement) -> bool:
    """Whether the effects of a statement choose anything: else a lone name is half of an effect."""
    return any("choose" in text.text for text in _all_texts(statement))


def _all_texts(statement: Statement) -> Iterator[Fragment]:
    pending = list(statement.block)
    yield statement.items
    while pending:
        line = pending.pop()
        yield line.text
        if line.tail is not None:
            yield line.tail
        pending.extend(line.block)


class Scope:
    """All that a spec can name: what it declares, and what the files declare that it uses."""

    def __init__(self, spec: SpecText, library: Library) -> None:
        self.spec = spec
        self.texts = [spec, *library.used_by(spec)]
        self.declared: dict[tuple[str, str], list[Declaration]] = {}
        for text in self.texts:
            for each in declarations(text.readable()):
                self.declared.setdefault((each.sort, each.name), []).append(each)

    def sort_of(self, word: Word) -> str | None:
        """Return the sort of name that a word is; None for what is no name."""
        part = word.part.removeprefix("new ")
        if part in {"attribute", "action", "level", "word"}:
            return part
        text = plain(word)
        if part == "function":
            return "name" if ("name", text) in self.declared else None
        if part != "name":
            return None
        if word.beside and ("word", text) in self.declared and ("name", text) not in self.declared:
            return "word"
        for sort in ("name", "word", "action"):
            if (sort, text) in self.declared:
                return sort
        return "name"

    def of(self, word: Word) -> list[Declaration]:
        """Return where what a word names is declared; of attributes and words those of their owner."""
        sort = self.sort_of(word)
        found = self.declared.get((sort, plain(word)), []) if sort else []
        if sort in {"attribute", "word"} and word.beside:
            return [each for each in found if each.owner == word.beside] or found
        return found

    def is_plain(self, word: Word) -> bool:
        """Whether a word names a kind that is drawn or placed, and declared nowhere: a plain tile."""
        if self.sort_of(word) != "name" or self.of(word) or plain(word) in BUILT_IN:
            return False
        return any(
            each.path in _PLAIN and plain(each) == plain(word) for text in self.texts for each in text.words
        )

    def names(self, sort: str = "name") -> Iterable[Declaration]:
        """Yield the declarations of a sort, each name once."""
        return (found[0] for (each, _), found in self.declared.items() if each == sort)

    def attributes_of(self, owner: str) -> list[Declaration]:
        """Return the attributes of a kind; of all kinds where there is none of that name."""
        found = [each for each in self.names_all("attribute") if each.owner == owner]
        if not found and owner not in {each.name for each in self.names()}:
            found = list(self.names("attribute"))
        return found

    def names_all(self, sort: str) -> Iterator[Declaration]:
        """Yield all declarations of a sort."""
        for (each, _), found in self.declared.items():
            if each == sort:
                yield from found

    def words_of(self, beside: str) -> list[str]:
        """Return the words that a variable, an attribute or a kind can have."""
        owner, _, attribute = beside.rpartition(".")
        found = [each.name for each in self.names_all("word") if each.owner == beside]
        if found:
            return found
        if attribute and owner:
            return [each.name for each in self.names_all("word") if each.owner.endswith(f".{attribute}")]
        return [each.name for each in self.names_all("word") if each.owner.startswith(f"{beside}.")]


def occurrences(spec: SpecText, scope: Scope, sort: str, name: str) -> Iterator[Word]:
    """Yield the words of a text that name something."""
    for word in spec.words:
        if plain(word) == name and scope.sort_of(word) == sort:
            yield word
