"""``griddsl show``: a picture of a spec, in the terminal or in a file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from griddsl.cli.failures import Refusal, note
from griddsl.cli.options import Level, Params, Spec
from griddsl.cli.paint import is_colored
from griddsl.cli.sources import find_spec, parse_params
from griddsl.cli.targets import check_target
from griddsl.files.writing import write

if TYPE_CHECKING:
    from griddsl.render.scene import Scene

ENDINGS = (".png", ".svg", ".gif")
MOST_CELL_PIXELS = 512
MOST_PIXELS = 64_000_000


def command(
    spec: Spec,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="OUT", help="A .png, .svg or .gif file to write.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The seed of what is drawn at random.")] = 0,
    param: Params = None,
    level: Level = None,
    cell_pixels: Annotated[
        int | None, typer.Option(min=2, max=MOST_CELL_PIXELS, help="The size of a cell.", show_default=False)
    ] = None,
    values: Annotated[
        Path | None, typer.Option(metavar="FILE.npy", help="A heat map: one number a cell, (height, width).")
    ] = None,
    policy: Annotated[
        Path | None, typer.Option(metavar="FILE.npy", help="Arrows: one action, or a row of actions, a cell.")
    ] = None,
) -> None:
    """Draw the first state of a spec."""
    path = find_spec(spec)
    check_target(output, *ENDINGS)
    from griddsl.envs.making import env_of

    env = env_of(path, seed, **parse_params(param or (), level))
    scene = env.scene(_array(values), _array(policy))
    if output is None:
        _print(scene, env)
    else:
        _write(scene, output, cell_pixels)
        note(f"wrote {output}")


def _array(path: Path | None) -> Any:
    if path is None:
        return None
    import numpy as np

    try:
        return np.load(path, allow_pickle=False)
    except FileNotFoundError:
        raise Refusal(f"there is no file `{path}`") from None
    except (ValueError, EOFError):
        raise Refusal(f"`{path}` holds no array of numbers", "write one with `numpy.save`") from None


def _print(scene: Scene, env: Any) -> None:
    from griddsl.render.ansi import to_ansi, to_text

    color = is_colored(sys.stdout)
    if color or scene.values is not None or scene.policy is not None:
        print(to_ansi(scene, color=color))
    else:
        print(to_text(scene))


def _write(scene: Scene, output: Path, cell_pixels: int | None) -> None:
    from griddsl.render import Rasteriser, default_cell_pixels, save_gif, save_png, to_svg

    pixels = cell_pixels or default_cell_pixels(scene.width, scene.height)
    if output.suffix.lower() == ".svg":
        write(output, to_svg(scene, pixels))
        return
    if scene.width * scene.height * pixels * pixels > MOST_PIXELS:
        raise Refusal(f"a picture of {scene.width * pixels} x {scene.height * pixels} pixels is too large")
    frame = Rasteriser(pixels).draw(scene)
    if output.suffix.lower() == ".png":
        save_png(output, frame)
    else:
        save_gif(output, [frame], 1)
