"""Constants: what an expression of numbers and parameters is worth before the first step."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence, Set
from fractions import Fraction

from griddsl.diagnostics import Report, did_you_mean, write
from griddsl.program.ir import COMPARED
from griddsl.source import Span
from griddsl.spec.reckoned import RECKONED, Scalar
from griddsl.syntax import nodes as n

_MADE_OF = (
    n.Number
    | n.Truth
    | n.Name
    | n.Negate
    | n.Arithmetic
    | n.IfElse
    | n.Is
    | n.Not
    | n.Logic
    | n.Compare
    | n.Call
)
# What is reckoned exactly: how, and whether of one number or of several.
FUNCTIONS: Mapping[str, tuple[Callable[[Sequence[Fraction]], Fraction], bool]] = {
    "min": (min, False),
    "max": (max, False),
    "abs": (lambda numbers: abs(numbers[0]), True),
    "nth": (lambda numbers: numbers[1 + max(0, min(math.floor(numbers[0]), len(numbers) - 2))], False),
}


def is_constant(
    node: n.Expression, known: Callable[[str], bool], functions: Set[str] = FUNCTIONS.keys()
) -> bool:
    """Whether an expression is made of constants alone, as it is written; ``known`` says which names are constants."""
    return all(
        isinstance(part, _MADE_OF)
        and (not isinstance(part, n.Name) or known(part.name))
        and (not isinstance(part, n.Call) or part.name in functions)
        for part in n.walk(node)
    )


def constant_number(
    node: n.Expression, params: Mapping[str, Scalar], report: Report, what: str = "this"
) -> Fraction | None:
    """Evaluate an expression of numbers and parameters exactly; None, with a diagnostic, where it is not one."""
    value = constant(node, params, report, what)
    if value is None:
        return None
    if isinstance(node, n.Name) and node.name not in params:
        help: str = f"`{node.name}` is no parameter: `param {node.name}: 5 in 1..9` makes it one"
        if node.name == "limit":
            help = "write the number of steps itself, or `param steps: 100`, and `steps` for both"
        help = did_you_mean(node.name, params) or help
        report.add("not-constant", node.span, what=what, help=help)
        return None
    if isinstance(value, bool | str):
        report.add("type", node.span, found=_word_for(value), expected="a number")
        return None
    return Fraction(value)


def _word_for(value: bool | str) -> str:
    return f"`{str(value).lower()}`" if isinstance(value, bool) else f"`{value}`"


def constant(
    node: n.Expression, params: Mapping[str, Scalar], report: Report, what: str = "this"
) -> Scalar | None:
    """Evaluate an expression of constants and parameters; words that are no parameter stand for themselves."""
    match node:
        case n.Number(value):
            return value
        case n.Truth(value):
            return value
        case n.Text(value):
            return value
        case n.Name(name):
            return params.get(name, name)
        case n.Negate(value):
            inner = constant_number(value, params, report, what)
            return None if inner is None else -inner
        case n.Arithmetic(operator, left, right):
            first = constant_number(left, params, report, what)
            second = constant_number(right, params, report, what)
            return (
                None
                if first is None or second is None
                else _calculate(operator, first, second, node.span, report)
            )
        case n.IfElse(test, then, otherwise):
            holds = _decided(test, params, report, what)
            return None if holds is None else constant(then if holds else otherwise, params, report, what)
        case n.Is(left, right, negated) if any(
            isinstance(side, n.Name) and side.name in params for side in (left, right)
        ):
            one, other = (constant(side, params, report, what) for side in (left, right))
            return None if one is None or other is None else (one == other) != negated
        case n.Not(value):
            holds = _decided(value, params, report, what)
            return None if holds is None else not holds
        case n.Logic(operator, values):
            return _joined(operator, [_decided(value, params, report, what) for value in values])
        case n.Compare(operator, left, right):
            first = constant_number(left, params, report, what)
            second = constant_number(right, params, report, what)
            return None if first is None or second is None else COMPARED[operator](first, second)
        case n.Call(name, arguments) if name in FUNCTIONS:
            reckon, of_one = FUNCTIONS[name]
            found = [constant_number(argument, params, report, what) for argument in arguments]
            numbers = [number for number in found if number is not None]
            if (len(found) != 1) if of_one else (len(found) < 2):
                expected = "one number" if of_one else "two numbers or more"
                report.add("wrong-arguments", node.span, name=name, expected=expected)
                return None
            return reckon(numbers) if len(numbers) == len(found) else None
    help: str = "use numbers and parameters only"
    if isinstance(node, n.Call) and node.name == "range" and len(node.arguments) in {1, 2}:
        ends = [argument for argument in node.arguments if isinstance(argument, n.Number)]
        if len(ends) == len(node.arguments):
            low = int(ends[0].value) if len(ends) == 2 else 0
            help = write(f"{low}..{int(ends[-1].value) - 1}")
    report.add("not-constant", node.span, what=what, help=help)
    return None


def _decided(node: n.Expression, params: Mapping[str, Scalar], report: Report, what: str) -> bool | None:
    """Whether a condition of constants and parameters holds; None where it is decided later, which is reported."""
    value = constant(node, params, report, what)
    if isinstance(value, str):  # a name that is no parameter: a variable, or one that is drawn
        report.add("not-constant", node.span, what=what, help="use numbers and parameters only")
        return None
    return None if value is None else bool(value)


def _joined(operator: str, held: Sequence[bool | None]) -> bool | None:
    """Join conditions of which None are not decided; None where these matter."""
    if operator == "xor":
        return None if None in held else sum(map(bool, held)) % 2 == 1
    settling = operator == "or"
    if settling in held:
        return settling
    return None if None in held else not settling


def _calculate(operator: str, left: Fraction, right: Fraction, span: Span, report: Report) -> Fraction | None:
    if operator in {"/", "div", "mod"} and right == 0:
        report.add("division-by-zero", span)
        return None
    return RECKONED[operator](left, right)
