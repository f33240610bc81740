"""The name by which `verifiers` finds the tasks of griddsl: `vf-eval griddsl_verifiers`."""

from griddsl.text.verifiers import (
    GridConfig,
    GridData,
    GridEnv,
    GridEnvConfig,
    GridTask,
    GridTaskset,
)

__all__ = ["GridConfig", "GridData", "GridEnv", "GridEnvConfig", "GridTask", "GridTaskset"]
