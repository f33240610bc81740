"""What native kernels are made of: arrays from addresses, and indices that are never negative."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import intrinsic
from numba.np import arrayobj

_arrays: Any = arrayobj  # numba's own functions carry no types


def _view_of(typing_context: Any, address: Any, size: Any, dtype: Any) -> Any:
    """Return the array that lies at an address; nothing counts who uses it."""
    array: Any = types.Array(dtype.dtype, 1, "C")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        element = context.get_data_type(array.dtype)
        made = _arrays.make_array(array)(context, builder)
        _arrays.populate_array(
            made,
            data=builder.inttoptr(arguments[0], element.as_pointer()),
            shape=[context.cast(builder, arguments[1], signature.args[1], types.intp)],
            strides=[context.get_constant(types.intp, context.get_abi_sizeof(element))],
            itemsize=context.get_constant(types.intp, context.get_abi_sizeof(element)),
            meminfo=None,
        )
        return made._getvalue()

    return array(address, size, dtype), generate


view_of: Any = intrinsic(_view_of)


def _u(typing_context: Any, index: Any) -> Any:
    """Return an index as an unsigned number: numba tests each signed one for counting from the end."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        wide = context.cast(builder, arguments[0], signature.args[0], types.int64)
        return context.cast(builder, wide, types.int64, types.uint64)

    return types.uint64(index), generate


u: Any = intrinsic(_u)
