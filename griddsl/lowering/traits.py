"""Traits: what each effect can do, declared where its meaning is written, for all who have to know it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeGuard, TypeVar, get_args

from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk

if TYPE_CHECKING:
    from griddsl.spec.models import GridSpec

_Effect = TypeVar("_Effect", bound=n.Node)
_Taken = TypeVar("_Taken", bound=n.Node, contravariant=True)
EFFECTS: frozenset[type] = frozenset(get_args(n.Effect))


def is_effect(node: object) -> TypeGuard[n.Effect]:
    """Whether a node is an effect."""
    return type(node) in EFFECTS


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits(Generic[_Taken]):
    """What an effect can do.

    ``in_setup`` and ``in_rules``: where it belongs. ``ends``: the episode, or an agent's part in it. ``sends``: a thing
    to another cell. ``puts``: a thing into a cell. ``changes``: which things there are, or what they are. ``holds``:
    other effects. ``repeats``: these, each time on what was left. ``draws``: something that those after it speak of.
    ``asks_first``: all that it asks, before it does anything.

    ``makes`` gives the clause that says what comes to be, ``sets`` the clause of what gets another value, ``gives``
    that of the value, where it is said. ``loses`` tells whether something that has a name may be gone afterwards, or of
    another kind; ``grounds`` whether the tile of a cell may be another afterwards.
    """

    in_setup: bool = True
    in_rules: bool = True
    ends: bool = False
    sends: bool = False
    puts: bool = False
    changes: bool = False
    holds: bool = False
    repeats: bool = False
    draws: bool = False
    asks_first: bool = False
    makes: Callable[[_Taken], n.Expression] | None = None
    sets: Callable[[_Taken], n.Expression] | None = None
    gives: Callable[[_Taken], n.Expression] | None = None
    loses: Callable[[_Taken], bool] = lambda effect: False
    # Kinds are of a room above this one.
    grounds: Callable[[_Taken, GridSpec, Mapping[str, Any]], bool] = lambda effect, spec, kinds: False

    @property
    def moves(self) -> bool:
        """Whether a thing may be in another cell afterwards."""
        return self.sends or self.puts


_DECLARED: dict[type, Traits[Any]] = {}  # by the type of the effects that each is of


def declare(effect: type[_Effect], traits: Traits[_Effect]) -> None:
    """Say what effects of a type can do."""
    assert effect not in _DECLARED, f"the traits of `{effect.__name__}` are declared twice"
    _DECLARED[effect] = traits


def traits(effect: _Effect) -> Traits[_Effect]:
    """Return what an effect can do; one that nobody has declared is a fault of the compiler."""
    if type(effect) not in _DECLARED:
        raise LookupError(f"the traits of `{type(effect).__name__}` are not declared")
    return _DECLARED[type(effect)]


def block_of(effect: n.Effect) -> tuple[n.Effect, ...]:
    """Return the block that an effect carries out in rounds; none of another effect, nor of the branches of ``if``."""
    return effect.body if isinstance(effect, n.Rounds) else ()


def effects_in(clauses: object) -> Iterator[tuple[n.Effect, Traits[n.Effect]]]:
    """Yield every effect in clauses with what it can do, those that others hold among them."""
    for node in walk(clauses):
        if is_effect(node):
            yield node, traits(node)


def of_rules(spec: GridSpec) -> Iterator[tuple[n.Effect, Traits[n.Effect]]]:
    """Yield every effect of rules with what it can do."""
    return effects_in([rule.effects for rule in spec.rules])


def of_spec(spec: GridSpec) -> Iterator[tuple[n.Effect, Traits[n.Effect]]]:
    """Yield every effect of setup and of rules with what it can do."""
    return effects_in(spec.blocks)
