"""Every id once more with flat observations, for scripts that take an id and nothing else.

    gym.make("griddsl.flat:griddsl-flat/DoorKey-v0")

`griddsl-flat/DoorKey-v0` is `griddsl/DoorKey-v0` with ``observation="flat"``: one float32 vector. So it is with every
namespace, for those that are registered later too.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import gymnasium as gym

from griddsl.registration.ids import ENTRY_POINT, VECTOR_ENTRY_POINT, on_registration, registered

if TYPE_CHECKING:
    from griddsl.spec.models import GridSpec


def _register(spec_id: str, source: Path | GridSpec) -> None:
    namespace, _, name = spec_id.rpartition("/")
    flat_id = f"{namespace or 'specs'}-flat/{name}"
    gym.registry.pop(flat_id, None)
    gym.register(
        id=flat_id,
        entry_point=ENTRY_POINT,
        vector_entry_point=VECTOR_ENTRY_POINT,
        max_episode_steps=gym.registry[spec_id].max_episode_steps,
        kwargs={**gym.registry[spec_id].kwargs, "observation": "flat"},
    )


for _id, _source in registered().items():
    _register(_id, _source)
on_registration(_register)
