"""Steps of batches, written for one program: to look up what it observes would cost more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from griddsl.backends.batch import Batch
from griddsl.backends.single import made
from griddsl.program.runtime import SetupFailure


def batch_step(batch: Batch, mode: int, **names: Any) -> Callable[[Any], Any]:
    """Return the step of a batch whose actions are whole numbers and whose observation is a bare array.

    ``names`` are what it calls: ``numbers(actions)`` for actions that are not an array as the batch takes it,
    ``failed(failure)``, and ``finish(observation, reward, ended, cut)`` where episodes ended; and
    ``silence``, a dict that says that none has.
    """
    (writer,), count = batch.interface.observed, batch.count
    names |= {"size": writer.made(count).shape, "dtype": np.dtype(writer.dtype)}
    shaped = (
        "leaf"
        if writer.form == "value" or len(writer.shape) == 1
        else f"leaf.reshape({(count, *writer.shape)})"
    )
    lines = [
        "is_plain = actions.__class__ is ndarray and actions.dtype is whole and actions.shape == shape",
        "given = actions if is_plain and actions.flags.c_contiguous else numbers(actions)",
        "leaf, reward = empty(size, dtype), empty(count)",
        "ended, cut = empty(count, flag), empty(count, flag)",
        "try:",
        f"    over = run(given, {mode}, [leaf], reward, ended, cut)",
        "except SetupFailure as failure:",
        "    raise failed(failure) from None",
        "if over:",
        f"    return finish({shaped}, reward, ended, cut)",
        f"return {shaped}, reward, ended, cut, silence.copy()",
    ]
    return made(
        lines,
        "actions",
        run=batch.step,
        count=count,
        shape=(count,),
        empty=np.empty,
        ndarray=np.ndarray,
        whole=np.dtype(np.int64),
        flag=np.dtype(np.bool_),
        SetupFailure=SetupFailure,
        **names,
    )
