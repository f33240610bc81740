"""Looks and pictures: plain scenes in, pixels, text, SVG and files out. The window is imported by itself."""

from griddsl.render.ansi import to_ansi, to_text
from griddsl.render.colors import COLORS, rgb_of
from griddsl.render.files import png_bytes, save_gif, save_png
from griddsl.render.looks import look_of
from griddsl.render.pages.animation import Animation, animate
from griddsl.render.raster import Rasteriser, default_cell_pixels
from griddsl.render.scene import Scene, Sprite
from griddsl.render.shapes import SHAPES
from griddsl.render.svg import to_svg

__all__ = [
    "COLORS",
    "SHAPES",
    "Animation",
    "Rasteriser",
    "Scene",
    "Sprite",
    "animate",
    "default_cell_pixels",
    "look_of",
    "png_bytes",
    "rgb_of",
    "save_gif",
    "save_png",
    "to_ansi",
    "to_svg",
    "to_text",
]
