"""How Python calls machine code: for each kernel a function of CPython's own kind, written for its arguments.

numba's own way in asks what type each argument has and counts who uses each array, which takes as long as a short
kernel; and it needs numba to be imported. Only what compiles a kernel imports this module.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from griddsl.backends.native.module import Kernel

# CPython's calling convention for functions that take positional arguments only (METH_FASTCALL), and the entry of a
# numpy array that says where its values lie: the first after the object's head.
_BYTE, _INT, _LONG = ir.IntType(8), ir.IntType(32), ir.IntType(64)
_POINTER = _BYTE.as_pointer()
_REAL, _NOTHING = ir.DoubleType(), ir.VoidType()
_FAILURE = ir.LiteralStructType(
    [_POINTER, _INT]
)  # how numba's record of an exception begins: its bytes, how many


def wrapper(kernel: Kernel, symbol: str) -> str:
    """Return the text of a module of LLVM with ``call``, which calls the kernel that has this symbol.

    numba gives a kernel two places more: for what it returns, nothing here, and for an exception.
    """
    module = ir.Module(name=f"call_{kernel.name}")
    given = [_LONG] * (len(kernel.takes) + 1)
    places = [_POINTER.as_pointer(), _FAILURE.as_pointer().as_pointer()]
    inner = ir.Function(module, ir.FunctionType(_INT, [*places, *given]), symbol)
    kind = ir.FunctionType(_POINTER, [_POINTER, _POINTER.as_pointer(), _LONG])
    function = ir.Function(module, kind, "call")
    return str(_Writer(module, kernel, function, inner).write())


class _Writer:
    def __init__(self, module: ir.Module, kernel: Kernel, function: ir.Function, inner: ir.Function) -> None:
        self.module, self.kernel, self.function, self.inner = module, kernel, function, inner
        self.builder = ir.IRBuilder(function.append_basic_block())

    def python(self, name: str, result: Any, *arguments: Any) -> Any:
        """Call a function of CPython's."""
        known = self.module.globals.get(name)
        if known is None:
            kinds = [argument.type for argument in arguments]
            known = ir.Function(self.module, ir.FunctionType(result, kinds), name)
        return self.builder.call(known, arguments)

    def write(self) -> ir.Module:
        """Write the whole function."""
        builder, kernel = self.builder, self.kernel
        result = builder.alloca(_POINTER)
        failure = builder.alloca(_FAILURE.as_pointer())
        out = builder.alloca(_LONG, size=max(1, len(kernel.gives)))
        given = [self._argument(k, letter) for k, letter in enumerate(kernel.takes)]
        given.append(builder.ptrtoint(out, _LONG))
        state = None if kernel.keeps_lock else self.python("PyEval_SaveThread", _POINTER)
        status = builder.call(self.inner, [result, failure, *given])
        if state is not None:
            self.python("PyEval_RestoreThread", _NOTHING, state)
        with builder.if_then(builder.icmp_signed("!=", status, _INT(0)), likely=False):
            builder.ret(self._failed(status, failure))
        values = [self._value(out, k, letter) for k, letter in enumerate(kernel.gives)]
        if len(values) == 1:
            builder.ret(values[0])
            return self.module
        made = self.python("PyTuple_New", _POINTER, _LONG(len(values)))
        for k, value in enumerate(values):
            self.python("PyTuple_SetItem", _INT, made, _LONG(k), value)
        builder.ret(made)
        return self.module

    def _argument(self, k: int, letter: str) -> Any:
        builder = self.builder
        argument = builder.load(builder.gep(self.function.args[1], [_LONG(k)]))
        if letter == "a":
            place = builder.gep(argument, [_LONG(object.__basicsize__)])
            return builder.load(builder.bitcast(place, _LONG.as_pointer()))
        number = self.python("PyLong_AsLongLong", _LONG, argument)
        with builder.if_then(builder.icmp_signed("==", number, _LONG(-1)), likely=False):
            error = self.python("PyErr_Occurred", _POINTER)
            with builder.if_then(builder.icmp_unsigned("!=", error, _POINTER(None)), likely=False):
                builder.ret(_POINTER(None))
        return number

    def _value(self, out: Any, k: int, letter: str) -> Any:
        builder = self.builder
        place = builder.gep(out, [_LONG(k)])
        if letter == "f":
            real = builder.load(builder.bitcast(place, _REAL.as_pointer()))
            return self.python("PyFloat_FromDouble", _POINTER, real)
        number = builder.load(place)
        return self.python("PyBool_FromLong" if letter == "b" else "PyLong_FromLongLong", _POINTER, number)

    def _failed(self, status: Any, failure: Any) -> Any:
        """Call ``self``, which raises what it reads in numba's bytes; none are left where memory ran out."""
        builder = self.builder
        with builder.if_then(builder.icmp_signed("<", status, _INT(0)), likely=False):
            builder.ret(self.python("PyErr_NoMemory", _POINTER))
        record = builder.load(failure)
        content = builder.load(builder.gep(record, [_INT(0), _INT(0)]))
        size = builder.sext(builder.load(builder.gep(record, [_INT(0), _INT(1)])), _LONG)
        text = self.python("PyBytes_FromStringAndSize", _POINTER, content, size)
        raised = self.python("PyObject_CallOneArg", _POINTER, self.function.args[0], text)
        self.python("Py_DecRef", _NOTHING, text)
        return raised
