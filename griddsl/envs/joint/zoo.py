"""What griddsl takes of PettingZoo, or word of what to install."""

from __future__ import annotations

try:
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils import OrderEnforcingWrapper
    from pettingzoo.utils.conversions import parallel_to_aec_wrapper
except ModuleNotFoundError as missing:
    if missing.name != "pettingzoo":
        raise
    raise ModuleNotFoundError(
        "environments of several agents need PettingZoo: pip install 'griddsl[multi-agent]'",
        name="pettingzoo",
    ) from None

__all__ = ["AECEnv", "OrderEnforcingWrapper", "ParallelEnv", "parallel_to_aec_wrapper"]
