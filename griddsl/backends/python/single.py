"""One environment of the reference backend: its step, written for one program."""

from __future__ import annotations

from typing import Any

import numpy as np

from griddsl.backends.interface import leaf_ports
from griddsl.backends.python.emit import Machine
from griddsl.backends.single import Adapter, Step, made, observation_text, told_text
from griddsl.program.program import Program
from griddsl.program.stream import Stream


def written_step(
    program: Program, machine: Machine, state: tuple[list[int], list[float], Stream], adapter: Adapter
) -> Step:
    """Return the step of a state, written for this program: what it observes is put together in it."""
    ports = [port for _, port in leaf_ports(program)]
    shown = observation_text(program, [f"e{k}" for k in range(len(ports))])
    names: dict[str, Any] = dict(zip("sfr", state, strict=True))
    reading: list[str] = []
    for k, port in enumerate(ports if "observe()" not in shown else ()):
        names[f"find{k}"] = machine.functions[port.function]
        if port.is_value:
            reading.append(f"e{k} = find{k}(s, f, r)")
            continue
        out: Any = [0] * port.size
        if port.dtype == "uint8":
            # The bytes are the array: no conversion, one copy.
            out = bytearray(port.size)
            names[f"copy{k}"] = np.frombuffer(out, np.uint8).reshape(port.shape).copy
            made_of = f"copy{k}()"
        else:
            names |= {f"dtype{k}": np.dtype(port.dtype), f"shape{k}": port.shape, "array": np.array}
            made_of = f"array(out{k}, dtype{k})" + (f".reshape(shape{k})" if len(port.shape) != 1 else "")
        names[f"out{k}"] = out
        reading += [f"find{k}(s, f, r, out{k})", f"e{k} = {made_of}"]
    lines = [
        f"if action.__class__ is int and 0 <= action < {adapter.known}:",
        "    reward, terminated, truncated = kernel(s, f, r, action)",
        "else:",
        "    reward, terminated, truncated = kernel(s, f, r, *numbers(action))",
        *reading,
        f"return {shown}, reward, terminated, truncated, {told_text(program, adapter, 's')}",
    ]
    names |= {"kernel": machine.functions["step"], "outcomes": ("truncated", *program.outcomes)}
    names |= adapter.names()
    return made(lines, **names)
