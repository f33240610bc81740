"""Grid environments of my own: importing this package registers them with Gymnasium."""

from pathlib import Path

import griddsl

IDS = tuple(griddsl.register(Path(__file__).parent / "specs"))
