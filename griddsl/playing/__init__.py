"""Playing: a game in progress, and the window, the terminal and the transcript that show it."""

from griddsl.playing.session import Fired, Moment, Session

__all__ = ["Fired", "Moment", "Session"]
