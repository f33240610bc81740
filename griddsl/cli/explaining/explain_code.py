"""What a diagnostic means: ``griddsl check --explain CODE`` and ``griddsl explain CODE``."""

from __future__ import annotations

import sys
import textwrap

from griddsl.cli.failures import Refusal
from griddsl.cli.paint import is_colored, paint
from griddsl.diagnostics import CODES, did_you_mean
from griddsl.diagnostics.examples import example_of
from griddsl.diagnostics.sarif import PAGE

WIDTH = 100


def code_of(text: str) -> str:
    """Return the code that is meant, as `unknown-name`, `[unknown-name]` or `error[unknown-name]`. Refuses others."""
    code = text.strip().removeprefix("error").removeprefix("warning").strip("[]`").lower().replace("_", "-")
    if code not in CODES:
        help = did_you_mean(code, CODES) or f"all of them: {PAGE}"
        raise Refusal(f"there is no diagnostic `{text}`", help)
    return code


def print_code(text: str) -> None:
    """Print what a diagnostic means, an example of it, what is said of that, and the same mended."""
    code = code_of(text)
    color = is_colored(sys.stdout)
    row = CODES[code]
    print(paint(f"{row.severity}[{code}]", "red" if row.severity == "error" else "yellow", color))
    print(textwrap.fill(row.meaning, WIDTH))
    example = example_of(code)
    for title, key in (("Wrong", "wrong"), ("What is said", "said"), ("Right", "right")):
        if key in example:
            print(f"\n{paint(title, 'cyan', color)}\n")
            print(textwrap.indent(example[key], "    "))
    print(f"\n{PAGE}#{code}")
