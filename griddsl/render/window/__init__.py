"""The window: a board beside a panel of text. The only room with pygame, imported when it is needed."""

from griddsl.render.window.display import display_available
from griddsl.render.window.panel import Panel
from griddsl.render.window.window import Window

__all__ = ["Panel", "Window", "display_available"]
