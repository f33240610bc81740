"""What there is for each agent, by its name."""

from __future__ import annotations

from typing import Any, TypeVar

from griddsl.diagnostics.suggest import did_you_mean

T = TypeVar("T")


class ByAgent(dict[str, T]):
    """A dict with the names of all agents, which says them where another name is asked for."""

    def __missing__(self, name: Any) -> T:
        said = did_you_mean(name, self) if isinstance(name, str) else None
        raise KeyError(f"there is no agent {name!r}; {said or 'agents: ' + ', '.join(self)}")
