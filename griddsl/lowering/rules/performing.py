"""Performing: effects in order. The parts of the rooms each teach it the effects that they know."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeAlias, TypeVar

from griddsl.diagnostics import write
from griddsl.diagnostics.codes import OF_NUMBERS
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.meaning import condition, evaluate_number
from griddsl.lowering.clauses.whereabouts import is_agent, the_agent
from griddsl.lowering.rules.keeping import changes_kinds, may_replace, with_names_kept
from griddsl.lowering.traits import Traits, declare, effects_in, traits
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.values import Ref
from griddsl.lowering.world.world import World
from griddsl.program import ir
from griddsl.program.proof.tests import left_after
from griddsl.source import Span
from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk
from griddsl.syntax.printer import to_text

_Effect = TypeVar("_Effect", bound=n.Node)
_Performer: TypeAlias = Callable[[Context, _Effect], None]
_PERFORMERS: dict[type, _Performer[Any]] = {}  # by the type of the effects that each emits


def performs(
    effect: type[_Effect], traits: Traits[_Effect]
) -> Callable[[_Performer[_Effect]], _Performer[_Effect]]:
    """Let a function emit effects of this type, which can do what their traits say."""
    declare(effect, traits)

    def register(performer: _Performer[_Effect]) -> _Performer[_Effect]:
        _PERFORMERS[effect] = performer
        return performer

    return register


def perform(ctx: Context, effects: tuple[n.Effect, ...]) -> None:
    """Emit effects in order; names chosen by one are known to those after it."""
    given = ctx
    if ctx.world.spec.rewards == "zero_sum":
        ctx = _with_payers(ctx, effects)
    for position, effect in enumerate(effects):
        here, place = ("in setup", "in a rule") if ctx.stage == "setup" else ("in a rule", "in setup")
        can = traits(effect)
        if not (can.in_setup if ctx.stage == "setup" else can.in_rules):
            word = type(effect).__name__.lower()
            help = None
            if ctx.stage == "setup" and not isinstance(effect, n.Cancel):
                help = f"a rule fires in the first step of each episode: `when step == 1: {to_text(effect)}`"
            ctx.error(
                "wrong-place", effect.span, what=f"`{word}`", where=f"{here}: it belongs {place}", help=help
            )
            continue
        if _replaces(ctx, effects, effect):
            ctx = with_names_kept(ctx, effects[position:])
        known, start = ctx.known, len(ctx.block)
        if not can.asks_first:
            ctx.known = ()  # what is asked in it may be asked after a part of it was done
            ctx.places.changes += 1
        with ctx.clause(effect.span, "leave it out, or say it of a thing on the board"):
            _PERFORMERS[type(effect)](ctx, effect)
        ctx.known = given.known = left_after(known, ctx.block[start:])
        ctx.places.changes += 1
        if not ctx.after_changes and changes_kinds((effect,)):
            ctx = ctx.inner(block=ctx.block, scope=ctx.scope, after_changes=True)


def _replaces(ctx: Context, effects: tuple[n.Effect, ...], effect: n.Effect) -> bool:
    """Whether an effect can bring objects into the world that take the place of one which has a name here."""
    if not (ctx.after_changes or changes_kinds(effects)):
        return False
    rounds = ctx.settles_rounds and any(can.repeats for _, can in effects_in((effect,)))
    heard = [rule.effects for rule in ctx.world.spec.rules] if rounds else ()
    return may_replace(ctx.world, (effect, heard))


def _with_payers(ctx: Context, effects: tuple[n.Effect, ...]) -> Context:
    """Return a context that knows whether these effects say what every agent gets; report where that is no zero sum."""
    told: dict[int | str, Fraction | None] = {}
    for effect in effects:
        if not isinstance(effect, n.Reward) or effect.hidden:
            continue
        value = evaluate_number(ctx.inner(), effect.value)
        amount = Fraction(value.value) if isinstance(value, ir.Const) else None
        for who in _addressed(ctx, effect):
            before = Fraction(0) if effect.assigns else told.get(who, Fraction(0))
            told[who] = None if amount is None or before is None else before + amount
    given = [effect for effect in effects if isinstance(effect, n.Reward) and not effect.hidden]
    tells_all = _tells_all(ctx, told) if len({effect.assigns for effect in given}) == 1 else ir.FALSE
    if tells_all == ir.FALSE:
        return replace(ctx, pays_itself=ir.FALSE)
    known = [amount for amount in told.values() if amount is not None]
    help = "let them cancel, or write `rewards: own`"
    if len(known) == len(told) and sum(known) != 0:
        ctx.error("rewards-do-not-cancel", given[0].span, total=f"{float(sum(known)):g}", help=help)
    elif len(given) == 1 and not known:
        # One reward for all alike, of whatever size, never cancels.
        total = f"{len(told)} times `{to_text(given[0].value)}`"
        ctx.error("rewards-do-not-cancel", given[0].span, total=total, help=help)
    return replace(ctx, pays_itself=ctx.let("tells_all", tells_all))


def _tells_all(ctx: Context, told: Collection[int | str]) -> ir.Expr:
    """Return whether effects for these speak of every agent: two of them can turn out to be one."""
    if {"self", "other"} <= set(told):
        return ir.TRUE
    missing = [index for index in range(len(ctx.world.agents)) if index not in told]
    named = [index for who in told if isinstance(who, str) and (index := _index_of(ctx, who)) is not None]
    if len(missing) > len(named):
        return ir.FALSE
    return ir.both(*(ir.either(*(ir.eq(index, agent) for index in named)) for agent in missing))


def _index_of(ctx: Context, who: str) -> ir.Expr | None:
    """Return the number of the agent that a name means here; of two, `other` is not `self`."""
    meant = ctx.self_ref if who in {"self", "other"} else ctx.scope[who]
    if not isinstance(meant, Ref) or not is_agent(meant):
        return None
    agents = ctx.world.agents
    if agents.count(meant.kind) == 1:
        meant = replace(meant, index=ir.const(agents.index(meant.kind)))
    return ir.sub(ir.const(1), meant.index) if who == "other" else meant.index


def _addressed(ctx: Context, effect: n.Reward) -> list[int | str]:
    """Return whom a reward is for: agents by number, or ``self``, ``other`` and names, whoever that is."""
    agents = ctx.world.agents
    if effect.to in {"self", "other"} or (effect.to is None and is_agent(ctx.self_ref)):
        return [_one(ctx, effect.to or "self")] if len(agents) == 2 or effect.to != "other" else []
    named = ctx.scope.get(effect.to) if effect.to is not None else None
    if isinstance(named, Ref) and is_agent(named) and agents.count(named.kind) != 1:
        return [_one(ctx, "self" if named == ctx.self_ref else str(effect.to))]
    return [index for index, kind in enumerate(agents) if effect.to in {None, kind.name, "agent"}]


def _one(ctx: Context, who: str) -> int | str:
    """Return the number of the one that a name means, where that is known; else the name."""
    index = _index_of(ctx, who)
    return int(index.value) if isinstance(index, ir.Const) else who


def subject_of(ctx: Context, span: Span, before: str, behind: str) -> Ref:
    """Return the thing that an effect without one is done to: the subject of the rule, else the agent.

    ``before`` and ``behind`` stand around the name of an agent that a loop goes through, and say the same of that one.
    """
    if ctx.self_ref is not None and ctx.self_ref.category == "object":
        return ctx.self_ref
    kinds = ctx.world.kinds
    spoken_of = [name for name, each in ctx.scope.items() if isinstance(each, Ref) and is_agent(each)]
    if ctx.self_ref is None and ctx.world.several and len(spoken_of) == 1 and spoken_of[0] in kinds:
        help = write(f"{before}{spoken_of[0]}{behind}", place=span)
        ctx.error("ambiguous", span, name="the agent", count=len(ctx.world.agents), help=help)
        return Ref(kinds["agent"], ir.const(0))
    return the_agent(ctx, span)


def when_there(ctx: Context, ref: Ref, do: Callable[[Context, Ref], None]) -> None:
    """Emit what is done to a thing, under the condition that it is there, where it may be absent (its index -1)."""
    if ref.index.low >= 0:
        do(ctx, ref)
        return
    index = ctx.let(ref.kind.name, ref.index)
    inner = ctx.inner(scope=ctx.scope)
    known = ir.Local(index.name, "int", 0, index.high) if isinstance(index, ir.Local) else index
    there = replace(ref, index=known)
    if ref == ctx.self_ref:
        inner.self_ref = there
    do(inner, there)
    ctx.block.extend(ir.when(ir.ge(index, 0), inner.block))


def by_sort(ctx: Context, ref: Ref, do: Callable[[Context, Ref], None]) -> None:
    """Emit what is done to an object, for each sort of kind that it may be of: of one layer, one edge, one capacity.

    A name can mean things of several kinds, and what it was given to may have become another since.
    """
    kinds = dict.fromkeys((ref.kind, *ref.others))
    if ctx.after_changes and ref.category == "object" and _objects_become_others(ctx.world):
        kinds |= dict.fromkeys(ctx.world.object_kinds())
    sorts: dict[object, list[Kind]] = {}
    for kind in kinds:
        sorts.setdefault((kind.layer, kind.edge, kind.carries, kind.moves is None), []).append(kind)
    if ref.category != "object" or len(sorts) < 2:
        do(ctx, ref)
        return
    code = ctx.let("kind", ir.load(ctx.writer.object_kind, ref.index))
    branches: ir.Block = []
    for members in reversed(sorts.values()):
        inner = ctx.inner(scope=ctx.scope)
        one = replace(ref, kind=members[0], others=tuple(members[1:]))
        if ref == ctx.self_ref:
            inner.self_ref = one
        do(inner, one)
        branches = [ir.If(ir.either(*(ir.eq(code, kind.code) for kind in members)), inner.block, branches)]
    ctx.block.extend(branches)


def _objects_become_others(world: World) -> bool:
    """Whether an effect can turn an object into one of another kind: it names more than words of attributes."""
    words = {
        word for kind in world.kind_list for each in kind.attributes.values() for word in each.domain.words
    }
    clauses = world.spec.blocks
    return any(
        isinstance(effect, n.Becomes)
        and not isinstance(effect.target, n.Attribute)
        and any(isinstance(part, n.KindName) and part.name not in words for part in walk(effect.value))
        for effect, _ in effects_in(clauses)
    )


@performs(n.If, Traits(holds=True, asks_first=True))
def _if(ctx: Context, effect: n.If) -> None:
    """Emit the branches; each condition is decided only where those before it failed."""
    _branches(ctx, effect.branches, None)


def _branches(
    ctx: Context,
    branches: tuple[tuple[n.Expression | None, tuple[n.Effect, ...]], ...],
    before: n.Expression | None,
) -> None:
    if not branches:
        return
    test_node, effects = branches[0]
    taken = ctx.inner()
    if test_node is None:
        _note_taken(taken, before, is_else=True)
        perform(taken, effects)
        ctx.block.extend(taken.block)
        return
    probe = ctx.inner()
    test = condition(probe, test_node, binds=True)
    ctx.block.extend(probe.block)
    taken = ctx.inner(scope=probe.scope, known=probe.known)
    _note_taken(taken, test_node, is_else=False)
    said = len(ctx.report.diagnostics)
    perform(taken, effects)
    if test == ir.FALSE:  # what constants rule out may have numbers that would be wrong there
        ctx.report.forget(said, OF_NUMBERS)
    otherwise = ctx.inner().beside(test, False, test_node)
    said = len(ctx.report.diagnostics)
    _branches(otherwise, branches[1:], test_node)
    if test == ir.TRUE:
        ctx.report.forget(said, OF_NUMBERS)
    ctx.block.extend(ir.when(test, taken.block, otherwise.block))


def _note_taken(ctx: Context, test: n.Expression | None, is_else: bool) -> None:
    """Emit that a branch is taken, where that is asked."""
    number = None if test is None else ctx.world.spec.branch_number(test.span, is_else)
    if number is not None:
        ctx.emit(ir.Fired(number))
