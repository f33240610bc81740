"""Libraries of machine code: what numba compiled once is kept as object files, and loaded without numba.

A library is one file in the cache, named by a hash of all that it depends on: the object files of its
kernels, and the symbols that each asks for. It is compiled in memory, so that a disk that is full, or read-only, costs
the time to compile and nothing else.
"""

from __future__ import annotations

import ctypes
import gc
import hashlib
import importlib.util
import json
import linecache
import logging
import os
import pickle
import re
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from operator import index
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn, TypeAlias

import numpy as np

from griddsl.backends.native.module import Kernel, Text
from griddsl.files import cache
from griddsl.program import drawing
from griddsl.program.verify import doubt_of

_LOG = logging.getLogger("griddsl")
_METH_FASTCALL = 0x80
PATIENCE = 10.0  # seconds, after which somebody who waits is told what for
OBJECTS_VARIABLE = "GRIDDSL_OBJECT_FILES"


class Unproved(RuntimeError):
    """A program is not compiled, for not all that it claims is proved: machine code could write anywhere."""


@dataclass(frozen=True)
class Library:
    """Kernels that can be called, and the tables that lie beside them."""

    kernels: dict[str, Callable[..., Any]]
    tables: dict[str, np.ndarray[Any, Any]]


def is_installed() -> bool:
    """Return whether numba is there, and allowed to compile."""
    return importlib.util.find_spec("numba") is not None and not is_switched_off()


def is_switched_off() -> bool:
    """Return whether ``NUMBA_DISABLE_JIT`` is set."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in {"", "0"}


@lru_cache(maxsize=64)
def library(text: Text, kernels: tuple[Kernel, ...]) -> Library:
    """Return the library of a module's kernels, compiled where it is not kept yet."""
    name = f"griddsl_native_{_digest(text, repr(kernels))}"
    return Library(_called(text, kernels, name), _arrays(text))


def _called(text: Text, kernels: tuple[Kernel, ...], name: str) -> dict[str, Callable[..., Any]]:
    """Return the kernels as functions: from object files, or by numba itself where these cannot be loaded."""
    if loads_objects():
        found = _unpacked(cache.find(name), kernels)
        if found is None:
            with told_when_long(text.title):
                _prove(text)
                found = _compiled(text, kernels, name)
            cache.keep(name, _packed(found))
        try:
            return {kernel.name: _load(kernel, found[kernel.name]) for kernel in kernels}
        except (RuntimeError, OSError, AttributeError) as error:
            _LOG.warning("%s: its machine code cannot be loaded (%s); numba runs it", text.title, error)
    else:
        _LOG.info("%s: numba runs it, for object files are not loaded on %s", text.title, sys.platform)
        _prove(text)
    return _by_numba(text, kernels, name)


def _prove(text: Text) -> None:
    """Prove what a module was made of, before it is compiled: what is kept has been proved."""
    doubt = None if text.program is None else doubt_of(text.program)
    if doubt is not None:
        raise Unproved(doubt)


@contextmanager
def told_when_long(title: str) -> Iterator[None]:
    """Log, as a warning, that code is being compiled, where that takes long: who waits does not know why."""
    advice = "%s: compiling machine code, which is kept for the next time; backend='python' starts at once"
    timer = threading.Timer(PATIENCE, _LOG.warning, (advice, title))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def loads_objects() -> bool:
    """Return whether object files are loaded: on Linux, where it was tried, or as ``GRIDDSL_OBJECT_FILES`` says.

    A loader that is not fit for a system may end the process instead of raising, so elsewhere nobody tries unasked.
    """
    wanted = os.environ.get(OBJECTS_VARIABLE)
    return wanted not in {"", "0"} if wanted is not None else sys.platform == "linux"


def _arrays(text: Text) -> dict[str, np.ndarray[Any, Any]]:
    """Return the large tables of a module."""
    return {name: np.frombuffer(content, dtype).copy() for name, content, dtype in text.tables}


@dataclass(frozen=True)
class _Objects:
    """A kernel as object files: its own, and the one that Python calls; and the symbols that they ask others for."""

    own: bytes
    call: bytes
    symbols: tuple[str, ...]


def _packed(found: dict[str, _Objects]) -> bytes:
    """Return kernels as bytes: a line that says what follows, and the object files."""
    head = [[name, len(each.own), len(each.call), each.symbols] for name, each in found.items()]
    return b"".join([json.dumps(head).encode() + b"\n", *(each.own + each.call for each in found.values())])


def _unpacked(content: bytes | None, kernels: Sequence[Kernel]) -> dict[str, _Objects] | None:
    """Return kernels from their bytes; None where they are not these."""
    if content is None:
        return None
    head, _, rest = content.partition(b"\n")
    found: dict[str, _Objects] = {}
    for name, own, call, symbols in json.loads(head):
        found[name] = _Objects(rest[:own], rest[own : own + call], tuple(symbols))
        rest = rest[own + call :]
    return found if found.keys() >= {kernel.name for kernel in kernels} else None


def _digest(text: Text, *parts: str) -> str:
    """Return a hash of all that machine code depends on."""
    import llvmlite.binding as llvm

    machine = (llvm.get_process_triple(), llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten())
    digest = hashlib.sha256()
    for part in (text.code, version("numba"), version("llvmlite"), sys.version, *machine, *parts):
        digest.update(part.encode() + b"\0")
    for name, content, dtype in text.tables:
        digest.update(f"{name}:{dtype}:".encode() + content)
    here = Path(__file__).parent
    for room in ("runtime.py", "kernels.py", "call.py", "library.py"):
        digest.update((here / room).read_bytes())
    digest.update(Path(drawing.__file__).read_bytes())
    return digest.hexdigest()[:24]


def numba_module(text: Text) -> ModuleType:
    """Return a module of functions that numba compiles, whatever they are called with; see `kept_by_numba`."""
    name = f"griddsl_numba_{_digest(text)}"
    return sys.modules.get(name) or _module(text, name)


def _module(text: Text, name: str) -> ModuleType:
    """Return the module that a text is, which finds its large tables as ``TABLES``."""
    module = ModuleType(name)
    place = f"<griddsl {text.title}, native>"
    module.__dict__.update(__file__=place, TABLES=_arrays(text))
    linecache.cache[place] = (len(text.code), None, text.code.splitlines(keepends=True), place)
    sys.modules[name] = module  # where numba looks for it
    try:
        exec(compile(text.code, place, "exec"), module.__dict__)
    except BaseException:
        del sys.modules[name]
        raise
    return module


# Compiling

Watcher: TypeAlias = Callable[[str], AbstractContextManager[object]]
_watchers: list[Watcher] = []


def on_compiling(watcher: Watcher) -> None:
    """Let a function be called with whose machine code is compiled; what it returns is entered meanwhile."""
    _watchers.append(watcher)


def _compiled(text: Text, kernels: Sequence[Kernel], name: str) -> dict[str, _Objects]:
    """Return the kernels of a module, compiled."""
    _LOG.info("%s: compiled to machine code", text.title)
    with ExitStack() as stack:
        for watcher in _watchers:
            stack.enter_context(watcher(text.title))
        if gc.isenabled():  # all that the compiler makes is in use, and looking for garbage takes long
            gc.disable()
            stack.callback(gc.enable)
        module = _module(text, name)
        return {kernel.name: _objects(getattr(module, kernel.name), kernel) for kernel in kernels}


def _objects(function: Callable[..., None], kernel: Kernel) -> _Objects:
    """Return the object files of a kernel."""
    import llvmlite.binding as llvm
    from numba import njit, types

    from griddsl.backends.native.call import wrapper

    numba_types: Any = types
    signature = numba_types.void(*[numba_types.int64] * (len(kernel.takes) + 1))
    # Without numba's two ways in, which Python would call: to compile them takes longer than some kernels do.
    options = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "error_model": "numpy"}
    (compiled,) = njit(signature, **options)(function).overloads.values()
    code = compiled.library
    module = llvm.parse_assembly(wrapper(kernel, compiled.fndesc.llvm_func_name))
    asked = re.findall(r'^declare [^@]*@"?([\w.$]+)', code.get_llvm_str(), re.MULTILINE)
    symbols = tuple(name for name in asked if not name.startswith("llvm."))
    return _Objects(code.serialize_using_object_code()[2][0], _target().emit_object(module), symbols)


class _Kept:
    """What numba compiled of one function, kept in the cache: numba's own would run whatever lies in its files."""

    cache_path = ""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._stem = f"{function.__module__}-{function.__qualname__}"

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Return what was compiled for a signature; None where it is not kept."""
        from numba.core import compiler

        content = cache.find(self._name(signature))
        if content is None:
            return None
        target.refresh()
        rebuild: Any = compiler.CompileResult._rebuild
        return rebuild(target, *pickle.loads(content))

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep what was compiled for a signature, unless it holds addresses of this process."""
        from numba.core import serialize

        if not compiled.library.has_dynamic_globals and not compiled.lifted:
            dumps: Any = serialize.dumps
            cache.keep(self._name(signature), dumps(compiled._reduce()))

    def flush(self) -> None:
        """Do nothing."""

    def _name(self, signature: Any) -> str:
        return f"{self._stem}-{hashlib.sha256(repr(signature).encode()).hexdigest()[:16]}"


def kept_by_numba(function: Callable[..., Any]) -> Any:
    """Compile a function of a `numba_module` when it is called, and keep what was compiled."""
    from numba import njit

    compiled: Any = njit(nogil=True, error_model="numpy")(function)
    compiled._cache = _Kept(function)
    return compiled


# By numba itself


def _by_numba(text: Text, kernels: Sequence[Kernel], name: str) -> dict[str, Callable[..., Any]]:
    """Return kernels that numba compiles, calls and keeps: each call takes longer, and numba has to be imported."""
    from numba import njit, types

    module = sys.modules.get(name) or _module(text, name)
    numba_types: Any = types
    made = {}
    for kernel in kernels:
        function = getattr(module, kernel.name)
        compiled: Any = njit(nogil=not kernel.keeps_lock, error_model="numpy")(function)
        compiled._cache = _Kept(function)
        compiled.compile((numba_types.int64,) * (len(kernel.takes) + 1))
        compiled.disable_compile()
        made[kernel.name] = _with_addresses(kernel, compiled)
    return made


def _with_addresses(kernel: Kernel, compiled: Callable[..., None]) -> Callable[..., Any]:
    """Return a function that takes and gives what a kernel does, of one that takes addresses."""

    def called(*given: Any) -> Any:
        out = np.zeros(max(1, len(kernel.gives)), np.int64)
        compiled(
            *(
                each.__array_interface__["data"][0] if letter == "a" else np.int64(index(each))
                for each, letter in zip(given, kernel.takes, strict=True)
            ),
            out.__array_interface__["data"][0],
        )
        reals = out.view(np.float64)
        values = tuple(
            float(reals[k]) if letter == "f" else bool(out[k]) if letter == "b" else int(out[k])
            for k, letter in enumerate(kernel.gives)
        )
        return values[0] if len(values) == 1 else values

    return called


# Loading


@lru_cache(maxsize=1)
def _target() -> Any:
    import llvmlite.binding as llvm

    with suppress(RuntimeError):  # newer ones say that this is no longer needed
        llvm.initialize()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple().create_target_machine(opt=2, jit=True)


class _Method(ctypes.Structure):
    """CPython's description of a function, PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("address", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


_kept: list[Any] = []  # machine code, and what describes it, as long as the process lives


def _load(kernel: Kernel, objects: _Objects) -> Callable[..., Any]:
    """Return a kernel as a function of Python's."""
    import llvmlite.binding as llvm

    target = _target()
    if any(llvm.address_of_symbol(symbol) is None for symbol in objects.symbols):
        _let_numbas_own_be_found()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target)
    for content in (objects.own, objects.call):
        engine.add_object_file(llvm.object_file.ObjectFileRef.from_data(content))
    engine.finalize_object()
    address = engine.get_function_address("call")
    method = _Method(kernel.name.encode(), address, _METH_FASTCALL, None)
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype = ctypes.py_object
    make.argtypes = [ctypes.POINTER(_Method), ctypes.py_object, ctypes.c_void_p]
    _kept.append((engine, method))
    made: Callable[..., Any] = make(ctypes.byref(method), _raise, None)
    return made


def _let_numbas_own_be_found() -> None:
    """Let machine code find what it asks numba's runtime for: memory. No code of ours should have to."""
    from numba.core.registry import cpu_target
    from numba.core.runtime import rtsys

    rtsys.initialize(cpu_target.target_context)


def _raise(content: bytes) -> NoReturn:
    """Raise the exception that numba wrote: its class, its arguments, and where it was raised."""
    kind, arguments, *_ = pickle.loads(content)
    raise kind(*(arguments or ()))
