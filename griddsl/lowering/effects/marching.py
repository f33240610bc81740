"""Marching: ``each K by E: move K direction``, in which all go by one step and nobody hears of it, without rounds.

Who goes later finds the cell ahead as the one before has left it: so whoever goes waits for at most one other, who is
in that cell and comes first, and goes if that one goes. For whom that one waits is one step further: after each
doubling it is known of twice as many, until all of a row are looked at, where the rounds would each look for the next
in order, and send it. A cell asks only cells that are known before, so that all of them are asked at once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from griddsl.compass import COMPASS
from griddsl.lowering.clauses.context import Context
from griddsl.lowering.clauses.meaning import evaluate_as, evaluate_number
from griddsl.lowering.clauses.physics import is_conditional, one_way_allows, tile_blocks
from griddsl.lowering.clauses.things import for_each
from griddsl.lowering.clauses.whereabouts import bind_cell, cell_of
from griddsl.lowering.facts.sent import BEFORE_THE_ACTION, settles
from griddsl.lowering.traits import effects_in
from griddsl.lowering.world.kinds import Kind
from griddsl.lowering.world.values import DIRECTION, Ref
from griddsl.lowering.world.world import World
from griddsl.program import ir
from griddsl.program.passes.normal import of_parts
from griddsl.syntax import nodes as n
from griddsl.syntax.keywords import TIMED
from griddsl.syntax.nodes import walk

STAYS, GOES, FOLLOWS = range(3)  # what who is in a cell does; who follows does what the one ahead does
MOST_CELLS = 256  # on larger maps the rounds of those who are there are fewer than cells
_UNHEARD = TIMED | BEFORE_THE_ACTION  # events that nothing raises that goes
_AT_ONCE = frozenset({"step", "every", "when"})  # rules that are run once, and not for each of a kind


def march(ctx: Context, effect: n.Each, kinds: list[Kind]) -> bool:
    """Emit a march; return whether the loop is one."""
    if len(kinds) != 1 or not _is_march(ctx, effect, kinds[0]):
        return False
    (move,) = effect.body
    assert isinstance(move, n.Move)
    inner = ctx.inner()
    inner.bind(kinds[0].name, Ref(kinds[0], ir.const(0), on_map=True))
    bind_cell(inner, ir.const(0))
    direction = None if move.direction is None else evaluate_as(inner, move.direction, DIRECTION)
    if direction is None or inner.block or not _is_the_same(ctx, direction, kinds[0]):
        return False
    if effect.by is None or evaluate_number(inner, effect.by) is None or _draws(inner.block):
        return False
    if ctx.writer.entered_from(ir.const(0), direction, kinds[0].edge) is None:
        return False
    _March(ctx, kinds[0], direction).emit(effect)
    return True


def _is_march(ctx: Context, effect: n.Each, kind: Kind) -> bool:
    """Whether all of a kind move by one step, in an order, and nothing else is sent or hears of it."""
    world = ctx.world
    over, body = effect.over, effect.body
    if not ctx.settles_rounds or not isinstance(over, n.Name) or kind.category != "object":
        return False
    if effect.by is None or effect.where is not None or not _moves_itself(effect):
        return False
    named = getattr(body[0], "direction", None)
    if not isinstance(named, n.Name) or not (named.name in COMPASS or named.name in ctx.writer.variables):
        return False
    if world.cells > min(MOST_CELLS, 2 * ctx.writer.facts.capacity):
        return False
    if any(is_conditional(each, "solid") for each in world.kinds.values()):
        return False
    if any(each.solid is not None for each in world.object_kinds()):
        return False
    return all(rule.trigger.event in _UNHEARD for rule in world.spec.rules) and _goes_alone(world, effect)


def _moves_itself(effect: n.Each) -> bool:
    """Whether all that a loop does is to move what it goes through."""
    match effect:
        case n.Each(over=n.Name(name), body=(n.Move(subject=n.Name(subject), destination=None),)):
            return name == subject
    return False


def _goes_alone(world: World, effect: n.Each) -> bool:
    """Whether nothing is under way when a loop begins: what its rule sends goes in rounds, which wait for it."""
    for rule in world.spec.rules:
        if rule.trigger.event in _AT_ONCE and any(node is effect for node in walk(rule.effects)):
            loops = [node for node in walk(rule.effects) if isinstance(node, n.Each) and _moves_itself(node)]
            rounds = {id(move) for loop in loops for move in loop.body}
            return not any(
                settles(world, (inner,)) and id(inner) not in rounds
                for inner, can in effects_in(rule.effects)
                if not can.holds
            )
    return False


def _is_the_same(ctx: Context, direction: ir.Expr, kind: Kind) -> bool:
    """Whether a direction is that of all, and stays so while they go."""
    moved = {ctx.writer.object_cell, ctx.writer.layer_slot(kind.layer)}
    return not any(
        isinstance(part, ir.Local | ir.Call | ir.Draw | ir.Ask)
        or (isinstance(part, ir.Load) and (part.slot in moved or part.slot.length > 1))
        for part in ir.parts(direction)
    )


def _draws(block: ir.Block) -> bool:
    """Whether what is drawn, which is in the order of things and not of cells, decides."""
    return any(isinstance(statement, ir.Bind | ir.Do) for statement in ir.statements(block))


class _March:
    """What a march is written with: each cell, and what who is there does."""

    def __init__(self, ctx: Context, kind: Kind, direction: ir.Expr) -> None:
        writer, cells = ctx.writer, ctx.world.cells
        writer.loops += 1
        self.ctx, self.kind, self.direction = ctx, kind, direction
        self.layer = writer.layer_slot(kind.layer)
        self.number, last = writer.loops, writer.facts.capacity - 1
        self.keys: ir.Slot | None = None
        self.does = [writer.scratch((name, self.number), cells, STAYS, FOLLOWS) for name in ("DOES", "DID")]
        self.after = writer.scratch(("AFTER", self.number), cells, -1, last)

    def emit(self, effect: n.Each) -> None:
        """Emit who goes, and that they do."""
        by = effect.by
        assert by is not None
        self._through_cells(lambda inner, cell: self._ask(inner, cell, by))
        self._through_cells(lambda inner, cell: self._wait(inner, cell, effect.down))
        for doubling in range(self.ctx.writer.longest_way(self.direction, self.kind.edge).bit_length()):
            self._through_cells(partial(self._look, 2**doubling))
            self.does.reverse()
        self._through_cells(self._change)
        for_each(self.ctx, self.kind, self._go)
        self._through_cells(
            lambda inner, cell: inner.emit(ir.Store(self.layer, cell, ir.load(self.after, cell)))
        )

    def _through_cells(self, body: Callable[[Context, ir.Expr], None]) -> None:
        cell = ir.Local(self.ctx.names.fresh("cell"), "int", 0, self.ctx.world.cells - 1)
        inner = self.ctx.inner()
        body(inner, cell)
        self.ctx.emit(ir.For(cell.name, ir.const(0), ir.const(self.ctx.world.cells), inner.block))

    def _ask(self, ctx: Context, cell: ir.Expr, by: n.Expression) -> None:
        """Emit by what who is in a cell is ordered."""
        thing = ctx.let("thing", ir.load(self.layer, cell))
        known = ir.within(thing, 0, ctx.writer.facts.capacity - 1)
        inner = ctx.inner()
        inner.bind(self.kind.name, Ref(self.kind, known, on_map=True))
        bind_cell(inner, cell)
        key = evaluate_number(inner, by)
        if key is not None:
            # Where it is, it is in this cell: nobody has to look that up.
            slot = ctx.writer.object_cell

            def here(value: ir.Expr) -> ir.Expr:
                if isinstance(value, ir.Load) and value.slot is slot and value.index == known:
                    return cell
                parts = ir.inner(value)
                return of_parts(value, tuple(map(here, parts))) if parts else value

            block = [ir.with_values(statement, here) for statement in inner.block]
            inner.block[:] = [*block, ir.Store(self._keys(key), cell, here(key))]
        ctx.block.extend(ir.when(self._is_there(ctx, thing), inner.block))

    def _keys(self, key: ir.Expr) -> ir.Slot:
        """Return the slot of what those in the cells are ordered by."""
        writer, cells = self.ctx.writer, self.ctx.world.cells
        name: ir.Key = ("ORDER", self.number)
        if key.type == "real" or max(abs(key.low), abs(key.high)) >= ir.UNBOUNDED:
            self.keys = writer.slot(name, cells, type="real", saved=False)
        else:
            self.keys = writer.scratch(name, cells, min(0, int(key.low)), max(0, int(key.high)))
        return self.keys

    def _is_there(self, ctx: Context, thing: ir.Expr) -> ir.Expr:
        """Return whether what a layer holds in a cell is one of those who march."""
        if ctx.world.has_layer_alone(self.kind):
            return ir.ge(thing, 0)
        code = ir.load(ctx.writer.object_kind, ir.within(thing, 0, ctx.writer.facts.capacity - 1))
        return ir.both(ir.ge(thing, 0), ir.eq(code, self.kind.code))

    def _wait(self, ctx: Context, cell: ir.Expr, down: bool) -> None:
        """Emit what is known of who is in a cell from the cell ahead."""
        assert self.keys is not None
        writer, last = ctx.writer, ctx.writer.facts.capacity - 1
        there = ctx.let("thing", ir.load(self.layer, cell))
        does = ctx.variable("does", ir.const(STAYS), STAYS, FOLLOWS)
        going, ahead, led = ctx.inner(), ctx.inner(), ctx.inner()
        thing = ir.within(there, 0, last)
        target = going.let("target", writer.next_cell(cell, self.direction, self.kind.edge))
        known = ir.within(target, 0, ctx.world.cells - 1)
        allowed = one_way_allows(going, target, self.direction)
        free = ir.both(ir.invert(tile_blocks(writer, target, "solid")), allowed)
        other = ahead.let("other", ir.load(self.layer, known))
        leader = ir.within(other, 0, last)
        mine, its = ir.load(self.keys, cell), ir.load(self.keys, known)
        first = ir.either(
            ir.compare(">" if down else "<", its, mine),
            ir.both(ir.eq(its, mine), ir.lt(leader, thing)),
        )
        led.block.extend(ir.when(first, [ir.Let(does.name, ir.const(FOLLOWS))]))
        ahead.emit(ir.If(ir.lt(other, 0), [ir.Let(does.name, ir.const(GOES))], led.block))
        going.block.extend(ir.when(ir.both(ir.ge(target, 0), free), ahead.block))
        ctx.block.extend(ir.when(self._is_there(ctx, there), going.block))
        ctx.emit(ir.Store(self.does[0], cell, does))

    def _look(self, steps: int, ctx: Context, cell: ir.Expr) -> None:
        """Emit that who follows does what the one so many steps ahead does, as far as that is known."""
        now, then = self.does
        ahead = ctx.writer.next_cell(cell, self.direction, self.kind.edge, steps)
        ahead = ir.claim(ahead, 0, ctx.world.cells - 1, "somebody is ahead of who follows")
        does = ctx.let("does", ir.load(now, cell))
        ctx.emit(ir.Store(then, cell, ir.select(ir.eq(does, FOLLOWS), ir.load(now, ahead), does)))

    def _change(self, ctx: Context, cell: ir.Expr) -> None:
        """Emit what is in a cell after the march: who comes, none where one has gone, or what was there."""
        writer, cells = ctx.writer, ctx.world.cells
        behind = writer.entered_from(cell, self.direction, self.kind.edge)
        assert behind is not None
        behind = ctx.let("behind", behind)
        known = ir.within(behind, 0, cells - 1)
        after = ctx.variable("after", ir.load(self.layer, cell), -1, writer.facts.capacity - 1)
        ctx.block.extend(
            ir.when(ir.eq(ir.load(self.does[0], cell), GOES), [ir.Let(after.name, ir.const(-1))])
        )
        comes = ir.both(ir.ge(behind, 0), ir.eq(ir.load(self.does[0], known), GOES))
        ctx.block.extend(ir.when(comes, [ir.Let(after.name, ir.load(self.layer, known))]))
        ctx.emit(ir.Store(self.after, cell, after))

    def _go(self, ctx: Context, ref: Ref) -> None:
        """Emit that a thing is where it goes."""
        cell = ctx.let("here", cell_of(ctx, ref))
        target = ctx.writer.next_cell(cell, self.direction, self.kind.edge)
        there = ir.claim(target, 0, ctx.world.cells - 1, "who goes has a cell to go to")
        moves: ir.Block = [ir.Store(ctx.writer.object_cell, ref.index, there)]
        ctx.block.extend(ir.when(ir.eq(ir.load(self.does[0], cell), GOES), moves))
