"""A function of the program under construction: where its statements go, and what names mean in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TypedDict, Unpack

from griddsl.diagnostics import Label, Report
from griddsl.lowering.state.writer import Writer
from griddsl.lowering.world.kinds import who_stands
from griddsl.lowering.world.values import Meaning, Ref
from griddsl.lowering.world.world import World
from griddsl.program import ir
from griddsl.program.proof.tests import Asking, Said, said
from griddsl.source import Span
from griddsl.syntax import nodes as n


class _Changes(TypedDict, total=False):
    """What can be another in a nested block: fields of a context."""

    block: ir.Block
    names: ir.Names
    stage: str
    where: str
    scope: dict[str, Meaning]
    self_ref: Ref | None
    once: int | None
    meets: bool
    rounds: int
    heard: tuple[n.Expression | None, ...]
    after_changes: bool
    settles_rounds: bool
    goes_alone: bool
    kept: dict[ir.Expr, tuple[ir.Local, ir.Local]]
    known: tuple[Said, ...]


@dataclass(slots=True)
class Context:
    """What a clause is lowered in.

    ``stage`` is ``setup``, ``rule``, ``act`` (a rule that may cancel), ``observe`` or ``reset``; ``where`` names the
    clause in messages; ``self_ref`` is the subject, ``looped`` the name of what the loop around goes through; ``once``
    is the rule, where it runs once an act for each cell; ``meets`` says that it is on a meeting; ``rounds`` is how
    often the loops around the clause run it at most.
    ``pays_itself`` asks whether the effects here tell what every agent gets, so that none is made to pay for another;
    ``heard`` is whom and what the trigger of the rule names; ``after_changes`` says that effects ran since names were
    given which may have removed things, or turned them into others. ``settles_rounds`` says that what a round of a loop
    sends elsewhere goes there before the next: in the rules after all moves; ``goes_alone`` that nothing but the thing
    of the round is under way then. ``in_step`` says of a condition on what is
    allowed that it is asked in the middle of a step, and not of the one that comes. ``kept`` has the things that names
    keep although effects make new ones: each by a local, and how many had come to be in its place by then. ``known``
    is what conditions around the clause have said, of what cannot have changed since; ``places`` are the values of
    the function that it may be said of.
    """

    writer: Writer
    block: ir.Block
    names: ir.Names
    stage: str
    where: str
    scope: dict[str, Meaning] = field(default_factory=dict)
    self_ref: Ref | None = None
    looped: str = ""
    once: int | None = None
    meets: bool = False
    rounds: int = 1
    pays_itself: ir.Expr = ir.FALSE
    heard: tuple[n.Expression | None, ...] = ()
    after_changes: bool = False
    settles_rounds: bool = False
    goes_alone: bool = False
    in_step: bool = False
    kept: dict[ir.Expr, tuple[ir.Local, ir.Local]] = field(default_factory=dict)
    known: tuple[Said, ...] = ()
    places: Asking = field(default_factory=Asking)

    @property
    def world(self) -> World:
        """What the spec speaks of."""
        return self.writer.world

    @property
    def report(self) -> Report:
        """The report of the spec."""
        return self.writer.report

    def emit(self, *statements: ir.Stmt) -> None:
        """Append statements to the block."""
        self.block.extend(statements)

    def let(self, stem: str, value: ir.Expr) -> ir.Expr:
        """Keep a value in a local of its own; constants and locals stay as they are."""
        if isinstance(value, ir.Const | ir.Local):
            return value
        name = self.names.fresh(stem)
        self.emit(ir.Let(name, value))
        return ir.Local(name, value.type, value.low, value.high)

    def variable(
        self, stem: str, value: ir.Expr, low: float | None = None, high: float | None = None
    ) -> ir.Local:
        """Make a local that is assigned again later, with its whole range."""
        name = self.names.fresh(stem)
        self.emit(ir.Let(name, value))
        return ir.Local(
            name, value.type, value.low if low is None else low, value.high if high is None else high
        )

    def inner(self, **changes: Unpack[_Changes]) -> Context:
        """Return a context for a nested block: same function, an empty block, a scope of its own."""
        changes.setdefault("block", [])
        changes.setdefault("scope", dict(self.scope))
        changes.setdefault("kept", dict(self.kept))
        return replace(self, **changes)

    def learn(self, test: ir.Expr, holds: bool, by: n.Expression) -> None:
        """Take in what a condition says where it holds, or where it fails."""
        self.known = (*self.known, *said(test, holds, by, self.places))

    def beside(self, test: ir.Expr, holds: bool, by: n.Expression) -> Context:
        """Return the same context, which knows besides what a condition says where it holds, or where it fails."""
        known = replace(self)
        known.learn(test, holds, by)
        return known

    @contextmanager
    def clause(self, span: Span, instead: str = "say which cell is meant") -> Iterator[None]:
        """Report a clause that itself, and not one within it, asks for the cell of agents that stand nowhere."""
        notes = self.writer.notes
        around, notes.asks_where = notes.asks_where, False
        yield
        if notes.asks_where:
            who = who_stands(self.world.several)
            help = f"{instead}; or leave `nowhere` out, and let who acts stand in a cell"
            what = f"`{' '.join(span.text.split())}` needs a cell of who acts"
            self.error("nowhere", span, what=what, who=who, help=help)
        notes.asks_where = around

    def error(
        self,
        code: str,
        span: Span,
        *,
        help: str | None = None,
        labels: Sequence[Label] = (),
        **fields: object,
    ) -> None:
        """Report a diagnostic."""
        self.report.add(code, span, help=help, labels=labels, picture=None, **fields)

    def bind(self, name: str, meaning: Meaning) -> None:
        """Let a name mean something in the rest of this scope."""
        self.scope[name] = meaning


TAKEN = ("s", "f", "r", "out", "k", "agent")


def new_function(writer: Writer, stage: str, where: str, *parameters: str) -> Context:
    """Return a context for a function of its own.

    Its parameters are taken names, and so are those of the vectors and of a loop over all agents.
    """
    names = ir.Names({*TAKEN, *parameters})
    return Context(writer, [], names, stage, where, dict(writer.named_things))


def define(
    writer: Writer, ctx: Context, key: ir.Key, parameters: tuple[str, ...], doc: str = "", out: bool = False
) -> str:
    """Add the context's block to the program as the function of a key; return its name."""
    name = writer.function_name(key)
    writer.functions[name] = ir.function(name, parameters, ctx.block, doc, out)
    return name


def draw(ctx: Context, count: ir.Expr) -> ir.Expr:
    """Return a number drawn from 0 to ``count - 1`` with equal chances."""
    if count == ir.const(1):
        return ir.const(0)
    return ctx.let("drawn", ir.drawn(count, count.high - 1))
