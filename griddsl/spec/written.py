"""Fields of models that hold clauses, and places in the text: nodes of the tree, serialised as their text."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, TypeAlias, TypeVar, get_args, get_origin

from pydantic import Field, GetCoreSchemaHandler, GetJsonSchemaHandler, InstanceOf
from pydantic_core import CoreSchema, core_schema

from griddsl.source import Span


def _as_text(node: Any) -> Any:
    from griddsl.syntax.printer import to_text

    if node is None or isinstance(node, str):
        return node
    if isinstance(node, tuple):
        return [_as_text(part) for part in node]
    return to_text(node)


@dataclass(frozen=True)
class _Written:
    """Marks a field that holds clauses: checked to be nodes of its type, serialised as their text."""

    json: type = str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        text = core_schema.plain_serializer_function_ser_schema(_as_text, when_used="always")
        return {**_schema_of(source), "serialization": text}

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        one = {"type": "string"}
        return one if self.json is str else {"type": "array", "items": one}


def _schema_of(source: Any) -> CoreSchema:
    """Return what checks that a value is a node, or a tuple of nodes, of a type, whatever those hold in turn."""
    if get_origin(source) is tuple:
        return core_schema.tuple_variable_schema(_schema_of(get_args(source)[0]))
    kinds = tuple(each for each in get_args(source) or (source,) if each is not type(None))
    schema = core_schema.is_instance_schema(kinds)
    return core_schema.nullable_schema(schema) if type(None) in get_args(source) else schema


_T = TypeVar("_T")
Clause: TypeAlias = Annotated[_T, _Written()]
Clauses: TypeAlias = Annotated[tuple[_T, ...], _Written(list)]
Place: TypeAlias = Annotated[Span, InstanceOf[Span], Field(exclude=True, repr=False)]


def place() -> Any:
    """Return the field of a place in the text: two models are equal wherever they stand."""
    return field(compare=False, repr=False)
