"""What native kernels are made of: arrays from addresses, and indices that are never negative."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import intrinsic
from numba.np import arrayobj

_arrays: Any = arrayobj  # numba's own functions carry no types


def _array_at(context: Any, builder: Any, array: Any, address: Any, size: Any) -> Any:
    """Build the array of so many entries that lies at an address; nothing counts who uses it."""
    element = context.get_data_type(array.dtype)
    width = context.get_constant(types.intp, context.get_abi_sizeof(element))
    made = _arrays.make_array(array)(context, builder)
    _arrays.populate_array(
        made,
        data=builder.inttoptr(address, element.as_pointer()),
        shape=[size],
        strides=[width],
        itemsize=width,
        meminfo=None,
    )
    return made._getvalue()


def _view_of(typing_context: Any, address: Any, size: Any, dtype: Any) -> Any:
    """Return the array that lies at an address; nothing counts who uses it."""
    array: Any = types.Array(dtype.dtype, 1, "C")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        size = context.cast(builder, arguments[1], signature.args[1], types.intp)
        return _array_at(context, builder, array, arguments[0], size)

    return array(address, size, dtype), generate


view_of: Any = intrinsic(_view_of)


def _table_at(typing_context: Any, reals: Any, place: Any, size: Any, dtype: Any) -> Any:
    """Return the table whose address stands in the bits of a real."""
    array: Any = types.Array(dtype.dtype, 1, "C")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = _arrays.make_array(signature.args[0])(context, builder, arguments[0])
        number = context.get_value_type(types.int64)
        place = context.cast(builder, arguments[1], signature.args[1], types.int64)
        address = builder.load(builder.gep(builder.bitcast(vector.data, number.as_pointer()), [place]))
        size = context.cast(builder, arguments[2], signature.args[2], types.int64)
        return _array_at(context, builder, array, address, size)

    return array(reals, place, size, dtype), generate


table_at: Any = intrinsic(_table_at)


def _u(typing_context: Any, index: Any) -> Any:
    """Return an index as an unsigned number: numba tests each signed one for counting from the end."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        wide = context.cast(builder, arguments[0], signature.args[0], types.int64)
        return context.cast(builder, wide, types.int64, types.uint64)

    return types.uint64(index), generate


u: Any = intrinsic(_u)
