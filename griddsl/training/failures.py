"""What cannot be trained or played: the reason, and what to do instead."""

from __future__ import annotations

from griddsl.diagnostics import Refused


class TrainingError(Refused):
    """A policy, a learner or a file that does not fit; ``help`` says what would."""

    def __init__(self, message: str, help: str | None = None) -> None:
        super().__init__(message)
        self.help = help
