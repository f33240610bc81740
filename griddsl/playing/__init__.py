"""Playing: a game in progress, and the window, the terminal and the transcript that show it."""

from griddsl.playing.moments import Fired, Moment
from griddsl.playing.session import Session

__all__ = ["Fired", "Moment", "Session"]
