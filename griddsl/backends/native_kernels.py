"""What native kernels are made of: arrays from addresses."""

from __future__ import annotations

from typing import Any

from numba import carray, types  # type: ignore[attr-defined, unused-ignore]
from numba.extending import intrinsic

from griddsl.backends.native_runtime import native


@intrinsic
def _pointer(typing_context: Any, address: Any) -> Any:
    """Return an address as a pointer."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(types.voidptr))

    return types.voidptr(address), generate


@native
def view_of(address: Any, size: Any, dtype: Any) -> Any:
    """Return the array that lies at an address; nothing counts who uses it."""
    return carray(_pointer(address), (size,), dtype)  # type: ignore[call-arg, unused-ignore]
