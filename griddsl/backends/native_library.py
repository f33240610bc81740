"""Libraries of machine code: what numba compiled once is kept as object files, and loaded without numba.

A library is a folder named by a hash of all that it depends on: the module that its kernels are written in, large
tables beside it, the object files, and ``kernels.json``, which names them. A folder is made whole under another name
and then renamed, so that processes that start together do not disturb each other.
"""

from __future__ import annotations

import ctypes
import gc
import hashlib
import importlib.util
import json
import logging
import os
import pickle
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn, TypeAlias

import numpy as np

from griddsl.cache import folder
from griddsl.program import drawing

_LOG = logging.getLogger("griddsl")
_METH_FASTCALL = 0x80


@dataclass(frozen=True)
class Kernel:
    """A function that Python calls: its name, what it takes and what it gives.

    ``takes`` has a letter for each argument, ``i`` a whole number and ``a`` an array; the function is given numbers
    only, for an array the address of its values, and last the address where it writes what it gives: 64 bits for each
    letter of ``gives``, ``i`` a whole number, ``f`` a real, ``b`` a flag. Unless it ``keeps_lock`` other threads run
    meanwhile.
    """

    name: str
    takes: str
    gives: str
    keeps_lock: bool = False


@dataclass(frozen=True)
class Text:
    """The text of a module, whose it is, and the large tables beside it: name, values as bytes, and dtype."""

    title: str
    code: str
    tables: tuple[tuple[str, bytes, str], ...] = ()


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
    home = _made(f"griddsl_native_{_digest(text, repr(kernels))}", text, kernels)
    loaded = json.loads((home / "kernels.json").read_text(encoding="utf-8"))
    tables = {name: np.load(home / f"{name}.npy") for name, _, _ in text.tables}
    return Library({kernel.name: _load(home, kernel, loaded[kernel.name]) for kernel in kernels}, tables)


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
    for room in ("native_runtime.py", "native_kernels.py", "native_call.py", "native_library.py"):
        digest.update((here / room).read_bytes())
    digest.update(Path(drawing.__file__).read_bytes())
    return digest.hexdigest()[:24]


def numba_module(text: Text) -> ModuleType:
    """Return a module of functions that numba compiles and keeps itself, whatever they are called with."""
    name = f"griddsl_numba_{_digest(text)}"
    return sys.modules.get(name) or module_at(_made(name, text, ()) / "program.py", name)


def _made(name: str, text: Text, kernels: Sequence[Kernel]) -> Path:
    """Return the folder of a module, and the library of its kernels."""
    try:
        home = folder()
        if (home / name / "kernels.json").is_file():
            return home / name
        home.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=f".{name}-", dir=home))
    except OSError:
        home = Path(tempfile.mkdtemp(prefix="griddsl-"))
        draft = Path(tempfile.mkdtemp(dir=home))
    try:
        _write(draft, name, text, kernels)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise
    target = home / name
    try:
        draft.rename(target)
    except OSError:
        if not (target / "kernels.json").is_file():
            return draft
        shutil.rmtree(draft, ignore_errors=True)
    return target


def _write(draft: Path, name: str, text: Text, kernels: Sequence[Kernel]) -> None:
    """Write a module, its large tables, and the object files of its kernels."""
    (draft / "program.py").write_text(text.code, encoding="utf-8")
    for table, content, dtype in text.tables:
        np.save(draft / f"{table}.npy", np.frombuffer(content, dtype=dtype))
    symbols: dict[str, list[str]] = {}
    if kernels:
        _LOG.info("%s: compiled to machine code, which is kept in %s", text.title, draft.parent)
        with ExitStack() as stack:
            for watcher in _watchers:
                stack.enter_context(watcher(text.title))
            if gc.isenabled():  # all that the compiler makes is in use, and looking for garbage takes long
                gc.disable()
                stack.callback(gc.enable)
            module = module_at(draft / "program.py", name)
            symbols = {
                kernel.name: _compile(draft, getattr(module, kernel.name), kernel) for kernel in kernels
            }
    (draft / "kernels.json").write_text(json.dumps(symbols), encoding="utf-8")


def module_at(path: Path, name: str) -> ModuleType:
    """Return the module that a file holds."""
    found = importlib.util.spec_from_file_location(name, path)
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules[name] = module  # where numba looks for it
    try:
        found.loader.exec_module(module)
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


def _compile(home: Path, function: Callable[..., None], kernel: Kernel) -> list[str]:
    """Write the object files of a kernel; return the symbols that they ask others for."""
    import llvmlite.binding as llvm
    from numba import njit, types

    from griddsl.backends.native_call import wrapper

    numba_types: Any = types
    signature = numba_types.void(*[numba_types.int64] * (len(kernel.takes) + 1))
    # Without numba's two ways in, which Python would call: to compile them takes longer than some kernels do.
    options = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "error_model": "numpy"}
    (compiled,) = njit(signature, **options)(function).overloads.values()
    code = compiled.library
    (home / f"{kernel.name}.o").write_bytes(code.serialize_using_object_code()[2][0])
    module = llvm.parse_assembly(wrapper(kernel, compiled.fndesc.llvm_func_name))
    (home / f"{kernel.name}_call.o").write_bytes(_target().emit_object(module))
    asked = re.findall(r'^declare [^@]*@"?([\w.$]+)', code.get_llvm_str(), re.MULTILINE)
    return [name for name in asked if not name.startswith("llvm.")]


# Loading


@cache
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


def _load(home: Path, kernel: Kernel, symbols: Sequence[str]) -> Callable[..., Any]:
    """Return a kernel as a function of Python's."""
    import llvmlite.binding as llvm

    target = _target()
    if any(llvm.address_of_symbol(symbol) is None for symbol in symbols):
        _let_numbas_own_be_found()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target)
    for name in (f"{kernel.name}.o", f"{kernel.name}_call.o"):
        engine.add_object_file(llvm.object_file.ObjectFileRef.from_path(str(home / name)))
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
