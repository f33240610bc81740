"""The window, without a screen."""

import subprocess
import sys
import time
from collections.abc import Iterator

import numpy as np
import pytest

from griddsl.render import Rasteriser, Scene
from griddsl.render.window import Panel, Window, display_available, letters
from griddsl.render.window.letters import _broken, font_of, in_lines, printable
from griddsl.render.window.panel import paint_panel

PANEL = Panel(
    title="griddsl/CliffWalking-v0",
    rows=[("step", "3"), ("carrying", "a very long list of things " * 5)],
    keys=[("space", "one step"), ("ctrl+z", "undo")],
    message="on enter cliff (line 11)\0\t!",
)


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch) -> Iterator[Window]:
    """A window on SDL's dummy driver."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    opened = Window("test")
    yield opened
    opened.close()


def _shown() -> np.ndarray:
    import pygame

    surface = pygame.display.get_surface()
    assert surface is not None
    return pygame.surfarray.array3d(surface).swapaxes(0, 1)


def test_import__brings_no_pygame_and_prints_nothing() -> None:
    """Importing the room and the window's module loads neither pygame nor pillow, and is silent."""
    program = (
        "import sys, griddsl.render, griddsl.render.window;"
        "assert not {'pygame', 'PIL'} & set(sys.modules);"
        "import os; os.environ['SDL_VIDEODRIVER'] = 'dummy';"
        "from griddsl.render.window import Window; import numpy as np;"
        "w = Window('t'); w.show(np.zeros((8, 8, 3), np.uint8)); w.close()"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout + run.stderr == ""


def test_show__a_frame_alone_is_enlarged_by_whole_factors(window: Window) -> None:
    """Without a panel the window is the frame, each pixel a square of one colour."""
    frame = np.random.default_rng(0).integers(0, 256, (6, 9, 3)).astype(np.uint8)
    window.show(frame)
    shown = _shown()
    factor = shown.shape[0] // 6
    assert factor >= 2
    assert np.array_equal(shown, frame.repeat(factor, axis=0).repeat(factor, axis=1))


def test_show__the_panel_stands_beside_the_board(cliff: Scene, window: Window) -> None:
    """With a panel the board is shown pixel for pixel, and text stands right of it."""
    frame = Rasteriser(32).draw(cliff)
    window.show(frame, PANEL)
    shown = _shown()
    assert shown.shape[1] > frame.shape[1] + 200
    agent = tuple(cliff.cells[36][1].color)
    assert (shown == agent).all(axis=-1).any()
    assert (shown[:, -280:].min(axis=-1) > 200).sum() > 100


def test_show__keys_that_do_not_fit_stand_in_two_columns(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All keys are there as long as two columns hold them; then the last line says how many are missing."""
    written: list[str] = []

    def noting(text: str) -> str:
        written.append(text)
        return printable(text)

    monkeypatch.setattr(letters, "printable", noting)
    import pygame

    pygame.font.init()
    surface = pygame.Surface((300, 400))
    for count in (5, 20, 60):
        written.clear()
        panel = Panel(title="many", keys=[(str(number), f"action {number}") for number in range(count)])
        paint_panel(surface, surface.get_rect(), panel)
        shown = sum(text.startswith("action") for text in written)
        assert shown == count if count <= 20 else 12 <= shown < 60
        assert (f"and {count - shown} more" in written) == (shown < count)


def test_show__errors_lie_across_the_bottom_and_the_board_stays(cliff: Scene, window: Window) -> None:
    """An error, however long, takes at most half of the window, in red on dark red."""
    frame = Rasteriser(32).draw(cliff)
    window.show(frame, PANEL)
    before = _shown().shape
    window.show(frame, Panel(title="t", error="error[x]: y\n" + "    ^^^^ " * 200 + "\nz" * 500))
    shown = _shown().astype(int)
    assert shown.shape == before
    red = (shown[..., 0] - shown[..., 1]) > 15
    assert red[-1, -1]
    assert not red[: shown.shape[0] // 2 - 1, -1].any()


def test_show__a_board_larger_than_the_window_shrinks(window: Window) -> None:
    """A frame larger than any screen is shown whole."""
    frame = np.zeros((3000, 9000, 3), np.uint8)
    frame[:, 8000:] = 255
    window.show(frame, PANEL)
    assert _shown().shape[1] < 9000
    assert (_shown() >= 253).all(axis=-1).sum() > 1000


def test_events__are_names_of_keys_in_order(window: Window) -> None:
    """Keys, shift by itself, a key with ctrl, and closing come as words, once."""
    import pygame

    window.show(np.zeros((8, 8, 3), np.uint8))
    window.events()
    for key, mod in (
        (pygame.K_UP, 0),
        (pygame.K_LSHIFT, pygame.KMOD_LSHIFT),
        (pygame.K_r, pygame.KMOD_LSHIFT),
        (pygame.K_z, pygame.KMOD_LCTRL),
        (pygame.K_PAGEUP, 0),
    ):
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, mod=mod))
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    assert window.events() == ["up", "left shift", "r", "ctrl+z", "page up", "quit"]
    assert window.events() == []


def test_resize__paints_again(window: Window) -> None:
    """After a change of size the last frame fills the new window without a new call of show."""
    import pygame

    window.show(np.full((10, 10, 3), 200, np.uint8))
    pygame.display.set_mode((800, 300), pygame.RESIZABLE)
    pygame.event.post(pygame.event.Event(pygame.VIDEORESIZE, size=(800, 300), w=800, h=300))
    window.events()
    assert _shown()[150, 400].tolist() == [200, 200, 200]
    assert _shown()[150, 10].tolist() != [200, 200, 200]


def test_show_frame__keeps_the_pace(window: Window) -> None:
    """Five frames at 50 a second take at least 80 ms."""
    frame = np.zeros((8, 8, 3), np.uint8)
    window.show_frame(frame, 50)
    start = time.perf_counter()
    for _ in range(5):
        window.show_frame(frame, 50)
    assert time.perf_counter() - start > 0.08


def test_close__can_be_called_again_and_ends_everything(window: Window) -> None:
    """A closed window shows nothing, has no events, and closes again without complaint."""
    window.show(np.zeros((8, 8, 3), np.uint8))
    assert window.is_open
    window.close()
    window.close()
    window.show(np.zeros((8, 8, 3), np.uint8), PANEL)
    window.show_frame(np.zeros((8, 8, 3), np.uint8), 30)
    window.wait(1)
    assert not window.is_open
    assert window.events() == []


def test_show__survives_another_library_shutting_pygame_down(cliff: Scene, window: Window) -> None:
    """Where other code called pygame.quit, the next frame opens the window again."""
    import pygame

    frame = Rasteriser(16).draw(cliff)
    window.show(frame, PANEL)
    pygame.quit()
    window.show(frame, PANEL)
    assert _shown().any()


def test_wrapped__no_line_is_wider_than_asked(window: Window) -> None:
    """Long words are broken, and no letter is lost."""
    window.show(np.zeros((8, 8, 3), np.uint8))
    font = font_of(14)
    text = "a few words and " + "x" * 300 + " at the end"
    lines = in_lines(text, font, 120)
    assert all(font.size(line)[0] <= 120 for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert _broken("short", font, 200) == ["short"]


def test_clean__leaves_nothing_that_a_font_cannot_draw() -> None:
    """Control characters become blanks, tabs four columns, and endless text ends."""
    assert printable("a\0b\tc") == "a b c"
    assert len(printable("x" * 10_000)) == 2000


def test_display_available__is_false_without_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """No display named, an unseen driver, or a display that does not answer: no window."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "SDL_VIDEO_DRIVER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    assert not display_available()
    monkeypatch.setenv("DISPLAY", ":98765")
    assert not display_available()
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    assert not display_available()


def test_display_available__leaves_an_open_window_alone(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asking while a window is open does not close it."""
    import pygame

    window.show(np.zeros((8, 8, 3), np.uint8))
    monkeypatch.delenv("SDL_VIDEODRIVER")
    monkeypatch.setenv("DISPLAY", ":0")
    assert not display_available()
    assert pygame.display.get_init()
