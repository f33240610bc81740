"""Pictures of specs, as notebooks show them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from griddsl.spec.models import GridSpec


def spec_png(spec: GridSpec) -> bytes:
    """Return a PNG of the first state of a spec (seed 0)."""
    from griddsl.envs.making import env_of
    from griddsl.render.files import png_bytes

    return png_bytes(env_of(spec, 0).render())
