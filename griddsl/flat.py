"""Every id once more with flat observations, for scripts that take an id and nothing else.

    gym.make("griddsl.flat:griddsl-flat/DoorKey-v0")

`griddsl-flat/DoorKey-v0` is `griddsl/DoorKey-v0` with ``observation="flat"``: one float32 vector. So it is with every
namespace, for those that are registered later too.
"""

from __future__ import annotations

from pathlib import Path

import gymnasium as gym

from griddsl.registration.ids import ENTRY_POINT, VECTOR_ENTRY_POINT, on_registration, registered_specs


def _register(spec_id: str, file: Path) -> None:
    namespace, _, name = spec_id.rpartition("/")
    flat_id = f"{namespace or 'specs'}-flat/{name}"
    gym.registry.pop(flat_id, None)
    gym.register(
        id=flat_id,
        entry_point=ENTRY_POINT,
        vector_entry_point=VECTOR_ENTRY_POINT,
        max_episode_steps=gym.registry[spec_id].max_episode_steps,
        kwargs={"source": spec_id, "observation": "flat"},
    )


for _id, _file in registered_specs().items():
    _register(_id, _file)
on_registration(_register)
