"""Names that provoke: what users may call things, and what the machinery below calls its own."""

from __future__ import annotations

from griddsl.syntax.keywords import RESERVED
from tests.fuzz.specs.dice import Dice

PLAIN = (
    "rock", "gem", "lamp", "crate", "cart", "rabbit", "robot", "meadow", "mud", "sand", "spring", "bridge", "torch", "gate",
    "flag", "apple", "seed", "well", "hut", "mine_shaft", "ghost", "rover", "stone", "shell", "drum", "harbour", "wagon",
    "vault", "beacon", "orchard", "pump", "kettle", "ladder", "mirror", "needle", "otter", "pigeon", "quarry", "raft",
)  # fmt: skip

# Each group holds names that were once, or could be, taken for one another.
CLUSTERS = (
    ("box", "box_2", "box_3", "box_x", "box_kind", "new_box", "find_box", "move_box"),
    ("die", "die_2", "die_1", "die_x", "i", "i_2", "n", "n_2"),
    ("kind", "kind_attribute", "kind_2", "attribute", "cell_attribute", "cell", "cell_2"),
    ("a", "b", "c", "a_b", "b_c", "a_b_c", "c_a"),
    ("x_is_set", "x_is_set_value", "x_value", "is_set", "is_set_value", "value"),
    ("agents", "agents_2", "agent_2", "agent_cell", "of_level", "of_level_red", "starts_agent", "agent_kind"),
    ("__debug__", "__name__", "__class__", "__builtins__", "__init__", "_", "__", "_1", "__1", "_x"),
    ("lambda_", "lambda", "def", "class", "return", "None", "True", "False", "while", "yield", "import", "async", "del"),
    ("pass", "raise", "try", "global", "nonlocal", "assert", "except", "finally", "await", "match", "type_", "break"),
    ("int", "len", "range", "list", "print", "float", "bool", "tuple", "dict", "set", "object_", "type", "str"),
    ("abs_", "min_", "max_", "exp_", "round", "sorted", "zip", "map_", "id", "hash", "open_", "eval", "exec"),
    ("np", "numpy", "numba", "njit", "jit", "math", "int64", "uint64", "prange", "carray", "types", "cffi"),
    ("s", "f", "r", "s_2", "f_2", "r_2", "t", "j", "k", "p", "q"),
    ("level_", "target", "thing", "thing_2", "met", "hand", "spot", "place_", "candidate", "candidates", "done_"),
    ("TILE", "OBJECT_KIND", "OBJECT_CELL", "AGENT_CELL", "REWARD", "STEP", "OUTCOME", "ENDED", "OUT", "TURN", "CARRIED"),
    ("TILE_PAIR", "SOLID", "MOVES", "DIRECTION", "NEXT_4", "PLACES", "INITIAL", "INITIAL_REALS", "DISTANCE", "WAY", "LOST"),
    ("carried", "tile_pair", "object_kind", "object_cell", "outcome", "terminated", "ended", "previous", "wish", "pool"),
    ("observe_0", "info_0", "do_pickup", "advance", "solid_at", "release", "on_bump", "thing_meet", "resolve", "draw"),
    ("fires_1", "holds", "holds_2", "total", "total_2", "old", "old_2", "here_2", "corner", "shown", "direction"),
    ("pair", "pair_2", "tile_2", "tiles", "kinds", "objects_", "self_", "other_", "spot_2", "random_", "start_", "step_"),
    ("hidden_reward", "cut_short", "choice", "came_from", "to_go", "facing_attribute", "object_facing", "choices", "turn_"),
)  # fmt: skip
WORDS = (
    "red", "blue", "green", "grey", "open", "closed", "locked", "shut", "calm", "cross", "whole", "cracked", "wet", "dry",
    "hot", "cold", "bread", "milk", "big", "small", "first", "second", "old_one", "none", "nothing", "up_high", "w_1", "w_2",
)  # fmt: skip
ATTRIBUTES = (
    "start",
    "kind",
    "kind_attribute",
    "a",
    "b_c",
    "x_is_set",
    "state",
    "color",
    "age",
    "b",
    "c",
    "value",
    "left_",
    "tile",
    "KIND",
    "CELL",
)
REFUSED = RESERVED | {
    *(
        "floor",
        "wall",
        "agent",
        "self",
        "here",
        "width",
        "height",
        "limit",
        "free",
        "nothing",
        "edge",
        "x",
        "y",
        "other",
    ),
    *(
        "and",
        "or",
        "not",
        "is",
        "in",
        "on",
        "at",
        "has",
        "for",
        "where",
        "with",
        "else",
        "as",
        "to",
        "of",
        "by",
        "from",
    ),
}


class Names:
    """The names of one spec: some plain, some of a few clusters, each given once."""

    def __init__(self, dice: Dice) -> None:
        self.dice = dice
        provoking = [name for cluster in dice.some(CLUSTERS, 0, 3) for name in cluster]
        self._plain = dice.shuffled(PLAIN)
        self._provoking = [name for name in dice.shuffled(provoking) if name not in REFUSED]
        self._words = dice.shuffled(WORDS)
        self.taken: set[str] = set()

    def fresh(self) -> str:
        """Return a name that nothing has yet."""
        while True:
            source = self._provoking if self._provoking and self.dice.chance(65) else self._plain
            name = source.pop()
            if name not in self.taken:
                self.taken.add(name)
                return name

    def spare(self) -> str:
        """Return a name that nothing has yet, apart from those that are drawn."""
        name = f"spare_{len(self.taken)}"
        self.taken.add(name)
        return name

    def words(self, count: int) -> tuple[str, ...]:
        """Return the words of a domain; another domain may have some of them too."""
        free = [word for word in self._words if word not in self.taken]
        return tuple(self.dice.some(free[:10], count, count))

    def attribute(self, taken: set[str]) -> str:
        """Return a name for an attribute of a kind that has the taken ones."""
        free = [name for name in (*ATTRIBUTES, *self._provoking[:4]) if name not in taken | {"cell"}]
        return self.dice.pick(free)
