"""The TOML form of specs as a JSON schema (draft 2020-12), made from the table of statements and the models."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin

from griddsl.spec.models import GridSpec
from griddsl.syntax.keywords import LEVEL_FILES, RULE_WORDS, STATEMENTS, StatementForm

DIALECT = "https://json-schema.org/draft/2020-12/schema"
HOME = "https://raw.githubusercontent.com/griddsl/griddsl/main/editors/griddsl.schema.json"
_NAME = r"^[A-Za-z_][A-Za-z0-9_]*$"
_HEADS = {
    "name": _NAME,
    "define": rf"{_NAME[:-1]}(\(\s*\w+(\s*,\s*\w+)*\s*\))?$",
    "look": rf"{_NAME[:-1]}(\(\s*\w+\s*=.+\))?$",
}
_FILLED = {"type": "string", "pattern": r"\S"}
# What the strings of some items must look like, as far as a pattern can tell.
_PATTERNS = {
    "infos": r"^\s*[A-Za-z_]\w*\s*=",
    "looks": r"^\s*(color|shape|sprite)\b",
    "regions": r"^\s*\(",
    "slip": r"\S\s+[A-Za-z_]\w*\s*,?\s*$",
    "variable": r"(^|[^\w])in\s|^\s*(true|false)\s*$",
}
_MAY_BE_EMPTY = frozenset({"properties"})
# What declares constants, which a limit may then be made of.
_CONSTANTS = ("param", "use", "let", "define", "variant")


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
        "$id": HOME,
        "title": "griddsl spec",
        "description": "One grid environment, as TOML.",
        "type": "object",
        "properties": properties,
        "required": ["env"],
        "allOf": [
            _one_of("actions", "use"),
            _one_of("map", *LEVEL_FILES, "generate", "use"),
            _constant_limit(),
        ],
        "additionalProperties": False,
    }


def _one_of(*keywords: str) -> dict[str, Any]:
    """Return that a statement is needed, or another that can bring it."""
    return {"anyOf": [{"required": [keyword]} for keyword in keywords]}


def _statement(form: StatementForm) -> dict[str, Any]:
    """Return what may stand behind a keyword: a value, or a table of named ones."""
    value = _value(form)
    named = {"type": "object", "minProperties": 1, "additionalProperties": value}
    match form.head:
        case "id":
            return {**named, "propertyNames": {"pattern": _id_pattern()}}
        case "name" | "define" | "look":
            return {**named, "propertyNames": {"pattern": _HEADS[form.head]}}
        case "maybe":
            return {"anyOf": [value, named]}
        case "slip":
            return {"anyOf": [value, {**named, "propertyNames": {"pattern": "^(if .+)?$"}}]}
    return value


def _value(form: StatementForm) -> dict[str, Any]:
    """Return what one such statement may say."""
    choices = _choices(form.keyword)
    if form.keyword == "rewards":
        return _rewards(choices)
    if choices:
        return {"enum": choices} if form.keyword != "order" else _order(choices)
    match form.items:
        case "legend":
            glyph = {"minLength": 1, "maxLength": 1}
            return {"type": "object", "propertyNames": glyph, "additionalProperties": _FILLED}
        case "rows":
            return {"type": ["string", "array"], "items": {"type": "string"}, "minLength": 1, "minItems": 1}
        case "limit":
            steps = {"type": "string", "pattern": r"^\s*(none|[\w(][^=<>\"]*)$"}
            return {"anyOf": [{"type": "integer", "minimum": 1}, steps]}
        case "variable":
            return {"anyOf": [{"type": "boolean"}, _filled(form)]}
        case "names":
            return {"anyOf": [{"type": "integer"}, _FILLED]}
        case "expression":
            return _expression(form.keyword)
    if form.keyword == "env":
        return {"type": "string"}
    return _strings(form)


def _rewards(shares: list[Any]) -> dict[str, Any]:
    """Return what `rewards` may say: who gets them, and how they are scaled and clipped, one after the other."""
    one = rf"(?:{'|'.join(shares)}|scale\s+[^,]+|clip\s+[^,]+)"
    item = {"type": "string", "pattern": rf"^\s*{one}(?:\s*,\s*{one})*\s*$"}
    return {"anyOf": [item, {"type": "array", "items": item, "minItems": 1}]}


def _expression(keyword: str) -> dict[str, Any]:
    """Return what a statement of one expression may say: a chance, a condition, or a call."""
    plain: list[dict[str, Any]] = [{"type": ["number", "boolean"]}]
    if keyword == "sticky":
        plain = [{"type": "number", "minimum": 0, "maximum": 1}]
    elif keyword == "allow":
        plain = [{"type": "boolean"}]
    elif keyword == "generate":
        plain = []
    return {"anyOf": [*plain, _FILLED]} if plain else _FILLED


def _filled(form: StatementForm) -> dict[str, Any]:
    return {"type": "string", "pattern": _PATTERNS.get(form.items, _FILLED["pattern"])}


def _strings(form: StatementForm) -> dict[str, Any]:
    """Return items: a string of them, of one line or several, or an array of strings."""
    if form.items in _MAY_BE_EMPTY:
        return {"type": ["string", "array"], "items": {"type": "string"}}
    return {"anyOf": [_filled(form), {"type": "array", "items": _filled(form), "minItems": 1}]}


def _constant_limit() -> dict[str, Any]:
    """Return that a limit names nothing but the grid's size where nothing declares constants."""
    declaring = [keyword for keyword in _CONSTANTS if keyword in STATEMENTS]
    words = "none|width|height|div|mod|min|max|abs|steps?"
    pattern = rf"^([-+*/(), \t\n0-9.]|[0-9][eE]\+?[0-9]|\b({words})\b)+$"
    constant = {"anyOf": [{"type": "integer"}, {"type": "object"}, {"type": "string", "pattern": pattern}]}
    return {
        "if": {"not": {"anyOf": [{"required": [keyword]} for keyword in declaring]}},
        "then": {"properties": {"limit": constant}},
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
