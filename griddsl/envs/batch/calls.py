"""Calls: what Gymnasium's batches of single environments answer by ``call``, for frameworks that ask them so."""

from __future__ import annotations

from typing import Any


class Calls:
    """A batch whose environments are asked by name."""

    num_envs: int
    render_mode: str | None

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Return what a method gives for each environment, or an attribute, once for each.

        ``render`` gives a frame each, None without a render mode; ``action_masks`` and ``get_state`` give each its own.
        Raises `AttributeError` for another method, since no environment of a batch stands alone.
        """
        if name == "render" and self.render_mode is None:
            return (None,) * self.num_envs
        found = getattr(self, name)
        if not callable(found):
            return (found,) * self.num_envs
        if name not in {"render", "action_masks", "get_state"}:
            raise AttributeError(f"the environments of a batch have no method {name!r} of their own")
        return tuple(found(*args, **kwargs))
