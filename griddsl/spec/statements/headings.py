"""Statements whose items are texts: the id of a spec and its mission."""

from __future__ import annotations

import re

from griddsl.diagnostics import Help, write
from griddsl.source import Fragment
from griddsl.spec.statements.builder import ID, Builder, id_like, text_of
from griddsl.spec.statements.mission_texts import report_cases, report_joined, without_prefix
from griddsl.syntax import nodes as n
from griddsl.syntax.document import Statement

CALL = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\(.*\)")


def _quoted(text: Fragment) -> Help:
    """Say how a description is written that stands in no quotes, or in those of a word processor."""
    said = text.text.strip("'‘’“”„«»` ").replace("\\", "\\\\").replace('"', '\\"')
    return write(f'"{said}"', place=text.span())


def _id_meant(said: str) -> Help:
    """Return the id that was meant; a description behind it stands in a line of its own."""
    found, *described = re.split(r"\s*(?=\")", said, maxsplit=1)
    if not described:
        return write(id_like(said), ": namespace, name and version")
    spec_id = found if ID.fullmatch(found) else id_like(found)
    return write(spec_id, f", and below it, in a line that is indented, `{described[0]}`")


def read_env(statement: Statement, builder: Builder) -> None:
    """``env: mine/MyWorld-v0 "what it is about"``."""
    texts = statement.texts()
    ids = [text for text in texts if not text.text.startswith('"')]
    descriptions = [text for text in texts if text.text.startswith('"')]
    quoted = next((text for text in descriptions if ID.fullmatch(text.text.strip('"'))), None)
    if not ids and quoted is not None:
        bare = Help("an id stands without quotes", (quoted.text.strip('"'),), place=quoted.span())
        builder.report.add("bad-id", quoted.span(), id=quoted.text, help=bare)
        return
    if not ids and descriptions:
        help = "the text is a description; before it stands the id, as in `env: mine/MyWorld-v0`"
        builder.report.add("missing-items", statement.span, what="env", help=help)
        return
    if not ids:
        builder.report.add("missing-items", statement.span, what="env", help="write `env: mine/MyWorld-v0`")
        return
    if not ID.fullmatch(ids[0].text):
        builder.report.add("bad-id", ids[0].span(), id=ids[0].text, help=_id_meant(ids[0].text))
    for extra in ids[1:]:
        builder.report.add(
            "syntax",
            extra.span(),
            found=f"`{extra.text[:20]}`",
            expected="a quoted description",
            help=_quoted(extra),
        )
    builder.fields["id"] = ids[0].text
    builder.fields["description"] = " ".join(text_of(text, builder.report) for text in descriptions)


def read_mission(statement: Statement, builder: Builder) -> None:
    """``mission: "reach the goal"``, and what else stands where a text can."""
    texts = statement.texts()
    if not texts:
        builder.report.add(
            "missing-items", statement.span, what="mission", help='write `mission: "reach the goal"`'
        )
        return
    builder.places["mission"] = texts[0].span()
    if report_cases(statement, builder.report):
        builder.fields["mission"] = ""
        return
    builder.fields["mission"] = " ".join(_mission_text(text, builder) for text in texts)


def _mission_text(text: Fragment, builder: Builder) -> str:
    """Read a quoted text, alternatives of texts, or a call of a definition as the mission holds it: in braces."""
    from griddsl.spec.missions import alternatives_of, mission_of, told
    from griddsl.syntax.toml.values import ALTERNATIVES

    def keep(node: n.Expression) -> str:
        builder.append("tellings", node)
        return told(len(builder.lists["tellings"]))

    text = without_prefix(text, builder.report)
    if ALTERNATIVES.fullmatch(text.text):
        return alternatives_of(text, keep, builder.report)
    if report_joined(text, builder.report):
        return ""
    if CALL.fullmatch(text.text):
        return f"{{{text.text}}}"
    if text.text.isidentifier() and re.search(rf"^define\s+{text.text}\s*:", text.source.text, re.MULTILINE):
        help = write(f"{text.text}()", ": a definition is called", place=text.span())
        builder.report.add("syntax", text.span(), found=f"`{text.text}`", expected="a text", help=help)
        return ""
    return mission_of(text_of(text, builder.report), text.span(), keep, builder.report)
