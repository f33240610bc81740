"""pygame and the display: imported when they are needed, without a greeting, and asked whether anybody sees them."""

import contextlib
import os
import sys
import warnings
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from types import ModuleType

_UNSEEN_DRIVERS = frozenset({"dummy", "offscreen", "evdev", "kmsdrm"})


def display_available() -> bool:
    """Whether a window can be opened where a person sees it. Quiet, and leaves an open window alone."""
    if os.environ.get("SDL_VIDEODRIVER", os.environ.get("SDL_VIDEO_DRIVER", "")).lower() in _UNSEEN_DRIVERS:
        return False
    on_unix = sys.platform not in ("win32", "darwin", "cygwin")
    if on_unix and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    try:
        pygame = load_pygame()
        if pygame.display.get_init():
            return pygame.display.get_driver().lower() not in _UNSEEN_DRIVERS
        with quiet_stderr():
            pygame.display.init()
            seen = pygame.display.get_driver().lower() not in _UNSEEN_DRIVERS
            pygame.display.quit()
        return bool(seen)
    except Exception:  # whatever a broken display does, the answer is no
        return False


@lru_cache(maxsize=1)
def load_pygame() -> ModuleType:
    """pygame, imported at the first call, without its greeting."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    if sys.platform == "win32":
        os.environ.setdefault("SDL_WINDOWS_DPI_AWARENESS", "permonitorv2")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pygame
    return pygame


@contextlib.contextmanager
def quiet_stderr() -> Iterator[None]:
    """Silence what SDL and its drivers write to the process's standard error."""
    try:
        sys.stderr.flush()
        kept = os.dup(2)
    except (OSError, AttributeError, ValueError):
        yield
        return
    try:
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
