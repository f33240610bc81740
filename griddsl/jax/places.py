"""Where in a spec it is decided that it is none for JAX."""

from __future__ import annotations

import re
from typing import Any

from griddsl.backends.jax.suitable import Unsuitable
from griddsl.diagnostics import Refused
from griddsl.spec.models import GridSpec
from griddsl.syntax.nodes import walk


def placed(error: Unsuitable, spec: GridSpec) -> Refused:
    """Return a refusal with its file and line in front, where the words that it is about stand in a spec."""
    spans = [
        node.span for node in walk(_clauses(spec, error.statement)) if _speaks_of(node.span.text, error.word)
    ]
    if error.statement == "mission" and spec.mission is not None:
        spans.append(spec.place("mission"))
    spans += [each.span for each in spec.variables if error.statement == "var" and each.name == error.word]
    if not spans:
        return error
    span = min(spans, key=lambda span: span.end - span.start).word(error.word)
    return Refused(f"{span.source.name}:{span.line}: {error}")


def _speaks_of(text: str, word: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def _clauses(spec: GridSpec, statement: str) -> list[Any]:
    match statement:
        case "observe":
            return [observe.items for observe in spec.observe]
        case "setup":
            return [spec.preparing]
        case "generate":
            return [spec.generate] if spec.generate is not None else []
        case "kind":
            return [kind.items for kind in spec.kinds]
    return []
