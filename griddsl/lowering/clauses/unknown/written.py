"""Written out: what functions of other languages compute, in the words of this one."""

from __future__ import annotations

import math

from griddsl.diagnostics import Help, write
from griddsl.syntax import nodes as n
from griddsl.syntax.printer import to_text

# What a call with so many arguments is, each of which stands in its place, in brackets where it needs them.
_FORMS: dict[tuple[str, int], tuple[str, str]] = {
    **dict.fromkeys((("clamp", 3), ("clip", 3)), ("min(max({0}, {1}), {2})", "")),
    **dict.fromkeys((("sign", 1), ("sgn", 1)), ("(1 if {0} > 0 else -1 if {0} < 0 else 0)", "")),
    **dict.fromkeys((("square", 1), ("sqr", 1)), ("({0} * {0})", "")),
    ("hypot", 2): ("sqrt({0} * {0} + {1} * {1})", ""),
    **dict.fromkeys((("mod", 2), ("rem", 2), ("modulo", 2), ("fmod", 2)), ("({0} mod {1})", "")),
    **dict.fromkeys((("div", 2), ("idiv", 2), ("floordiv", 2)), ("({0} div {1})", "")),
    **dict.fromkeys(
        ((name, 3) for name in ("if", "iff", "ifelse", "if_else", "where", "select", "cond", "ternary")),
        ("({1} if {0} else {2})", ""),
    ),
}
# The same of what rounds a quotient.
_ROUNDED: dict[str, tuple[str, str]] = {
    **dict.fromkeys(("floor", "int", "trunc", "floordiv"), ("({0} div {1})", ": it rounds downwards")),
    **dict.fromkeys(("ceil", "ceiling"), ("(({0} + {1} - 1) div {1})", ": `div` rounds downwards")),
    "round": ("((2 * {0} + {1}) div (2 * {1}))", ": `div` rounds downwards"),
}
_MEAN = {"mean", "avg", "average"}
_LOGARITHMS = {"log", "ln", "log2", "log10"}


def written_out(node: n.Call) -> str | None:
    """Return what computes the same as a function that there is not; None where it is none of these."""
    form = _FORMS.get((node.name, len(node.arguments)))
    if form is not None:
        return _filled(node, form, node.arguments)
    if node.name in {"pow", "power"} and len(node.arguments) == 2:
        return _power(node)
    if len(node.arguments) != 1:
        return None
    (only,) = node.arguments
    if node.name in _ROUNDED and isinstance(only, n.Arithmetic) and only.operator == "/":
        return _filled(node, _ROUNDED[node.name], (only.left, only.right))
    if node.name in {"floor", "ceil", "ceiling", "trunc"}:
        return "whole numbers stay whole; of a quotient `a div b` is the whole part, rounded downwards"
    if node.name in _MEAN and node.each is not None:
        through = to_text(node.each) + ("" if node.where is None else f" where {to_text(node.where)}")
        return write(f"(sum({to_text(only)} for {through}) / max(1, count({through})))", place=node.span)
    if node.name in _LOGARITHMS:
        return _logarithm(node, only)
    return None


def _filled(node: n.Call, form: tuple[str, str], arguments: tuple[n.Expression, ...]) -> Help:
    return write(form[0].format(*map(_bracketed, arguments)), form[1], node.span)


def _bracketed(node: n.Expression) -> str:
    text = to_text(node)
    return text if isinstance(node, n.Name | n.Attribute | n.Number | n.Call | n.Pattern) else f"({text})"


def _power(node: n.Call) -> str:
    base, exponent = node.arguments
    if isinstance(exponent, n.Number) and exponent.value in {2, 3, 4}:
        return write(f"({' * '.join([_bracketed(base)] * int(exponent.value))})", place=node.span)
    if isinstance(base, n.Number) and base.value > 0:
        rate = f"{math.log(base.value):.9g}"
        return write(
            f"exp({rate} * {_bracketed(exponent)})", f": the logarithm of {base.text} is {rate}", node.span
        )
    return "there is no power; `x * x` is the square, and `exp(a * n)` a power of e"


def _logarithm(node: n.Call, of: n.Expression) -> str:
    if not isinstance(of, n.Number) or of.value <= 0:
        return "there is no logarithm; of a constant it is a number"
    base = {"log2": 2.0, "log10": 10.0}.get(node.name, math.e)
    return write(f"{math.log(of.value) / math.log(base):.9g}", place=node.span)
