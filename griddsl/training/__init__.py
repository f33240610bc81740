"""Training: a first policy in one command, kept in a file that knows which game it is for."""

from griddsl.training.policy_file import load, save
from griddsl.training.scoring import score
from griddsl.training.train import train

__all__ = ["load", "save", "score", "train"]
