"""A random spec: a function of its seed, from the first statement to the last."""

from __future__ import annotations

from tests.fuzz.specs.actions import say_actions, say_allowed
from tests.fuzz.specs.away import with_leaving
from tests.fuzz.specs.crowded import crowded
from tests.fuzz.specs.dice import Dice
from tests.fuzz.specs.kinds import declare, declare_minigrid
from tests.fuzz.specs.maps import say_maps
from tests.fuzz.specs.names import Names
from tests.fuzz.specs.nowhere import is_nowhere, of_a_board
from tests.fuzz.specs.past import RULES, without_what_is_made
from tests.fuzz.specs.rules import say_rules
from tests.fuzz.specs.setup import say_setup
from tests.fuzz.specs.several import declare_agents, reward_changes, say_agents, say_own
from tests.fuzz.specs.sights import say_sights
from tests.fuzz.specs.world import World


def spec_of(seed: int) -> str:
    """Return the text of the spec of a seed."""
    if Dice(f"crowd {seed}").chance(12):
        return "\n".join(with_leaving(seed, crowded(seed).rstrip("\n").split("\n"))) + "\n"
    dice = Dice(seed)
    world = World(dice, Names(dice))
    world.width, world.height = dice.between(3, 6), dice.between(2, 4)
    world.several = dice.chance(28)
    world.is_generated = dice.chance(15)
    world.is_busy = Dice(f"busy {seed}").chance(12)
    if world.is_busy:
        world.width, world.height = min(world.width, 4), min(world.height, 2)
    world.is_minigrid = not world.several and dice.chance(6)
    world.has_limit = dice.chance(85)
    world.say(f"env: fuzz/Spec{seed}-v0")
    if world.several:
        declare_agents(world)
    (declare_minigrid if world.is_minigrid else declare)(world)
    if world.several:
        say_agents(world)
    say_actions(world)
    if world.several:
        say_own(world)
    say_setup(world)
    say_maps(world)
    say_allowed(world)
    say_rules(world)
    say_sights(world)
    if not world.several and dice.chance(12):
        world.say(f"rewards: {reward_changes(world)}")
    if world.has_limit:
        steps = dice.between(5, 40)
        named = [value.name for value in world.params if value.form == "number"]
        own = Dice(f"limit {seed}")
        more = own.pick(["width", "2 * height", *named]) if own.chance(15) else ""
        world.say(f"limit: {steps} + {more} steps" if more else f"limit: {steps} steps")
    elif Dice(f"limit {seed}").chance(40):
        world.say("limit: none")
    statements = with_leaving(seed, without_what_is_made(world))
    statements = (of_a_board(world, statements) if is_nowhere(seed) else None) or statements
    return "\n".join(_arranged(dice, statements)) + "\n"


def _arranged(dice: Dice, statements: list[str]) -> list[str]:
    """Return the statements in another order, now and then: their order is meaning for rules alone."""
    if dice.chance(70):
        return statements
    rules = [text for text in statements if text.split(" ")[0] in RULES]
    others = dice.shuffled([text for text in statements if text not in rules])
    middle = dice.between(0, len(others))
    return [*others[:middle], *rules, *others[middle:]]
