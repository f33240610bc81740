"""The world: everything the clauses of a spec can speak of, resolved. Nothing of it changes once it is there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from griddsl.lowering.world.actions import Action, Group
from griddsl.lowering.world.domains import Domain
from griddsl.lowering.world.kinds import DEFAULT_LAYER, Kind
from griddsl.lowering.world.maps.level import Level
from griddsl.lowering.world.parameters import EPISODES
from griddsl.lowering.world.values import NUMBER, TRUTH, ValueType, Words
from griddsl.source import Span
from griddsl.spec.models import GridSpec
from griddsl.spec.reckoned import Scalar
from griddsl.syntax import nodes as n


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable as it is declared: its domain, and the code or number that it starts with."""

    name: str
    domain: Domain
    default: int
    span: Span


@dataclass(frozen=True, slots=True)
class Role:
    """Agents that act and observe alike: their numbers, their actions, and what each does by itself (or nothing).

    ``kind`` is the kind of all of them, or ``agent`` where they are of several.
    """

    name: str
    kind: Kind
    members: tuple[int, ...]
    groups: tuple[Group, ...]
    moves: n.Mover | None = None

    @property
    def actions(self) -> list[Action]:
        """The actions of all its groups."""
        return [action for group in self.groups for action in group.actions]


@dataclass(frozen=True)
class World:
    """What a spec speaks of: parameters, kinds, levels, agents, variables, regions, actions and roles.

    ``limit`` is the number of steps of an episode, ``own_limits`` that of the agents of some kinds; ``unread`` are the
    variables whose domains could not be read.
    """

    spec: GridSpec
    params: Mapping[str, Scalar]
    param_domains: Mapping[str, Domain]
    kinds: Mapping[str, Kind]
    levels: tuple[Level, ...]
    agents: tuple[Kind, ...]
    agent_names: tuple[str, ...]
    limit: int | None
    own_limits: Mapping[str, int]
    variables: Mapping[str, Variable]
    unread: frozenset[str]
    regions: Mapping[str, NDArray[np.bool_]]
    groups: tuple[Group, ...]
    roles: tuple[Role, ...]

    @property
    def width(self) -> int:
        """The number of columns."""
        return self.levels[0].width

    @property
    def height(self) -> int:
        """The number of rows."""
        return self.levels[0].height

    @property
    def cells(self) -> int:
        """The number of cells."""
        return self.width * self.height

    @cached_property
    def layers(self) -> tuple[str, ...]:
        """The layers that objects lie on; there is one where there are none."""
        return tuple(dict.fromkeys(kind.layer for kind in self.object_kinds())) or (DEFAULT_LAYER,)

    @property
    def episodes(self) -> int:
        """How many episodes of one draw are one: a trial; 1 where none is asked for."""
        declared = any(param.name == EPISODES for param in self.spec.params)
        return 1 if declared else int(self.params.get(EPISODES, 1))

    @property
    def several(self) -> bool:
        """Whether there are several agents, learning or not."""
        return len(self.agents) > 1

    @property
    def nowhere(self) -> bool:
        """Whether the agents stand in no cell: they act on a board that they are no part of."""
        return self.agents[0].nowhere

    @property
    def learners(self) -> list[int]:
        """The numbers of the agents that are given actions from outside."""
        return [index for index, kind in enumerate(self.agents) if kind.moves is None]

    @property
    def turns(self) -> str:
        """Who acts when. Where only one learns, a step lets all have their turns: `alternate` is `in_order`."""
        return "in_order" if self.spec.turns == "alternate" and len(self.learners) == 1 else self.spec.turns

    @property
    def agents_block(self) -> bool:
        """Whether no agent moves into a cell where another stays."""
        return self.several and self.spec.contested != "share"

    @property
    def passes_through(self) -> bool:
        """Whether an action goes ``through`` something: it comes to where that is, whoever is there."""
        return any(action.through is not None for action in self.actions)

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """The actions of all groups."""
        return tuple(action for group in self.groups for action in group.actions)

    @property
    def forbids(self) -> bool:
        """Whether some action is not always allowed: by ``allow``, or by a ``where`` of what it takes."""
        return any(action.is_limited for action in self.actions)

    @property
    def action_names(self) -> list[str]:
        """The names of all actions: agents of several kinds can have some of the same name."""
        return list(dict.fromkeys(action.name for action in self.actions))

    def group_of(self, action: Action) -> Group:
        """Return the group that an action is of."""
        return next(group for group in self.groups if action in group.actions)

    @cached_property
    def kind_list(self) -> list[Kind]:
        """The kinds by their code."""
        return sorted(self.kinds.values(), key=lambda kind: kind.code)

    def tile_kinds(self) -> list[Kind]:
        """The kinds of tile by their code."""
        return [kind for kind in self.kind_list if kind.category == "tile"]

    def object_kinds(self) -> list[Kind]:
        """The kinds of object by their code."""
        return [kind for kind in self.kind_list if kind.category == "object"]

    def first_of_layer(self, layer: str) -> Kind:
        """Return the first kind of objects that lie on a layer."""
        return next(kind for kind in self.object_kinds() if kind.layer == layer)

    def has_layer_alone(self, kind: Kind) -> bool:
        """Whether all objects that lie on the layer of a kind are of this kind."""
        return all(each is kind for each in self.object_kinds() if each.layer == kind.layer)

    def tile_attributes(self) -> list[str]:
        """The names of all attributes of tiles."""
        names = [name for kind in self.tile_kinds() for name in kind.attributes]
        return list(dict.fromkeys(names))

    def attribute_range(self, name: str, category: str) -> tuple[int, int]:
        """Return the range of the codes of an attribute over all kinds of a category; those without it hold 0."""
        found = [
            domain_range(kind.attributes[name].domain)
            for kind in self.kinds.values()
            if kind.category == category and name in kind.attributes
        ]
        return min([0, *(low for low, _ in found)]), max([0, *(high for _, high in found)])


def domain_range(domain: Domain) -> tuple[int, int]:
    """Return the range of the codes of a domain."""
    if domain.form == "words":
        return 0, len(domain.words) - 1
    if domain.form == "bool":
        return 0, 1
    return int(domain.low), int(domain.high)


def domain_type(domain: Domain) -> ValueType:
    """Return the type of the values of a domain."""
    if domain.form == "words":
        return Words(domain.words)
    return TRUTH if domain.form == "bool" else NUMBER
