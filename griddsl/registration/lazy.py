"""When to register: at once where Gymnasium is loaded, else as soon as it is.

Loading Gymnasium takes longer than most commands do altogether. So importing griddsl does not load it, and yet the ids
are there for whoever does, in whatever order the two are imported.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # They take longer to load than all the rest of griddsl that importing it loads.
    from importlib.abc import Loader
    from importlib.machinery import ModuleSpec

# A framework, and the module of griddsl whose loading registers the specs with it.
HOMES = {"gymnasium": "griddsl.registration.ids", "pettingzoo": "griddsl.registration.pettingzoo"}


def register_when_imported() -> None:
    """Register the bundled specs, and those on ``GRIDDSL_PATH``, now or when a framework is imported.

    Those for one are registered with Gymnasium, those for several with PettingZoo as well.
    """
    for framework, home in HOMES.items():
        if framework in sys.modules:
            import_module(home)
        elif not any(
            isinstance(finder, _Watch) and finder.framework == framework for finder in sys.meta_path
        ):
            sys.meta_path.insert(0, _Watch(framework))


class _Watch:
    """Steps in when a framework is imported, and leaves finding it to the finders that do."""

    def __init__(self, framework: str) -> None:
        self.framework = framework

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where the framework is, with a loader that registers after loading it; None for anything else."""
        if fullname != self.framework:
            return None
        for finder in sys.meta_path:
            found = None if finder is self else finder.find_spec(fullname, path, target)
            if found is not None and found.loader is not None:
                found.loader = _Announcing(found.loader, self)  # type: ignore[assignment]  # a loader in all but name
                return found
        return None


class _Announcing:
    """Loads as the loader in it does, puts that one back in its place, and registers."""

    def __init__(self, loader: Loader, watch: _Watch) -> None:
        self.loader = loader
        self.watch = watch

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Return what the loader in it makes of the spec."""
        return self.loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """Run the module, then register."""
        assert module.__spec__ is not None
        module.__spec__.loader = module.__loader__ = self.loader
        self.loader.exec_module(module)
        sys.meta_path[:] = [finder for finder in sys.meta_path if finder is not self.watch]
        import_module(HOMES[self.watch.framework])
