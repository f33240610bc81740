"""Domains and constants: ranges and words of variables, attributes and parameters, and their values."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeGuard

from griddsl.compass import LISTS
from griddsl.diagnostics import Help, Report, did_you_mean, write
from griddsl.lowering.world.constants import constant, constant_number
from griddsl.source import Span
from griddsl.spec.reckoned import Scalar
from griddsl.syntax import nodes as n

LARGEST = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Domain:
    """What a variable can be: whole numbers, words, true/false, or (for parameters) real numbers."""

    form: str  # "int", "words", "bool" or "real"
    low: Fraction = Fraction(0)
    high: Fraction = Fraction(1)
    words: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.form == "bool":
            return "true | false"
        if self.form == "words":
            return " | ".join(self.words)
        return f"{_shown(self.low)}..{_shown(self.high)}"

    def code(self, value: Scalar | None) -> int | Fraction | None:
        """Return the number that stands for a value; None for a value that is not of the domain."""
        if self.form == "bool":
            return int(value) if isinstance(value, bool) else None
        if self.form == "words":
            return self.words.index(value) if isinstance(value, str) and value in self.words else None
        if value is None or isinstance(value, bool | str):
            return None
        if isinstance(value, float) and not math.isfinite(value):
            return None
        try:
            exact = simplest(value) if isinstance(value, float) else Fraction(value)
        except (TypeError, ValueError):
            return None
        if not self.low <= exact <= self.high:
            return None
        if self.form == "real":
            return exact
        return int(exact) if exact.denominator == 1 else None


def simplest(value: float) -> Fraction:
    """Return the fraction that a float was written for: 1/3 for ``1 / 3``; what it holds where that is none."""
    near = Fraction(value).limit_denominator(1_000_000)
    return near if float(near) == value else Fraction(value)


def _shown(value: Fraction) -> str:
    return str(int(value)) if value.denominator == 1 else f"{float(value):g}"


TYPES = {"int", "integer", "float", "bool", "boolean", "string", "str", "number", "enum"}


def bool_domain() -> Domain:
    """Return the domain of true and false."""
    return Domain("bool")


def read_domain(
    default: n.Expression | None,
    domain: n.Domain | None,
    params: Mapping[str, Scalar],
    report: Report,
    name: str,
    real: bool = False,
) -> tuple[Domain | None, int | Fraction]:
    """Read ``[default] in domain``; return the domain and the code (or the number) of the default."""
    cells = default if isinstance(default, n.Position) else domain if _is_cells(domain, params) else None
    if cells is not None:
        axes = (f"`{name.rpartition('.')[2]}_{axis}: 0 in 0..9`" for axis in "xy")
        help: str = f"two numbers say it, as in {' and '.join(axes)}"
        report.add(
            "bad-domain",
            cells.span,
            reason=f"`{name}` cannot be a cell: it holds a number or a word",
            help=help,
        )
        return None, 0
    if domain is None:
        assert default is not None, "a declaration has a default, a domain, or both"
        return _domain_of_default(default, params, report, name, real)
    if isinstance(domain, n.RangeDomain):
        found = _range(domain, params, report, real, default, name)
    else:
        found = _choices(domain, params, report)
    if found is None:
        return None, 0
    if default is None:
        return found, _start(found)
    value = constant(default, params, report, f"the default of `{name}`")
    code = found.code(value)
    if code is None:
        help = did_you_mean(str(value), found.words) or f"the domain is {found}"
        if value in TYPES:
            help = Help(f"no type is named: leave `{value}` out", ("",))
        report.add(
            "bad-value", default.span, reason=f"the default of `{name}` is not in its domain", help=help
        )
        return found, _start(found)  # what else speaks of it is no mistake
    return found, code


def _is_cells(domain: n.Domain | None, params: Mapping[str, Scalar]) -> TypeGuard[n.ChoiceDomain]:
    """Whether a domain is the cells of the grid, as what an action takes and a loop have them."""
    return (
        isinstance(domain, n.ChoiceDomain)
        and [getattr(value, "name", None) for value in domain.values] == ["cells"]
        and "cells" not in params
    )


def _start(domain: Domain) -> int | Fraction:
    """Return the number that stands for the first value."""
    if domain.form in {"bool", "words"}:
        return 0
    return domain.low if domain.form == "real" else int(domain.low)


def _domain_of_default(
    default: n.Expression, params: Mapping[str, Scalar], report: Report, name: str, real: bool
) -> tuple[Domain | None, int]:
    if isinstance(default, n.Truth):
        return bool_domain(), int(default.value)
    if isinstance(default, n.Name) and isinstance(params.get(default.name), bool):
        return bool_domain(), int(params[default.name])
    written = getattr(default, "name", "")
    help: str = f"for example `{name}: 0 in 0..9` or `{name}: red in red | blue`"
    if written in {"True", "False"}:
        help = write(written.lower())
    elif isinstance(default, n.Number):
        help = f"say what it can be, as in `{name}: {default.text} in 0..{max(9, 2 * int(default.value))}`"
    report.add("bad-domain", default.span, reason=f"`{name}` has no domain", help=help)
    return None, 0


def _range(
    domain: n.RangeDomain,
    params: Mapping[str, Scalar],
    report: Report,
    real: bool,
    default: n.Expression | None,
    name: str,
) -> Domain | None:
    low = constant_number(domain.low, params, report, "the range")
    high = constant_number(domain.high, params, report, "the range")
    if low is None or high is None:
        return None
    if low > high:
        reason = f"the range {_shown(low)}..{_shown(high)} is empty"
        plain = isinstance(domain.low, n.Number | n.Negate) and isinstance(domain.high, n.Number | n.Negate)
        other = f"{_shown(high)}..{_shown(low)}"
        help = write(other) if plain else f"the smaller number stands first: `{other}`"
        report.add("bad-domain", domain.span, reason=reason, help=help)
        return None
    in_range = any(value.denominator != 1 for value in (low, high))
    in_range |= real and any(_is_fraction(end, params) for end in (domain.low, domain.high))
    fractions = in_range or _is_fraction(default, params)
    if fractions and not real:
        report.add(
            "bad-domain",
            domain.span if in_range or default is None else default.span,
            reason=f"`{name}` holds whole numbers",
            help="count in smaller units, such as 0..100; only a `param` may be real",
        )
        return None
    if max(abs(low), abs(high)) > LARGEST:
        report.add("bad-domain", domain.span, reason=f"numbers lie within -{LARGEST:,} and {LARGEST:,}")
        return None
    return Domain("real" if fractions else "int", low, high)


def _is_fraction(default: n.Expression | None, params: Mapping[str, Scalar]) -> bool:
    if default is None:
        return False
    value = constant(default, params, Report(), "")
    written = isinstance(default, n.Number) and ("." in default.text or "%" in default.text)
    return written or (isinstance(value, Fraction) and value.denominator != 1)


def spelled_out(domain: n.ChoiceDomain, named: Container[str], report: Report) -> n.ChoiceDomain:
    """Return a domain with the words that `directions` and `diagonals` stand for, where nothing else is called so."""
    values: list[n.Expression] = []
    weights: list[n.Expression | None] = []
    for value, weight in zip(domain.values, domain.weights, strict=True):
        name = value.name if isinstance(value, n.Name) else ""
        words = () if name in named else LISTS.get(name, ())
        if not words:
            values.append(value)
            weights.append(weight)
            continue
        if weight is not None:
            reason = f"`{value.span.text}` stands for several words, and a weight belongs to one"
            help = f"list them, each with its own: `{' | '.join(f'{word} 1' for word in words)}`"
            report.add("bad-domain", value.span, reason=reason, help=help)
        values += [n.Name(word, value.span) for word in words]
        weights += [weight] * len(words)
    return replace(domain, values=tuple(values), weights=tuple(weights))


def _truths(word: str, span: Span, report: Report) -> Domain:
    """Report `lit in bool`, which would be a single word here; return the domain that is meant."""
    help = write("false | true", ": a domain lists its values", span)
    report.add("bad-domain", span, reason=f"`{word}` is a type, and no domain", help=help)
    return bool_domain()


def _weighted_domain(weight: n.Expression, report: Report) -> None:
    """Report `red blue` and `red 2`: what is declared has no weights."""
    help: str | None = None
    if isinstance(weight, n.Name):
        help = write(f"| {weight.name}", ": values stand apart by `|`", place=weight.span)
    reason = "what stands behind a value is a weight, and a declaration has none"
    report.add(
        "bad-domain",
        weight.span,
        reason=reason,
        help=help or "weights stand in `choose`: `choose n in 1 0.9 | 2 0.1`",
    )


def _parted_by_slash(value: n.Expression, params: Mapping[str, Scalar]) -> list[str]:
    """Return the words of `red/blue`, which is written for `red | blue`: words that mean nothing are not divided."""
    if isinstance(value, n.Name):
        return [] if value.name in params else [value.name]
    if not isinstance(value, n.Arithmetic) or value.operator != "/":
        return []
    left, right = (_parted_by_slash(side, params) for side in (value.left, value.right))
    return [*left, *right] if left and right else []


def _choices(domain: n.ChoiceDomain, params: Mapping[str, Scalar], report: Report) -> Domain | None:
    domain = spelled_out(domain, params, report)
    values = domain.values
    weight = next((each for each in domain.weights if each is not None), None)
    if weight is not None:
        _weighted_domain(weight, report)
        return None
    if all(isinstance(value, n.Truth) for value in values):
        return bool_domain()
    if all(isinstance(value, n.Name) for value in values):
        words = tuple(value.name for value in values if isinstance(value, n.Name))
        if len(words) == 1 and words[0] in {"bool", "boolean"} - params.keys():
            return _truths(words[0], domain.span, report)
        if len(set(words)) < len(words):
            twice = next(value for i, value in enumerate(values) if words[i] in words[:i])
            report.add(
                "bad-domain", twice.span, reason=f"`{words[values.index(twice)]}` stands twice in this domain"
            )
        return Domain("words", words=tuple(dict.fromkeys(words)))
    parted = [word for value in values for word in _parted_by_slash(value, params)]
    if len(parted) > len(values):
        help = write(" | ".join(parted), place=domain.span)
        report.add("bad-domain", domain.span, reason="values of a domain are joined by `|`", help=help)
        return None
    pair = values[0] if len(values) == 1 else None
    if isinstance(pair, n.Position) and isinstance(pair.x, n.Number) and isinstance(pair.y, n.Number):
        help = write(f"{pair.x.text}..{pair.y.text}", ": both ends count", domain.span)
        report.add("bad-domain", domain.span, reason="a range is written with two dots", help=help)
        return None
    numbers = [constant_number(value, params, report, "the domain") for value in values]
    whole = [number for number in numbers if number is not None]
    if len(whole) < len(numbers):
        return None
    if any(number.denominator != 1 for number in whole):
        report.add("bad-domain", domain.span, reason="only a param may be real")
        return None
    first, last = int(min(whole)), int(max(whole))
    if last - first >= len(whole):
        missing = next(number for number in range(first, last) if number not in whole)
        reason = f"its numbers are a range, and {missing} would be one of them"
        help = write(f"{first}..{last}", ", if it may be", place=domain.span)
        report.add("bad-domain", domain.span, reason=reason, help=help)
    return Domain("int", min(whole), max(whole))
