"""Several agents: whose turn it is, and who gets a cell that several want (section 14 of the reference)."""

from __future__ import annotations

from tests.reference.actions import Chosen, aimed, handle_all, judge, settle_actions
from tests.reference.belts import ride_belts
from tests.reference.creatures import guide, move_creatures
from tests.reference.moves import (
    each_pushable,
    is_blocked,
    is_move,
    keeps_out,
    leave_and_enter,
    move,
    move_all,
    push,
    pushable_at,
    pushed,
)
from tests.reference.rules import happen, meet
from tests.reference.world import Agent, Cell, World


def act_together(world: World, chosen: dict[int, Chosen]) -> None:
    """Phases 2 to 5 of several agents; ``chosen`` has the actions of those that learn."""
    turns = world.game.turns
    order = _shuffled(world) if turns == "random_order" else list(world.agents)
    if turns == "alternate":
        order = [world.agents[world.turn]]
    acting = order if turns == "alternate" else world.agents
    allowed = {
        agent: judge(world, agent, chosen[agent.index])
        for agent in acting
        if agent.index in chosen and not agent.is_out
    }
    for agent in allowed:
        if not agent.is_out:
            chosen[agent.index] = settle_actions(world, agent, chosen[agent.index], allowed[agent])
    if world.game.spec.order == "objects, agents":
        move_creatures(world)
    if turns == "simultaneous":
        _all_at_once(world, chosen)
    else:
        _in_turn(world, order, chosen)
    ride_belts(world)
    if world.game.spec.order == "agents, objects":
        move_creatures(world)


def _shuffled(world: World) -> list[Agent]:
    """Draw the order in which agents act: each place from the last down draws one of those that are left."""
    order = list(world.agents)
    for last in range(len(order) - 1, 0, -1):
        place = world.stream.below(last + 1)
        order[place], order[last] = order[last], order[place]
    return order


def _in_turn(world: World, order: list[Agent], chosen: dict[int, Chosen]) -> None:
    """Each agent acts wholly before the next; after an end those whose turn is yet to come do not act."""
    for agent in order:
        if agent.is_out:
            continue
        if agent.index in chosen:
            handle_all(world, agent, chosen[agent.index])
            move_all(world, agent, chosen[agent.index])
        elif agent.kind.moves is not None and agent.cell is not None:
            way = guide(world, agent)
            if way is not None:
                world.begin_act()
                move(world, agent, *way)
        if world.ended and world.game.turns != "alternate":
            break


def _all_at_once(world: World, chosen: dict[int, Chosen]) -> None:
    """All turn and handle things, in order; then all move at once, cell by cell; then those that the wind blows."""
    for agent in world.agents:
        if not agent.is_out and agent.index in chosen:
            handle_all(world, agent, chosen[agent.index])
    for number in range(max(len(world.game.groups_of(agent.kind)) for agent in world.agents)):
        if number == 0 or not world.ended:
            _move_at_once(world, chosen, number)


def _move_at_once(world: World, chosen: dict[int, Chosen], number: int) -> None:
    """The moves of one group of actions of each: all at once, then from drifting ground one after the other."""
    ways: dict[Agent, tuple[int, int]] = {}
    for agent in world.agents:
        if not agent.is_out:
            aim(world, agent, chosen.get(agent.index), number, ways)
    blown = {agent: way for agent, way in ways.items() if _is_blown(agent)}
    Round(world, {agent: way for agent, way in ways.items() if agent not in blown}).play()
    for agent, way in blown.items():
        if not agent.is_out:
            world.begin_act()
            move(world, agent, *way)


def _is_blown(agent: Agent) -> bool:
    return agent.cell is not None and agent.cell.ground.kind.drift is not None


def aim(
    world: World, agent: Agent, chosen: Chosen | None, number: int, ways: dict[Agent, tuple[int, int]]
) -> None:
    """Note which way an agent goes by its action of a group, and how many cells; who plays by itself by the first."""
    if chosen is None:
        way = guide(world, agent) if agent.kind.moves is not None and number == 0 else None
        if way is not None:
            ways[agent] = way
        return
    groups = world.game.groups_of(agent.kind)
    action = chosen[number] if number < len(groups) else None
    if action is not None and is_move(world, groups[number].actions[action]):
        world.begin_act()
        agent.moving = groups[number].actions[action]
        ways[agent] = aimed(world, agent, agent.moving)


class Round:
    """The moves of all agents at once, cell by cell: what each wants, who loses, and the events of those that go."""

    def __init__(self, world: World, ways: dict[Agent, tuple[int, int]]) -> None:
        self.world = world
        self.way = {agent: way for agent, (way, _) in ways.items()}
        self.left = {agent: ways.get(agent, (0, 0))[1] for agent in world.agents}
        self.wish: dict[Agent, Cell | None] = {}
        self.lost: set[Agent] = set()
        self.stood: dict[Agent, Cell | None] = {}

    def play(self) -> None:
        """Play rounds until nobody goes on."""
        for _ in range(4 * len(self.world.cells)):
            if not self._play_one():
                return

    def _play_one(self) -> bool:
        world = self.world
        self.lost, self.wish = set(), {}
        for agent in world.playing():
            if agent.is_out:  # by what another bumped into
                continue
            self.wish[agent] = self.stood[agent] = agent.cell
            if self.left[agent] > 0:
                self._want(agent)
        self._note_sent()
        self._resolve()
        if any(kind.pushable for kind in world.game.kinds.values()):
            for agent in world.playing():
                self._note_sent()
                if not agent.is_out and self._moves(agent):
                    self._push(agent)
            self._note_sent()
            self._resolve()
        came = {agent: agent.cell for agent in world.playing() if self._moves(agent)}
        for agent in came:
            agent.cell = self.wish[agent]
        for agent in world.playing():
            if not agent.is_out:  # by the arrival of another
                self._arrive(agent, came)
        self._meet(came)
        return self._go_on(came)

    def _note_sent(self) -> None:
        """Who was sent elsewhere by what another bumped into or pushed stays there: its move is over."""
        for agent in self.world.playing():
            if agent.cell is not self.stood.get(agent):
                self.wish[agent] = self.stood[agent] = agent.cell
                self.left[agent] = 0
                self.lost.discard(agent)

    def _moves(self, agent: Agent) -> bool:
        return self.wish.get(agent) is not None and self.wish[agent] is not agent.cell

    def _want(self, agent: Agent) -> None:
        """An agent wants the next cell of its way; what is in the way is bumped into."""
        world, way = self.world, self.way[agent]
        world.begin_act()
        assert agent.cell is not None
        target = world.beside(agent.cell, way)
        if isinstance(target, str):
            blocked = True
        else:
            blocked = is_blocked(world, agent, target, way, agents=False)
            blocked = blocked and (not pushable_at(world, target) or keeps_out(world, target, way))
        if blocked:
            happen(world, "bump", agent, target)
            self.left[agent] = 0
        else:
            assert isinstance(target, Cell)
            self.wish[agent] = target

    # Who gets a cell

    def _resolve(self) -> None:
        """Settle who gets a cell: those that do not stay, until nobody stands in another's way."""
        spec = self.world.game.spec
        if spec.contested == "share" and spec.swap == "allow":
            return
        while True:
            losers = {agent for agent in self._judged() if self._moves(agent)}
            if not losers:
                return
            if spec.contested == "freeze_all":
                losers = {agent for agent in self.wish if self._moves(agent)}
            self.lost |= losers
            for agent in losers:
                self.wish[agent] = agent.cell
            if spec.contested == "freeze_all":
                return

    def _judged(self) -> list[Agent]:
        """Return the agents that lose the cell they want, as all wishes are now."""
        playing = self.world.playing()
        winners: dict[Cell, int] = {}
        losers = []
        for agent in playing:
            if self._moves(agent):
                rivals = [each for each in playing if each is not agent]
                loses = any(self._loses(agent, other) for other in rivals)
                if self.world.game.spec.contested == "random":
                    loses = self._loses_the_draw(agent, winners) or loses
                if loses:
                    losers.append(agent)
        return losers

    def _loses(self, agent: Agent, other: Agent) -> bool:
        spec = self.world.game.spec
        same = self.wish[other] is self.wish[agent]
        stays = not self._moves(other)
        swaps = self.wish[other] is agent.cell and self.wish[agent] is other.cell
        if spec.swap == "block" and swaps:
            return True
        match spec.contested:
            case "block" | "freeze_all":
                return same
            case "first":
                return same and (stays or other.index < agent.index)
            case "random":
                return same and stays
        return False

    def _loses_the_draw(self, agent: Agent, winners: dict[Cell, int]) -> bool:
        """The first of those that go for a cell draws for all of them."""
        target = self.wish[agent]
        assert target is not None
        rivals = [each for each in self.world.playing() if self._moves(each) and self.wish[each] is target]
        if len(rivals) < 2:
            return False
        if rivals[0] is agent:
            winners[target] = self.world.stream.below(len(rivals))
        return rivals[winners[target]] is not agent

    # Pushing and arriving

    def _push(self, agent: Agent) -> None:
        """Push what is in the cell that an agent gets; where it does not give way, the agent stays."""
        world, target, way = self.world, self.wish[agent], self.way[agent]
        assert target is not None
        world.begin_act()
        for thing in each_pushable(world, target):
            wishes = [wish for each, wish in self.wish.items() if wish is not None and not each.is_out]
            count = push(world, agent, target, way, thing.kind.layer, wishes)
            here = agent.cell
            if count:
                pushed(world, agent, thing, target, way, count)
            else:
                happen(world, "bump", agent, target)
            if not count or agent.cell is not here or agent.is_out:
                self.wish[agent] = agent.cell
                self.left[agent] = 0

    def _arrive(self, agent: Agent, came: dict[Agent, Cell | None]) -> None:
        world = self.world
        world.begin_act()
        if agent in came:
            target = self.wish[agent]
            assert target is not None
            leave_and_enter(world, agent, came[agent], target, agents=False)
        elif agent in self.lost and agent.cell is self.stood[agent]:
            assert agent.cell is not None
            happen(world, "bump", agent, world.beside(agent.cell, self.way[agent]))
            self.left[agent] = 0

    def _meet(self, came: dict[Agent, Cell | None]) -> None:
        """Raise the meetings of agents that ended in one cell, or changed places."""
        agents = self.world.agents
        self.world.begin_act()
        for index, first in enumerate(agents):
            for second in agents[index + 1 :]:
                if first.is_out or second.is_out:
                    continue
                together = first.cell is second.cell and (first in came or second in came)
                swapped = first in came and second in came
                swapped = swapped and first.cell is came[second] and second.cell is came[first]
                if together or (swapped and self.world.game.spec.swap == "allow"):
                    meet(self.world, first, second)

    def _go_on(self, came: dict[Agent, Cell | None]) -> bool:
        """Return whether anybody goes on: over its next cell, or on sliding ground."""
        going = False
        for agent in self.world.playing():
            left = self.left[agent] - 1
            if agent.cell is not None and agent.cell.ground.kind.slide:
                left = max(left, 1)
            stays = agent in came and agent.cell is self.wish[agent] and not self.world.ended
            self.left[agent] = left if stays and left > 0 else 0
            going = going or self.left[agent] > 0
        return going
