"""Effects: what each line of a rule or of setup does (section 9 of the reference)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeGuard

from griddsl.syntax import nodes as n
from griddsl.syntax.nodes import walk
from tests.reference.assigning import assign
from tests.reference.compass import COMPASS, turned
from tests.reference.conditions import held_by, holds, names_being
from tests.reference.expressions import (
    DIRECTIONS,
    all_meant_by,
    evaluate,
    number,
)
from tests.reference.kinds import Kind
from tests.reference.leaving import go_away, go_out
from tests.reference.making import change_kind, place
from tests.reference.moving import destination, put_down, send, take, way_of
from tests.reference.named import KindName, named
from tests.reference.scope import (
    NOTHING,
    Scope,
    is_being,
    is_still,
    kind_drawn,
    kind_when_named,
    resolve,
)
from tests.reference.world import Agent, Ground, Thing


def perform(effects: tuple[n.Effect, ...], scope: Scope) -> None:
    """Carry out effects in order; names that one chooses are known to those after it."""
    scope = scope.beside(effects)
    for effect in effects:
        PERFORM[type(effect)](effect, scope)


def subject_of(scope: Scope) -> Agent | Thing:
    """Return whom an effect without a name is done to: the subject, or the only agent."""
    return scope.me if isinstance(scope.me, Thing) else scope.agent


# Rewards and ends


def _reward(effect: n.Reward, scope: Scope) -> None:
    """Give a reward: under ``zero_sum`` the others pay for it, or where effects say what all get, all that take part."""
    world, value = scope.here, number(effect.value, scope)
    winners = recipients(effect, scope)
    concerned = [
        agent for agent in world.agents if not agent.is_out or agent.index in world.left | world.went_away
    ]
    if effect.hidden or not world.game.several:
        concerned = world.agents
    if world.game.spec.rewards == "own" and not world.game.can_be_away:
        concerned = world.agents  # what is given to one that is out, nobody is told
    if effect.hidden or world.game.spec.rewards != "zero_sum" or not world.game.several:
        for agent in winners:
            _give(effect, agent, value, scope, concerned)
    elif scope.pays_itself:
        for agent in winners:
            if agent in concerned:
                _give(effect, agent, value, scope, concerned)
            for other in [] if agent in concerned else concerned:
                _give(effect, other, value / len(concerned), scope, concerned)
    else:
        _take_from_others(effect, winners, value, scope, concerned)


def _take_from_others(
    effect: n.Reward, winners: list[Agent], value: Any, scope: Scope, concerned: list[Agent]
) -> None:
    """Give a reward that the others which take part pay in equal shares; where there is none, nobody gets it."""
    getting = [agent for agent in winners if agent in concerned]
    paying = [agent for agent in concerned if agent not in winners]
    if winners and paying:
        for agent in getting:
            _give(effect, agent, value, scope, concerned)
        for agent in paying:
            _give(effect, agent, value * -len(getting) / len(paying), scope, concerned)


def recipients(effect: n.Reward, scope: Scope) -> list[Agent]:
    """Return who gets a reward: those it is ``to``, else the subject, else every agent."""
    agents = scope.here.agents
    if effect.to is None:
        return [scope.me] if isinstance(scope.me, Agent) else agents
    named = scope.find(effect.to)
    if effect.to in {"self", "other"} or isinstance(named, Agent):
        return [resolve(n.Name(effect.to, effect.span), scope)]
    return [agent for agent in agents if effect.to in {"agent", agent.kind.name}]


def _give(effect: n.Reward, agent: Agent, value: Any, scope: Scope, concerned: list[Agent]) -> None:
    world, index = scope.here, agent.index
    if agent not in concerned:
        return
    if effect.hidden:
        world.hidden[index] += value
    elif effect.assigns:
        world.set_rewards[index] = float(value)
    else:
        world.rewards[index] += value


def _end(effect: n.End, scope: Scope) -> None:
    end(scope, effect.outcome or "end")


def end(scope: Scope, outcome: str) -> None:
    """End the episode; the outcome is that of the first end in a step."""
    if not scope.here.ended:
        scope.here.outcome = outcome
    scope.here.ended = True


def _truncate(_: n.Truncate, scope: Scope) -> None:
    scope.here.truncated = True


def _out(effect: n.Out, scope: Scope) -> None:
    """Retire an agent, or send it away for some steps; a single agent's episode ends, with the outcome ``out``."""
    world, agent = scope.here, scope.agent if effect.who is None else resolve(effect.who, scope)
    if agent is None:
        return
    if not world.game.several:
        end(scope, "out")
    elif not agent.is_out and effect.steps is None:
        go_out(world, agent)
        world.left.add(agent.index)
    elif not agent.is_out:
        assert effect.steps is not None
        go_away(world, agent, evaluate(effect.steps, scope), effect.back)


def _cancel(_: n.Cancel, scope: Scope) -> None:
    scope.here.cancelled = True


def _again(_: n.Again, scope: Scope) -> None:
    scope.here.again = True


# Going places


def _go(effect: n.Go, scope: Scope) -> None:
    if not _is_gone(subject_of(scope), scope):
        send(subject_of(scope), destination(effect.destination, subject_of(scope), scope), scope)


def _is_gone(being: Any, scope: Scope) -> bool:
    """Whether an object has been removed: effects on it do nothing, and draw nothing."""
    return isinstance(being, Thing) and being not in scope.here.objects


def _move(effect: n.Move, scope: Scope) -> None:
    world, being = scope.here, resolve(effect.subject, scope)
    if being is None or _is_gone(being, scope):
        return
    if effect.direction is None:
        assert effect.destination is not None
        send(being, destination(effect.destination, being, scope), scope)
        return
    direction = way_of(effect.direction, being, scope)
    target = "edge" if being.cell is None else world.beside(being.cell, direction, being.kind.edge)
    if isinstance(target, str) or not world.lets_in(target, direction):
        return
    is_agent = isinstance(being, Agent)
    if not world.blocks(target) if is_agent else world.is_free_for(target, being.kind.layer):
        send(being, target, scope, marks=False)


def _turn(effect: n.Turn, scope: Scope) -> None:
    """Turn the one that the rule, or the line of a block, is about."""
    line = scope.line
    faces = (
        scope.here.game.has_facing if isinstance(line, Agent) else "facing" in getattr(line, "attributes", ())
    )
    subject = line if faces else subject_of(scope)
    if isinstance(subject, Thing) and not faces and not is_still(n.Name("self", effect.span), subject, scope):
        return
    way = COMPASS[subject.facing] if isinstance(subject, Agent) else subject.attributes["facing"]
    quarters = {"left": 3, "right": 1, "around": 2, None: 0}[effect.side]
    word = (
        COMPASS[turned(COMPASS.index(way), quarters)]
        if effect.side
        else evaluate(effect.direction, scope, DIRECTIONS, as_word=True)
    )
    if isinstance(subject, Agent):
        subject.facing = COMPASS.index(word)
    else:
        subject.attributes["facing"] = word


def _handle(effect: n.Handle, scope: Scope) -> None:
    world, kind = scope.here, effect.kind
    if effect.verb == "drop" and _names_a_kind(kind, scope):
        being = held_by(scope.agent, kind, scope)  # the first of its kind that the agent carries
    else:
        being = resolve(kind, scope)
    if isinstance(being, Ground):
        change_kind(being, world.game.kinds["floor"], {}, scope)
    elif being is None or being not in world.objects:
        return
    elif effect.verb == "remove":
        world.remove(being)
    elif effect.verb == "pickup":
        take(world, scope.agent, being)
    else:
        put_down(world, scope.agent, being)


def _names_a_kind(node: n.Expression, scope: Scope) -> TypeGuard[KindName]:
    kind = scope.here.game.kinds.get(node.name) if isinstance(node, n.Name | n.Pattern) else None
    return kind is not None and kind.category == "object" and scope.find(kind.name) is NOTHING


# Changing


def _becomes(effect: n.Becomes, scope: Scope) -> None:
    target, value = effect.target, effect.value
    if isinstance(target, n.Attribute) or _is_variable(target, scope):
        assign(n.Assign(target, "=", value, effect.span), scope)
        return
    being = resolve(target, scope)
    if being is None or (isinstance(being, Thing) and being not in scope.here.objects):
        return
    kinds: dict[str, Kind] = scope.here.game.kinds
    if isinstance(value, n.Pattern):
        change_kind(being, kinds[value.name], dict(value.arguments), scope)
        return
    word = evaluate(value, scope, as_word=True)
    bare = value.name if isinstance(value, n.Name) and scope.find(value.name) is NOTHING else None
    changes = is_still(target, being, scope)
    for name, attribute in kind_when_named(target, being, scope).attributes.items():
        if word in attribute.domain.words:
            being.attributes |= {name: word} if changes else {}
            return
        if attribute.domain.is_truth and bare == name:
            being.attributes |= {name: True} if changes else {}
            return
    change_kind(being, kinds[word], {}, scope)


def _is_variable(node: n.Expression, scope: Scope) -> bool:
    return (
        isinstance(node, n.Name) and node.name in scope.here.variables and not is_being(scope.find(node.name))
    )


# Choosing, telling, branching


def _choose(effect: n.Choose, scope: Scope) -> None:
    from tests.reference.choosing import choose

    names = scope.here.chosen if scope.in_setup else scope.names
    kind = kind_drawn(effect.domain, scope)
    scope.kinds |= dict.fromkeys(effect.names, kind) if kind is not None and not scope.in_setup else {}
    names.update(choose(effect, scope, lambda name, value: names.update({name: value})))
    if kind is not None and not scope.in_setup:  # of several kinds each is of its own
        scope.kinds |= {name: names[name].kind for name in effect.names if names[name] is not None}


def _info(effect: n.Info, scope: Scope) -> None:
    value = evaluate(effect.value, scope)
    told = [scope.me] if isinstance(scope.me, Agent) else scope.here.agents
    for agent in told:
        scope.here.told[agent.index][effect.name] = value


def _let(effect: n.Let, scope: Scope) -> None:
    scope.names.update(all_meant_by([(effect.name, effect.value)], scope))
    if names_being(effect.value, scope):
        scope.kinds[effect.name] = kind_when_named(effect.value, scope.names[effect.name], scope)


def _if(effect: n.If, scope: Scope) -> None:
    if scope.in_setup:
        choose_nothing(effect, scope)
    for test, effects in effect.branches:
        inner = scope.inner()
        if test is None or holds(test, inner, True):
            perform(effects, inner)
            return


def choose_nothing(effect: n.Effect, scope: Scope) -> None:
    """Let names that setup may leave unchosen be the first they could be: 0 or the number nearest to it, a first word."""
    from tests.reference.types import of_choice

    for node in walk(effect):
        if isinstance(node, n.Choose) and (kind := kind_drawn(node.domain, scope)) is not None:
            nothing = scope.here.cells[0] if kind.category == "tile" else None
            scope.here.chosen |= {name: nothing for name in node.names if name not in scope.here.chosen}
        elif isinstance(node, n.Choose):
            first = of_choice(node.domain, scope).first
            for name in node.names:
                scope.here.chosen.setdefault(name, scope.here.cells[0] if first is None else first)
        elif isinstance(node, n.Place) and node.alias is not None:
            kind = scope.here.game.kinds[named(node.kind).name]
            scope.here.chosen.setdefault(node.alias, scope.here.cells[0] if kind.category == "tile" else None)


def _place(effect: n.Place, scope: Scope) -> None:
    place(effect, scope)


def _retry(effect: n.Retry, scope: Scope) -> None:
    from tests.reference.setup import retry

    retry(effect, scope)


def _repeat(effect: n.Repeat, scope: Scope) -> None:
    choose_nothing(effect, scope)
    for _ in range(number(effect.count, scope)):
        inner = scope.inner()
        if effect.until is not None and holds(effect.until, scope.inner()):
            return
        perform(effect.body, inner)
        settle_round(effect.body, inner)


def settle_round(body: tuple[Any, ...], scope: Scope) -> None:
    """Let what a round sent elsewhere go there before the next, in the rules after all moves."""
    from tests.reference.rules import settle

    if scope.after_moves and any(_sends(each, scope) for each in walk(body)):
        settle(scope.here)


def _sends(effect: Any, scope: Scope) -> bool:
    """Whether an effect can send something elsewhere: an agent that is placed is sent too."""
    if isinstance(effect, n.Place):
        kind = scope.here.game.kinds.get(getattr(effect.kind, "name", ""))
        return kind is not None and kind.category == "agent"
    return isinstance(effect, n.Go | n.Move)


def _each(effect: n.Each, scope: Scope) -> None:
    from tests.reference.ranging import each

    each(effect, scope)


PERFORM: dict[type, Callable[[Any, Scope], None]] = {
    n.Reward: _reward,
    n.End: _end,
    n.Truncate: _truncate,
    n.Out: _out,
    n.Cancel: _cancel,
    n.Again: _again,
    n.Go: _go,
    n.Move: _move,
    n.Turn: _turn,
    n.Handle: _handle,
    n.Becomes: _becomes,
    n.Assign: assign,
    n.Choose: _choose,
    n.Info: _info,
    n.Let: _let,
    n.If: _if,
    n.Place: _place,
    n.Retry: _retry,
    n.Repeat: _repeat,
    n.Each: _each,
}
