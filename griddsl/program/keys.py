"""Keys: the words by which slots are known, and what each of them holds.

A slot is found by its key: a word of this list, or such a word and names of the spec. Those under *Of names* always
have names behind them. A program has a slot only where something asks for it.
"""

from __future__ import annotations

from typing import Final

# The board. A cell is counted from 0, row by row; -1 is none.
TILE: Final = "TILE"  # the code of the tile in each cell; with a name, an attribute of it
OBJECT_AT: Final = "OBJECT_AT"  # the object in each cell, -1 for none; with a number, of one layer of several
OBJECT_KIND: Final = "OBJECT_KIND"  # the code of each object's kind, -1 for a place that is free
OBJECT_CELL: Final = "OBJECT_CELL"  # the cell of each object, -1 where it is carried or gone
OBJECT_START: Final = "OBJECT_START"  # the cell in which each object began the episode
OBJECT_CARRIED: Final = "OBJECT_CARRIED"  # what each object holds, -1 for an empty hand
OBJECTS: Final = "OBJECTS"  # one more than the number of the last object that there is
AGENT_CELL: Final = "AGENT_CELL"  # the cell of each agent, -1 for none; no such slot where they stand nowhere
FACING: Final = "FACING"  # the direction of each agent: east, south, west, north, then the diagonals
CARRIED: Final = "CARRIED"  # what each agent holds, -1 for an empty hand
START: Final = "START"  # the cell in which each agent began the episode
BACK: Final = "BACK"  # the number of the place at which each agent that is away comes back, of several

# The episode.
STEP: Final = "STEP"  # how many steps the episode has had
LEVEL: Final = "LEVEL"  # the number of the map
EPISODE: Final = "EPISODE"  # the number of the episode in its trial
DRAWN: Final = "DRAWN"  # whether something was drawn once: a setup may have failed before
TURN: Final = "TURN"  # the agent whose turn it is
OUT: Final = "OUT"  # 0 for an agent that takes part, 1 for one that is out, 1 + N for one that is away for N steps more
ACTION: Final = "ACTION"  # what each agent does; kept where others ask for it before it acts
PREVIOUS_ACTION: Final = "PREVIOUS_ACTION"  # what each agent did in the step before, -1 for nothing
TOTAL: Final = "TOTAL"  # the sum of each agent's rewards

# One step, of which no state keeps anything.
CHOICE: Final = "CHOICE"  # what each agent chose, for programs of several players
REWARD: Final = "REWARD"  # the reward of each agent
REWARD_SET: Final = "REWARD_SET"  # what it was set to instead of added up
REWARD_IS_SET: Final = "REWARD_IS_SET"  # whether it was set
HIDDEN_REWARD: Final = "HIDDEN_REWARD"  # what `hidden reward` adds up to for each agent
ENDED: Final = "ENDED"  # whether a rule ended the episode
TRUNCATED: Final = "TRUNCATED"  # whether a rule cut it short
OUTCOME: Final = "OUTCOME"  # the number of the outcome, from 1; 0 for none
LEFT: Final = "LEFT"  # 1 for an agent that a rule took out in this step, 2 for one that it sent away
TERMINATED: Final = "TERMINATED"  # whether the part of each agent ended
CUT_SHORT: Final = "CUT_SHORT"  # whether the part of each agent was cut short
AGAIN: Final = "AGAIN"  # whether a rule gave the agent whose turn it is the next one, too
CANCELLED: Final = "CANCELLED"  # whether a rule cancelled what the agent does

# Of names.
VAR: Final = "VAR"  # a variable
OBJECT: Final = "OBJECT"  # an attribute of objects
AGENT: Final = "AGENT"  # an attribute of agents
CHOSEN: Final = "CHOSEN"  # what setup chose
TOLD: Final = "TOLD"  # which text a part of the mission is
INFO_IS_SET: Final = "INFO_IS_SET"  # whether a rule told this entry of info in this step
LOWEST: Final = "LOWEST"  # the lowest that a number was
PREVIOUS: Final = "PREVIOUS"  # what a value was in the step before
KEPT: Final = "KEPT"  # what a slot held after what is drawn once; its own key is behind
