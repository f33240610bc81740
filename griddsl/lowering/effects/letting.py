"""``let``: a name for a value, to the end of its block."""

from __future__ import annotations

from griddsl.diagnostics import Help
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.naming import meant_by
from griddsl.lowering.rules.performing import performs
from griddsl.lowering.traits import Traits
from griddsl.lowering.world.values import NUMBER
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import RESERVED
from griddsl.syntax.printer import to_text


@performs(n.Let, Traits(draws=True, asks_first=True))
def _let(ctx: Context, effect: n.Let) -> None:
    check_local_name(ctx, effect.name, effect, "let")
    meaning = None if _is_any(ctx, effect) else meant_by(ctx, effect.value, effect.name)
    if meaning is not None:
        ctx.bind(effect.name, meaning)
    else:  # that the name means nothing follows from this
        ctx.writer.notes.reported.add(effect.name)


def _is_any(ctx: Context, effect: n.Let) -> bool:
    """Report `let d = any box`: which of them, is drawn, or said by a number."""
    value = effect.value
    if not isinstance(value, n.Quantified) or value.quantifier != "any":
        return False
    kind = to_text(value.kind)
    one = f"let {effect.name} = the {kind} with least E"
    help = f"`choose {effect.name} in {kind}` draws one, `{one}` takes one by a number"
    ctx.error("type", value.span, found=f"`any {kind}`", expected="one thing", help=help)
    return True


def check_local_name(ctx: Context, name: str, effect: n.Let, word: str) -> None:
    """Report a name that means something already where it is given."""
    world = ctx.world
    place = effect.span.word(name)
    what = help = None
    if name in RESERVED:
        help = f"choose another, such as `my_{name}`"
        ctx.error("reserved-name", place, name=name, help=help)
        return
    if name in ctx.scope:
        what = "means something here already"
        if isinstance(effect, n.Let) and getattr(ctx.scope[name], "type", None) == NUMBER:
            sets = f"`var {name}: 0 in 0..9`, and `{name} = {to_text(effect.value)}` sets it"
            help = f"`let` gives a name once: choose another, such as `my_{name}`; what changes is a variable, {sets}"
    elif name in world.variables:
        what = "is a variable"
        rewrite = f"{name} = {to_text(effect.value)}"
        help = Help(
            f"`{rewrite}` changes it; or choose another name, such as `my_{name}`",
            (rewrite,),
            place=effect.span,
        )
    elif name in ctx.writer.variables:
        what = "is a name that setup gives"
    elif name in world.params:
        what = "is a parameter"
    elif name in world.kinds:
        what = "is a kind"
    if what is not None:
        help = help or f"`{name}` {what}: choose another name, such as `my_{name}`"
        ctx.error("duplicate-name", place, name=name, help=help)
