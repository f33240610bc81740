"""What environments of one and of several share: their pictures, their words, and their maps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from griddsl.backends.python import Machine
from griddsl.compiling.cache import Compiled
from griddsl.diagnostics import CODES, Diagnostic, Label, Refused, Report, SpecError
from griddsl.diagnostics.suggest import near
from griddsl.envs.states import State, checked
from griddsl.envs.wording import Wording
from griddsl.program.observing import is_noisy
from griddsl.program.program import Program
from griddsl.program.runtime import SetupFailure
from griddsl.program.stream import Stream
from griddsl.source import Span
from griddsl.syntax.nodes import walk

if TYPE_CHECKING:
    from griddsl.spec.models import GridSpec

Seen = TypeVar("Seen")
HALF = 2**63  # of the period of a random stream: what is drawn from there no stream comes to
NOTHING_TO_SEE = "call reset() before render(): until then nothing is set up to be seen"
RENDER_FPS = 8
RENDERING = {"render_modes": ["human", "rgb_array", "ansi"], "render_fps": RENDER_FPS}


OPTIONS = ("level", "reset_mask")


def check_options(options: Any) -> None:
    """Raise `TypeError` where the options of a reset are no dict, `ValueError` where one is misspelt.

    Other keys may stand there: wrappers and tools pass their own along.
    """
    if options is None:
        return
    if not isinstance(options, Mapping):
        raise TypeError(f"options is a dict, such as {{'level': NAME}}, or None, not {options!r}")
    for key in options:
        if key not in OPTIONS and (meant := near(str(key), OPTIONS)):
            raise Refused(f"there is no option {key!r} of a reset: did you mean {meant[0]!r}?")


class BaseEnv:
    """A program with the state of one episode, ``_s``, ``_f`` and ``_r``, and all that is shown of it."""

    compiled: Compiled
    program: Program
    _machine: Machine
    _s: list[int]
    _f: list[float]
    _r: Stream
    _painter: Any = None
    _rasterisers: dict[int, Any]
    _window: Any = None
    render_mode: str | None = None
    highlight: bool | None = None
    metadata: Any = RENDERING

    @property
    def spec_model(self) -> GridSpec:
        """The validated model of the spec, with its parameters bound."""
        return self.compiled.model

    def check_render_mode(self, mode: str | None) -> None:
        """Raise `ValueError` for a render mode that there is not."""
        if mode is not None and mode not in self.metadata["render_modes"]:
            raise Refused(f"there is no render mode {mode!r}; choose one of {self.metadata['render_modes']}")

    def check_highlight(self, highlight: Any) -> None:
        """Raise `TypeError` for what says neither yes nor no, nor leaves it open."""
        if not (highlight is None or isinstance(highlight, bool)):
            raise TypeError(f"highlight is True, False or None, not {highlight!r}")

    def _pull(self) -> None:
        """Bring the state up to date, where a faster backend keeps it elsewhere."""

    def _standing(self) -> Sequence[int]:
        """Return the integers of the state, to read and not to keep: a few are read where a backend keeps them."""
        self._pull()
        return self._s

    # State

    def get_state(self) -> State:
        """Return the whole state, the random stream included: hashable, picklable, comparable."""
        self._pull()
        layout = self.program.layout
        return tuple(self._s[: layout.saved]), tuple(self._f[: layout.saved_reals]), self._r[0]

    def set_state(self, state: State) -> None:
        """Go into a state that `get_state` gave; the same future follows.

        Raises `ValueError` for a state of another spec or with impossible values, `TypeError` for what is no state.
        """
        integers, reals, stream = checked(self.program, state)
        layout = self.program.layout
        self._s[: layout.saved] = integers
        self._s[layout.saved :] = self._machine.initial[layout.saved :]
        self._f[: layout.saved_reals] = reals
        self._r[0] = stream

    # Noise

    @cached_property
    def _is_noisy(self) -> bool:
        """Whether to observe is to draw."""
        return is_noisy(self.program)

    def _aside(self, look: Callable[[], Seen]) -> Seen:
        """Return what a look gives, and let the random stream be where it was: what the look draws is drawn aside.

        Without this a look that nobody asked for would change the future, or show what the next step draws.
        """
        stream = self._r[0]
        self._r[0] = stream ^ HALF
        try:
            return look()
        finally:
            self._r[0] = stream

    # Pictures

    @property
    def painter(self) -> Any:
        """Draws states of this environment as scenes."""
        if self._painter is None:
            from griddsl.render.painter import Painter

            self._painter = Painter(self.program)
        return self._painter

    def scene(self, values: Any = None, policy: Any = None) -> Any:
        """Return the present state as a `griddsl.render.scene.Scene`."""
        self._pull()
        return self.painter.scene(self._s, values, policy)

    def highlighted(self, scene: Any) -> Any:
        """Return a scene with what no agent sees darkened, where `highlight` says so."""
        if self.highlight is False or (self.highlight is None and self.render_mode != "human"):
            return scene
        from griddsl.envs.sight import out_of_sight

        hidden = out_of_sight(self.program, self._s, self._seen_by)
        return scene if hidden is None else replace(scene, dimmed=hidden)

    def _seen_by(self, name: str) -> Any:
        """Return what an agent observes now, without a change of the random stream."""
        raise NotImplementedError

    def _repr_svg_(self) -> str:
        """Return a drawing of the present state, which notebooks show."""
        from griddsl.render.svg import to_svg

        return to_svg(self.scene())

    def rasteriser(self, cell_pixels: int | None) -> Any:
        """Return what draws scenes with this many pixels a cell; None for as many as suit the map."""
        from griddsl.render.raster import Rasteriser, default_cell_pixels

        size = cell_pixels or default_cell_pixels(self.program.width, self.program.height)
        if size not in self._rasterisers:
            self._rasterisers[size] = Rasteriser(size)
        return self._rasterisers[size]

    def render(self, values: Any = None, policy: Any = None) -> Any:
        """Return what the render mode says: a frame, a coloured text, or nothing (``human`` shows a window).

        ``values`` draws a heat map, one number a cell; ``policy`` draws arrows, one action (or several) a cell.
        Without a render mode a frame is returned, ``(height, width, 3)`` uint8. What the agents do not see is darker
        where ``highlight`` says so: it is true, or None in a window, and what they observe is a part of the board.
        """
        scene = self.highlighted(self.scene(values, policy))
        if self.render_mode == "ansi":
            from griddsl.render.ansi import to_ansi

            return to_ansi(scene)
        if self.render_mode != "human":
            return self.rasteriser(None).draw(scene)
        from griddsl.render.raster import window_cell_pixels
        from griddsl.render.window import Window

        frame = self.rasteriser(window_cell_pixels(scene.width, scene.height)).draw(scene)
        if self._window is None:
            self._window = Window(self.program.id)
        self._window.show_frame(frame, self.metadata["render_fps"])
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None

    # Words

    def text(self) -> str:
        """Return the present state as lines of glyphs."""
        from griddsl.render.ansi import to_text

        return to_text(self.scene())

    def mission(self) -> str:
        """Return the task of this episode in words; empty where the spec has no ``mission``."""
        return self.wording.mission(self._standing())

    def value_of(self, name: str) -> str:
        """Return a variable, a chosen name or a parameter in words."""
        return self.wording.value_of(name, self._standing())

    @cached_property
    def wording(self) -> Wording:
        """What the mission says, by the numbers that decide it."""
        return Wording(self.program)

    # Maps

    def level_number(self, options: Mapping[str, Any] | None) -> int:
        """Return the number of the map that ``options`` ask for; -1 where the spec chooses."""
        check_options(options)
        if not options or "level" not in options:
            return -1
        wanted, levels = options["level"], self.program.levels
        if wanted in levels:
            return levels.index(wanted)
        known = ", ".join(repr(level) for level in levels if level) or "none has a name"
        raise Refused(
            f"there is no level {wanted!r} of this size here; levels: {known}. A level of another size is chosen "
            f"when the environment is made: gym.make({self.program.id!r}, level={wanted!r})"
        )

    def setup_error(self, failure: SetupFailure) -> SpecError:
        """Return what to raise where setup could not place something, with the map at that moment."""
        return SpecError([setup_diagnostic(self.spec_model, self.program, failure, self._s)])


def setup_diagnostic(
    spec: GridSpec, program: Program, failure: SetupFailure, state: Sequence[int] = ()
) -> Diagnostic:
    """Return what is said of a setup that failed, with the map at that moment; ``state`` stands in for its own."""
    from griddsl.render.ansi import to_text
    from griddsl.render.painter import Painter

    span = _place_of(spec, failure)
    what, constraint, *more = failure.message.split("\0")
    message = CODES[failure.code].message.format(what=what, constraint=constraint, count=what)
    help = "; ".join(["the map at that moment is shown", *more])
    picture = to_text(Painter(program).scene(failure.state or state))
    labels = tuple(Label(other.span, other.text) for other in span.through)
    return Diagnostic(failure.code, message, span, help, labels, picture)


def _place_of(spec: GridSpec, failure: SetupFailure) -> Span:
    """Return where the line of setup that failed stands: what a library's definition says, in the library's file."""
    from griddsl.spec.desugar.definitions import expanded

    wanted = (failure.start, failure.end)
    spec = expanded(spec, Report()) or spec
    spans = (node.span for node in walk(spec.preparing) if (node.span.start, node.span.end) == wanted)
    return next(spans, Span(spec.source, *wanted))
