"""Loading: what is named becomes the validated model of a spec."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from griddsl.compiler import AnySpec, compiled
from griddsl.compiling.cache import Compiled
from griddsl.files.variants import IS_VARIANT
from griddsl.syntax.reader import is_name

if TYPE_CHECKING:
    from griddsl.spec.models import GridSpec


def load(source: AnySpec, /, **params: Any) -> GridSpec:
    """Return the validated model of a spec.

    ``source`` is the path of a ``.grid`` or ``.toml`` file, a spec's text, a registered id, or a `GridSpec`. Raises
    `SpecError`, which carries all diagnostics, where the spec cannot be used.
    """
    return compiled(resolve(source), **params).model


def only_source(source: Any, spec: Any, example: str) -> Any:
    """Return the one of both that is given: a source, or an id's own, and a ``spec`` as a keyword.

    Raises `TypeError`, with an example of how to give one, where neither is given, or both: one would be left out.
    """
    if source is not None and spec is not None:
        raise TypeError(
            "there are two specs: the id or the source, and `spec=`, which is for griddsl/Spec-v0"
        )
    if source is None and spec is None:
        raise TypeError(f"which spec? pass its path or text, as in {example}")
    return spec if source is None else source


def resolve(source: Any) -> Any:
    """Return the file of a registered id, and of ``FILE:ID`` the file as that variant; anything else as it is.

    Raises `SpecError` for a name that is neither, and `TypeError` for what cannot be a source at all. Ids are looked up
    for names alone: it takes Gymnasium to be loaded.
    """
    if isinstance(source, str) and IS_VARIANT.fullmatch(source):
        from griddsl.registration.ids import known_variant

        return known_variant(source)
    if not is_name(source):
        if not isinstance(source, str | os.PathLike | Compiled) and not hasattr(source, "with_arguments"):
            raise TypeError(f"a spec is a path, a text, an id or a GridSpec, not {type(source).__name__}")
        return source
    from griddsl.registration.ids import known_source

    return known_source(source)
