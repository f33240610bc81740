"""Parameters: the values that they have in this environment, checked against their domains."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np

from griddsl.diagnostics import Report, did_you_mean
from griddsl.lowering.world.domains import Domain, read_domain
from griddsl.source import Span
from griddsl.spec.models import GridSpec
from griddsl.spec.reckoned import Scalar
from griddsl.spec.taken_names import call_that_takes

BUILT_IN_PARAMS = frozenset({"level"})
EPISODES = "episodes"  # so many of one draw make a trial
OBSERVATION = "observation"  # in which form
MOST_EPISODES = 1_000_000


def bind_params(spec: GridSpec, report: Report) -> tuple[dict[str, Scalar], dict[str, Domain]]:
    """Return the values of the parameters, the given ones checked, and their domains."""
    values: dict[str, Scalar] = {}
    domains: dict[str, Domain] = {}
    for declaration in spec.params:
        if declaration.name in domains:
            report.add("duplicate-name", declaration.span, name=declaration.name)
            continue
        if declaration.name in BUILT_IN_PARAMS and spec.maps:
            line = f"`{declaration.name}` is which of the maps is played; choose another name, such as `my_level`"
            report.add("hidden-word", declaration.span, name=declaration.name, of="the language", help=line)
            continue
        domain, code = read_domain(
            declaration.default, declaration.domain, values, report, declaration.name, real=True
        )
        if domain is None:
            continue
        _tell_of_taken(declaration.name, declaration.span, report)
        domains[declaration.name] = domain
        values[declaration.name] = _decoded(domain, code)
    for name, value in spec.arguments.items():
        if name in BUILT_IN_PARAMS and name not in domains:
            values[name] = value
            continue
        if name == EPISODES and name not in domains:
            if _is_trial(spec, value, report):
                values[name] = int(value)
            continue
        if name == OBSERVATION and name not in domains:
            continue
        if name not in domains and any(each.name == name for each in spec.params):
            continue  # its declaration is at fault, of which it is said
        if name not in domains:
            known = [*domains, *(BUILT_IN_PARAMS if spec.maps else ()), *([EPISODES] if spec.once else ())]
            known.append(OBSERVATION)
            said = did_you_mean(name, known) or f"parameters: {', '.join(known)}"
            report.add("unknown-param", spec.place("env"), name=name, help=said)
            report.unexpected = report.unexpected or (name, known)
            continue
        given = domains[name].code(_plain(value))
        if given is None:
            span = next(declaration.span for declaration in spec.params if declaration.name == name)
            is_text = isinstance(value, str) and domains[name].form in {"int", "real"}
            shown = _shown(repr(value) if is_text else value)
            help = _needed(name, domains[name], _plain(value))
            report.add("param-value", span, name=name, value=shown, domain=domains[name], help=help)
            continue
        values[name] = _decoded(domains[name], given)
    return values, domains


def _tell_of_taken(name: str, span: Span, report: Report) -> None:
    """Say of a parameter that it cannot be given in Python where a function has an argument of its name."""
    call = call_that_takes(name)
    if call is not None:
        help = f"call it otherwise, such as `game_{name}`; `--param {name}=VALUE` gives it as it is"
        report.add("taken-name", span, name=name, call=call, help=help)


def _needed(name: str, domain: Domain, value: Scalar) -> str | None:
    """Say of which kind a value has to be, where it is of another; a word that is near, where one is asked for."""
    if domain.form == "bool":
        return "it is `true` or `false`; in Python `True` or `False`"
    if domain.form == "words":
        return did_you_mean(value, domain.words) if isinstance(value, str) else "a word is needed, as a text"
    if isinstance(value, str):
        number = _number_in(value)
        meant = (
            f": `{name}={value.strip()}`" if number is not None and domain.code(number) is not None else ""
        )
        return f"it is a text, and a number is needed{meant}"
    if isinstance(value, bool):
        return "it is a truth value, and a number is needed"
    if not isinstance(value, int | float | Fraction):
        return "a number is needed"
    is_whole = value == value and abs(value) != float("inf") and value % 1 == 0
    return None if domain.form == "real" or is_whole else "a whole number is needed"


def _number_in(text: str) -> Fraction | None:
    """Return the number that a text is written for; None where it is none."""
    return Fraction(text.strip()) if re.fullmatch(r"\s*-?\d{1,12}(\.\d{1,12})?\s*", text) else None


def _is_trial(spec: GridSpec, value: Scalar, report: Report) -> bool:
    """Whether so many episodes can be a trial; report where they cannot."""
    place, reason, help = spec.place("once" if spec.once else "env"), "", ""
    if not spec.once:
        reason = "`episodes` makes several episodes of one draw into one, and nothing is drawn once here"
        help = "what stays from episode to episode stands in a block `once:`"
    elif spec.agents:
        reason = "`episodes` is for one agent, and here are several"
        help = "without it, what `once:` draws stays until the next reset with a seed, for several as well"
    elif (
        isinstance(value, bool) or not isinstance(value, int | np.integer) or not 1 <= value <= MOST_EPISODES
    ):
        reason = (
            f"`episodes` is a whole number from 1 to {MOST_EPISODES:,}, not {_shown(repr(_plain(value)))}"
        )
    if reason:
        report.add("bad-value", place, reason=reason, help=help or None)
    return not reason


def _shown(value: object) -> str:
    text = str(value)
    return text if len(text) <= 60 else f"{text[:60]}..."


def _plain(value: Scalar) -> Scalar:
    """Return a numpy scalar as Python's own; everything else as it is."""
    return value.item() if isinstance(value, np.generic) else value


def _decoded(domain: Domain, code: int | Fraction) -> Scalar:
    if domain.form == "words":
        return domain.words[int(code)]
    return bool(code) if domain.form == "bool" else Fraction(code)
