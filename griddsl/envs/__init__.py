"""Adapters: programs as the environments that other frameworks know. No game rule stands here."""

from griddsl.envs.single.grid_env import GridEnv

__all__ = ["GridEnv"]
