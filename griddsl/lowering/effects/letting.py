"""``let``: a name for a value, to the end of its block."""

from __future__ import annotations

from griddsl.diagnostics import Help
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.naming import meant_by
from griddsl.lowering.rules.performing import performs
from griddsl.lowering.traits import Traits
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import RESERVED
from griddsl.syntax.printer import to_text


@performs(n.Let, Traits(draws=True, asks_first=True))
def _let(ctx: Context, effect: n.Let) -> None:
    check_local_name(ctx, effect.name, effect, "let")
    meaning = meant_by(ctx, effect.value, effect.name)
    if meaning is not None:
        ctx.bind(effect.name, meaning)


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
