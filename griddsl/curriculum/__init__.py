"""Curricula: which levels to learn in next, by prioritised level replay (PLR) and by evolution (ACCEL).

A memory holds the levels that promise most (Jiang et al. 2021, "Prioritized Level Replay"); evolution adds those that
come of one by a small change (Parker-Holder et al. 2022, "Evolving Curricula with Regret-Based Environment Design").
`LevelReplay` and `CurriculumVectorEnv` are for batches of Gymnasium, the functions for arrays of JAX; `VariantReplay`
and `VariantEnv` choose among parameters and named levels.
"""

from griddsl.curriculum.arrays import Memory, chances, drawn, emptied, kept, learnability, promise, scored
from griddsl.curriculum.batch import CurriculumVectorEnv
from griddsl.curriculum.changes import flipped, moved
from griddsl.curriculum.replay import LevelReplay
from griddsl.curriculum.variants import VariantEnv, VariantReplay

__all__ = [
    "CurriculumVectorEnv",
    "LevelReplay",
    "Memory",
    "VariantEnv",
    "VariantReplay",
    "chances",
    "drawn",
    "emptied",
    "flipped",
    "kept",
    "learnability",
    "moved",
    "promise",
    "scored",
]
