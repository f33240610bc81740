"""Recreation: the `EnvSpec` of an environment, from which it can be made again elsewhere."""

from __future__ import annotations

import copy
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gymnasium.envs.registration import EnvSpec

    from griddsl.spec.models import GridSpec

_GIVEN = ("spec", "source")


class Recreatable:
    """What holds its `EnvSpec` in a form that a data set can carry to another machine: an id, or the spec's text.

    A file's path leads nowhere there, and tells the names of folders. So the text stands in its place, unless it
    needs other files beside it; such a spec is better registered.
    """

    _spec: EnvSpec | None = None

    @property
    def spec_model(self) -> GridSpec:
        """The validated model of the spec."""
        raise NotImplementedError

    @property
    def spec(self) -> EnvSpec | None:
        """Gymnasium's `EnvSpec`; None where the environment was not made from an id."""
        return self._spec

    @spec.setter
    def spec(self, given: EnvSpec | None) -> None:
        self._spec = given if given is None else self._portable(given)

    def _portable(self, given: EnvSpec) -> EnvSpec:
        changed = {name: self._text_of(given.kwargs[name]) for name in _GIVEN if name in given.kwargs}
        if all(given.kwargs[name] is value for name, value in changed.items()):
            return given
        bound = self._bound_in(given.kwargs)
        made = copy.copy(given)
        made.kwargs = {**bound, **given.kwargs, **changed}
        return made

    def _bound_in(self, kwargs: dict[str, Any]) -> dict[str, Any]:
        """Return the parameters that are bound in a model that was given: its text does not hold them."""
        models = [kwargs[name] for name in _GIVEN if hasattr(kwargs.get(name), "with_arguments")]
        return dict(models[0].arguments) if models and self.spec_model.stands_alone else {}

    def _text_of(self, source: Any) -> Any:
        """Return the text of a spec where its file, or its model, was given; anything else as it is."""
        from griddsl.loading import resolve

        if isinstance(source, str) and ("\n" in source or resolve(source) is not source):
            return source
        if not isinstance(source, str | os.PathLike) and not hasattr(source, "with_arguments"):
            return source
        return self.spec_model.source.text if self.spec_model.stands_alone else source
