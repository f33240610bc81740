"""Registration with PettingZoo: specs that several agents play are in its registry, by the ids they have.

Loading this module registers them, where the installed PettingZoo has a registry; those that `griddsl.register` brings
later are registered as they come.
"""

from __future__ import annotations

import re
from pathlib import Path

from griddsl.registration.ids import on_registration, registered_specs

PARALLEL, AEC = "griddsl.envs.joint.parallel:GridParallelEnv", "griddsl.envs.joint.aec:make_aec"
_AGENTS = re.compile(r"^agents\s*[:=]", re.MULTILINE)


def register_games(spec_id: str, path: Path) -> None:
    """Register a spec under ``parallel`` and ``aec``, where it names its agents; nothing is parsed for that."""
    try:
        import pettingzoo
        from pettingzoo import aec_registry, parallel_registry
    except ImportError:  # An older PettingZoo has none.
        return
    try:
        if not _AGENTS.search(path.read_text(encoding="utf-8-sig", errors="replace")):
            return
    except OSError:
        return
    for registry, sort, entry_point in (
        (parallel_registry, "parallel", PARALLEL),
        (aec_registry, "aec", AEC),
    ):
        registry.pop(spec_id, None)
        pettingzoo.register(sort, spec_id, entry_point=entry_point, kwargs={"source": spec_id})


for _spec_id, _path in registered_specs().items():
    register_games(_spec_id, _path)
on_registration(register_games)
