"""Scenes as SVG."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from griddsl.render import SHAPES, Scene, Sprite, look_of, to_svg

FLOOR = look_of("floor", category="tile")
SVG = "{http://www.w3.org/2000/svg}"


def test_to_svg__defines_each_stack_once_and_uses_it_everywhere(cliff: Scene) -> None:
    """Cliff walking is four drawings, used 48 times, in a few kilobytes."""
    text = to_svg(cliff)
    root = ET.fromstring(text)
    assert len(root.findall(f"{SVG}defs/{SVG}g")) == 4
    assert len(root.findall(f".//{SVG}use")) == 48
    assert len(text) < 6000


def test_to_svg__every_reference_has_its_definition(cliff: Scene) -> None:
    """All hrefs name ids of the document, and two different drawings share none."""
    first = to_svg(cliff)
    second = to_svg(Scene(1, 1, ((FLOOR,),)))
    ids, others = (set(re.findall(r'id="([^"]+)"', text)) for text in (first, second))
    assert set(re.findall(r'href="#([^"]+)"', first)) <= ids
    assert not ids & others


def test_to_svg__has_the_size_asked_for(cliff: Scene) -> None:
    """Width and height are cells times pixels."""
    root = ET.fromstring(to_svg(cliff, cell_pixels=10))
    assert (root.get("width"), root.get("height")) == ("120", "40")


@pytest.mark.parametrize("name", SHAPES)
def test_to_svg__writes_every_shape_as_valid_xml_with_real_colours(name: str) -> None:
    """Each shape, turned and in each state, has only #rrggbb fills."""
    sprites = [Sprite("k", name, (9, 9, 9), direction=4)]
    sprites += [Sprite("k", name, (9, 9, 9), state=state) for state in SHAPES[name].states]
    root = ET.fromstring(to_svg(Scene(len(sprites), 1, tuple((FLOOR, sprite) for sprite in sprites))))
    fills = {element.get("fill") for element in root.iter()} - {None, "none"}
    assert all(re.fullmatch("#[0-9a-f]{6}", fill or "") for fill in fills)


def test_to_svg__draws_overlays() -> None:
    """Values are tints and numbers, a policy arrows, a thin wall a bar, a dimmed cell a shade."""
    plain = Scene(2, 1, ((FLOOR,), (FLOOR, look_of("key", category="object"))))
    rich = Scene(
        2,
        1,
        plain.cells,
        barriers=frozenset({(0, 0)}),
        values=np.array([[1.5, np.nan]]),
        policy=((0, 1), ()),
        dimmed=np.array([[False, True]]),
    )
    before, after = (ET.fromstring(to_svg(scene)) for scene in (plain, rich))
    assert [t.text for t in after.iter(f"{SVG}text")] == ["1.50", "1.50"]  # its rim, then itself
    board_before, board_after = (len(list(root.find(f"{SVG}g") or ())) for root in (before, after))
    # a tint, the key on top of its ground, a shade, a bar and an arrow
    assert board_after == board_before + 5


def test_to_svg__holds_pictures_within(tmp_path: Path) -> None:
    """A sprite's picture is written into the document."""
    path = tmp_path / "a&b.png"
    Image.new("RGB", (2, 2), (255, 0, 0)).save(path)
    root = ET.fromstring(to_svg(Scene(1, 1, ((FLOOR, Sprite("k", "box", (1, 1, 1), image=str(path))),))))
    image = root.find(f".//{SVG}image")
    assert image is not None
    assert (image.get("href") or "").startswith("data:image/png;base64,iVBOR")
