"""A program as a file of C: the form walked node by node with nothing but `griddsl.program`, and played through ctypes.

It is there to show that the form is enough for a backend in another language. Whole numbers are 64 bits wide, reals
doubles; the state of the one game that a library plays lies in ``s`` and ``f``, its random stream in ``r``.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from griddsl.program import ir
from griddsl.program.program import Program

CC = shutil.which("cc")
MOST_OUT = 65_536  # entries of an observation
RUNTIME = r"""
#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
typedef int64_t i64;
uint64_t r;
i64 ret_int[4];
double ret_real[4];
static jmp_buf failed;

static uint64_t next64(void) {
  uint64_t z = (r += 0x9E3779B97F4A7C15ull);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}
static i64 draw(i64 n) {
  uint64_t m = (next64() >> 32) * (uint64_t)n;
  uint64_t least = (0x100000000ull - (uint64_t)n) % (uint64_t)n;
  while ((m & 0xFFFFFFFFull) < least) m = (next64() >> 32) * (uint64_t)n;
  return (i64)(m >> 32);
}
static i64 odds(i64 wins, i64 of) { return draw(of) < wins; }
static i64 chance(double p) { return (double)(next64() >> 11) * 0x1p-53 < p; }
static i64 weighted(const i64 *totals, i64 count) {
  i64 drawn = draw(totals[count - 1]), place = 0;
  while (drawn >= totals[place]) place++;
  return place;
}
static i64 below(i64 a, i64 b) { i64 q = a / b; return q * b != a && (a < 0) != (b < 0) ? q - 1 : q; }
static i64 rest(i64 a, i64 b) { return a - below(a, b) * b; }
static double below_real(double a, double b) { return floor((a - fmod(a, b)) / b + 0.5); }
static double rest_real(double a, double b) {
  double m = fmod(a, b);
  if (m != 0) return (b < 0) != (m < 0) ? m + b : m;
  return copysign(0.0, b);
}
static i64 least(i64 a, i64 b) { return b < a ? b : a; }
static i64 most(i64 a, i64 b) { return b > a ? b : a; }
static double least_real(double a, double b) { return b < a ? b : a; }
static double most_real(double a, double b) { return b > a ? b : a; }
static double power_of_e(double a) {
  static const double whole[] = {6227020800, 479001600, 39916800, 3628800, 362880, 40320, 5040, 720, 120, 24, 6, 2};
  if (isnan(a)) return a;
  a = least_real(most_real(a, -700), 700);
  double power = floor(a * 1.4426950408889634 + 0.5), curve = 0;
  double r = a - power * 0.6931471803691238 - power * 1.9082149292705877e-10;
  for (int n = 0; n < 12; n++) curve = curve * r + 1 / whole[n];
  return ldexp(1 + (r + r * r * curve), (int)power);
}
static i64 size(i64 a) { return a < 0 ? -a : a; }
static i64 at(i64 place, i64 count) { return place < 0 ? place + count : place; }
"""


class Unsuitable(ValueError):
    """The program needs Python, or a generator of maps."""


class Printer:
    """Prints the functions of a program; every local is called ``l_`` and its name, whatever C calls so."""

    def __init__(self, program: Program) -> None:
        self.program = program.plain
        self.offsets = program.layout.offsets
        self.tables = {id(table): f"t{number}" for number, table in enumerate(self.program.tables)}
        if program.plug_ins:
            raise Unsuitable("a plug-in")

    def source(self) -> str:
        """Return the whole file."""
        layout = self.program.layout
        integers, reals = self.program.initial()
        functions = self.program.functions.values()
        statements = [part for function in functions for part in ir.statements(function.body)]
        copies = sum(isinstance(statement, ir.Keep) for statement in statements)
        size, reals_size = max(1, layout.size), max(1, layout.reals)
        lines = [
            RUNTIME,
            f"i64 s[{size}]; double f[{reals_size}];",
            f"double out[{MOST_OUT}];",
            f"static i64 kept[{max(1, copies)}][{size}];",
            f"static const i64 INITIAL[{size}] = {{{', '.join(map(str, integers)) or '0'}}};",
            f"static const double INITIAL_REALS[{reals_size}] = {{{', '.join(map(_real, reals)) or '0'}}};",
            *(self._table(table) for table in self.program.tables),
            *(f"{self._head(function)};" for function in functions),
        ]
        for function in functions:
            lines.extend(self._function(function))
        lines.append("i64 begin(i64 level) { if (setjmp(failed)) return 0; f_reset(level); return 1; }")
        return "\n".join(lines) + "\n"

    def _table(self, table: ir.Table) -> str:
        values = np.asarray(table.values).tolist()
        text = ", ".join(map(_real if table.type == "real" else str, values)) or "0"
        kind = "double" if table.type == "real" else "i64"
        return f"static const {kind} {self.tables[id(table)]}[] = {{{text}}};"

    # Functions

    def _head(self, function: ir.Function) -> str:
        result = _kind(function.results[0].type) if len(function.results) == 1 else "void"
        given = ", ".join(f"{_kind(each.type)} l_{each.name}" for each in function.parameters)
        return f"{result} f_{function.name}({given or 'void'})"

    def _function(self, function: ir.Function) -> Iterator[str]:
        yield f"{self._head(function)} {{"
        given = {parameter.name for parameter in function.parameters}
        kinds: dict[str, str] = {}
        for statement in ir.statements(function.body):
            match statement:
                case ir.Let(name, value) | ir.Bind(name, value):
                    if value.type == "real" or name not in kinds:
                        kinds[name] = _kind(value.type)
                case ir.For(name):
                    kinds[name] = "i64"
                case ir.Keep(name, place):
                    yield f"  const i64 l_{name} = {place};"
        yield from (f"  {kind} l_{name};" for name, kind in kinds.items() if name not in given)
        yield from self._block(function.body)
        yield "}"

    def _block(self, block: ir.Block) -> Iterator[str]:
        for statement in block:
            yield from ("  " + line for line in self._statement(statement))

    def _statement(self, statement: ir.Stmt) -> Iterator[str]:
        text = self._text
        match statement:
            case ir.Let(name, value) | ir.Bind(name, value):
                yield f"l_{name} = {text(value)};"
            case ir.Store(slot, index, value):
                yield f"{self._place(slot, index)} = {text(value)};"
            case ir.Out(index, value):
                yield f"out[{text(index)}] = {text(value)};"
            case ir.If(test, then, otherwise):
                yield f"if ({text(test)}) {{"
                yield from self._block(then)
                yield "} else {"
                yield from self._block(otherwise)
                yield "}"
            case ir.For(name, low, high, body):
                yield f"for (i64 count = {text(low)}, end = {text(high)}; count < end; count++) {{"
                yield f"  l_{name} = count;"
                yield from self._block(body)
                yield "}"
            case ir.While(test, body):
                yield f"while ({text(test)}) {{"
                yield from self._block(body)
                yield "}"
            case ir.Break():
                yield "break;"
            case ir.Do(call):
                yield f"{text(call)};"
            case ir.Return(values):
                yield from self._returned(values)
            case ir.Copy(slot, table, start):
                first = text(start)
                entry = f"{self.tables[id(table)]}[{first} + k]"
                yield f"for (i64 k = 0; k < {slot.length}; k++) {self._entry(slot, 'k')} = {entry};"
            case ir.Fill(slot, value):
                filled = text(value)
                yield f"for (i64 k = 0; k < {slot.length}; k++) {self._entry(slot, 'k')} = {filled};"
            case ir.Restart():
                yield "memcpy(s, INITIAL, sizeof s); memcpy(f, INITIAL_REALS, sizeof f);"
            case ir.Keep(_, place):
                yield f"memcpy(kept[{place}], s, sizeof s);"
            case ir.Restore(name):
                yield f"memcpy(s, kept[l_{name}], sizeof s);"
            case ir.Blank(count, value):
                yield f"for (i64 k = 0; k < {text(count)}; k++) out[k] = {text(value)};"
            case ir.Fail():
                yield "longjmp(failed, 1);"
            case ir.Generate(generator):
                raise Unsuitable(generator)
            case ir.Note() | ir.Fired():
                pass
            case _:
                raise AssertionError(statement)

    def _returned(self, values: tuple[ir.Expr, ...]) -> Iterator[str]:
        if len(values) == 1:
            yield f"return {self._text(values[0])};"
            return
        for place, value in enumerate(values):
            yield f"ret_{'real' if value.type == 'real' else 'int'}[{place}] = {self._text(value)};"
            if value.type != "real":
                yield f"ret_real[{place}] = (double)ret_int[{place}];"
        yield "return;"

    # Expressions, in parentheses wherever they hold more than one word

    def _entry(self, slot: ir.Slot, index: str) -> str:
        return f"{'f' if slot.type == 'real' else 's'}[{self.offsets[slot.key]} + {index}]"

    def _place(self, slot: ir.Slot, index: ir.Expr) -> str:
        return self._entry(slot, self._text(index))

    def _text(self, value: ir.Expr) -> str:
        match value:
            case ir.Const(type="real"):
                return _real(float(value.value))
            case ir.Const():
                return f"({int(value.value)}ll)"
            case ir.Local(name):
                return f"l_{name}"
            case ir.Load(slot, index):
                place = self._place(slot, index)
                return f"({place} != 0)" if slot.type == "bool" else place
            case ir.Lookup(table, index):
                place = self._text(index)
                place = f"at({place}, {len(table.values)})" if index.low < 0 else place
                return f"{self.tables[id(table)]}[{place}]"
            case ir.Claim(inner):
                return self._text(inner)
            case ir.Select(test, then, otherwise):
                return f"({self._text(test)} ? {self._text(then)} : {self._text(otherwise)})"
            case ir.Call(function, values):
                return f"f_{function}({self._list(values)})"
            case ir.Draw("weighted", totals=ir.Table() as totals):
                return f"weighted({self.tables[id(totals)]}, {len(totals.values)})"
            case ir.Draw(how, values):
                return f"{how}({self._list(values)})"
            case ir.Op():
                return self._operator(value)
        raise Unsuitable(type(value).__name__)

    def _list(self, values: Iterable[ir.Expr]) -> str:
        return ", ".join(map(self._text, values))

    def _operator(self, value: ir.Op) -> str:
        texts = [self._text(part) for part in value.values]
        real = "_real" if any(part.type == "real" for part in value.values) else ""
        match value.operator:
            case "not":
                return f"(!{texts[0]})"
            case "neg":
                return f"(-{texts[0]})"
            case "abs":
                return f"{'fabs' if real else 'size'}({texts[0]})"
            case "sqrt":
                return f"sqrt({texts[0]})"
            case "exp":
                return f"power_of_e({texts[0]})"
            case "min" | "max" as name:
                folded = texts[0]
                for text in texts[1:]:
                    folded = f"{'least' if name == 'min' else 'most'}{real}({folded}, {text})"
                return folded
            case "/":
                return f"((double){texts[0]} / (double){texts[1]})"
            case "//":
                return f"below{real}({texts[0]}, {texts[1]})"
            case "%":
                return f"rest{real}({texts[0]}, {texts[1]})"
        sign = {"and": "&&", "or": "||"}.get(value.operator, value.operator)
        return f"({f' {sign} '.join(texts)})"


def _kind(type: ir.Type) -> str:
    return "double" if type == "real" else "i64"


def _real(value: float) -> str:
    if value != value or value in (float("inf"), float("-inf")):
        return "NAN" if value != value else "INFINITY" if value > 0 else "(-INFINITY)"
    return f"({float(value).hex()})"


class Game:
    """A program that was compiled by the system's C compiler, in a folder."""

    def __init__(self, program: Program, folder: Path) -> None:
        text = Printer(program).source()
        source, library = folder / "game.c", folder / "game.so"
        source.write_text(text, encoding="utf-8")
        flags = ["-std=c11", "-O0", "-ffp-contract=off", "-w", "-shared", "-fPIC"]
        subprocess.run([str(CC), *flags, "-o", library, source, "-lm"], check=True)
        self.program, self.library = program, ctypes.CDLL(str(library))
        layout = program.layout
        self.s = self._array("s", np.int64, layout.size)
        self.f = self._array("f", np.float64, layout.reals)
        self.out = self._array("out", np.float64, MOST_OUT)
        self.results = self._array("ret_real", np.float64, 4)
        self.stream = self._array("r", np.uint64, 1)

    def _array(self, name: str, dtype: Any, count: int) -> Any:
        """Return a variable of the library as an array, not a copy."""
        here = (ctypes.c_int64 * max(1, count)).in_dll(self.library, name)
        return np.ctypeslib.as_array(here).view(dtype)[:count]

    def reset(self, counter: int) -> bool:
        """Start an episode from a state of the stream; return whether setup found its places."""
        self.stream[0] = counter
        begin = self.library.begin
        begin.restype = ctypes.c_int64
        return bool(begin(ctypes.c_int64(-1)))

    def step(self, actions: Iterable[int]) -> tuple[float, bool, bool]:
        """Take a step; return the reward and both flags."""
        self.library.f_step(*map(ctypes.c_int64, actions))
        reward, terminated, truncated = self.results[:3].tolist()
        return reward, bool(terminated), bool(truncated)

    def observed(self, function: str, size: int | None) -> Any:
        """Return what an observation function gives: ``size`` numbers, or one where that is None."""
        called = getattr(self.library, f"f_{function}")
        if size is None:
            is_real = self.program.functions[function].results[0].type == "real"
            called.restype = ctypes.c_double if is_real else ctypes.c_int64
            return called()
        self.out[:size] = 0
        called()
        return self.out[:size].copy()

    @property
    def state(self) -> tuple[list[int], list[float], int]:
        """All that is kept between two steps, and the counter of the stream."""
        layout = self.program.layout
        return self.s[: layout.saved].tolist(), self.f[: layout.saved_reals].tolist(), int(self.stream[0])
