"""The TOML form of specs as a JSON schema (draft 2020-12), made from the table of statements and the models."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin

from griddsl.spec.models import GridSpec
from griddsl.syntax.keywords import RULE_WORDS, STATEMENTS, StatementForm

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_NAME = r"^[A-Za-z_][A-Za-z0-9_]*$"
_ONE_ITEM = frozenset({"expression", "variable", "limit"})


def toml_schema() -> dict[str, Any]:
    """Return the schema of a spec in TOML: a property a statement, and the rules."""
    properties: dict[str, Any] = {}
    for keyword, form in STATEMENTS.items():
        if form.head != "rule":
            properties[keyword] = {"description": form.meaning, **_statement(form)}
    properties["env"] |= {"pattern": _id_pattern()}
    properties["description"] = {"description": "what the environment is about", "type": "string"}
    properties["rules"] = {"description": "rules, in their order", "type": "array", "items": _rule()}
    return {
        "$schema": DIALECT,
        "title": "griddsl spec",
        "description": "One grid environment, as TOML.",
        "type": "object",
        "properties": properties,
        "required": ["env"],
        "allOf": [_one_of("actions", "use"), _one_of("map", "maps", "generate", "use")],
        "additionalProperties": False,
    }


def _one_of(*keywords: str) -> dict[str, Any]:
    """Return that a statement is needed, or another that can bring it."""
    return {"anyOf": [{"required": [keyword]} for keyword in keywords]}


def _statement(form: StatementForm) -> dict[str, Any]:
    """Return what may stand behind a keyword: a value, or a table of named ones."""
    value = _value(form)
    named = {"type": "object", "additionalProperties": value}
    match form.head:
        case "name":
            return {**named, "propertyNames": {"pattern": _NAME}}
        case "maybe":
            return {"anyOf": [value, named]}
        case "slip":
            return {"anyOf": [value, {**named, "propertyNames": {"pattern": "^(if .+)?$"}}]}
    return value


def _value(form: StatementForm) -> dict[str, Any]:
    if form.keyword == "env":
        return {"type": "string"}
    if form.items == "legend":
        glyph = {"minLength": 1, "maxLength": 1}
        return {"type": "object", "propertyNames": glyph, "additionalProperties": {"type": "string"}}
    if form.items == "rows":
        return {"type": ["string", "array"], "items": {"type": "string"}}
    choices = _choices(form.keyword)
    if choices:
        return {"enum": choices} if form.keyword != "order" else _order(choices)
    if form.items in _ONE_ITEM:
        return {"type": ["string", "number", "boolean"]}
    return {
        "type": ["string", "number", "boolean", "array"],
        "items": {"type": ["string", "number", "boolean"]},
    }


def _order(choices: list[str]) -> dict[str, Any]:
    """Return the order of agents and objects, as one string or as an array."""
    return {"anyOf": [{"enum": choices}, {"enum": [choice.split(", ") for choice in choices]}]}


def _choices(keyword: str) -> list[str]:
    """Return the words that the model allows behind a keyword; none where it allows any."""
    field = GridSpec.model_fields.get(keyword)
    if field is None or get_origin(field.annotation) is not Literal:
        return []
    return list(get_args(field.annotation))


def _id_pattern() -> str:
    metadata = GridSpec.model_fields["id"].metadata
    return str(next(item.pattern for item in metadata if getattr(item, "pattern", None)))


def _rule() -> dict[str, Any]:
    """Return a rule: its head, and its effects as a string (of one line or several) or an array."""
    effects = {"type": ["string", "array"], "items": {"type": "string"}, "minLength": 1, "minItems": 1}
    return {
        "type": "object",
        "properties": {
            "when": {
                "description": "a trigger, with its condition and chance",
                "type": "string",
                "pattern": rf"^\s*({'|'.join(RULE_WORDS)})\b",
            },
            "do": {"description": "effects", **effects},
        },
        "required": ["when", "do"],
        "additionalProperties": False,
    }
