"""Pages that stand alone: what runs in them is named by its hash, nothing else does, and no host is asked."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Sequence
from typing import Any


def sealed_page(
    title: str,
    style: str,
    body: str,
    data: Any,
    scripts: Sequence[str],
    *,
    generator: str,
    body_class: str = "",
    asked: str = "'none'",
) -> str:
    """Return an HTML document that runs these modules and nothing else, and asks no host but ``asked``.

    ``body`` is markup of our own; what a spec says comes as ``data``, which stands as JSON in `#griddsl-data`.
    """
    for text in (*scripts, style):
        # A text that ended its element would be read as markup, and one with these would not be what was hashed.
        assert not re.search(r"</(script|style)|<!--|[\r\0]", text, re.IGNORECASE)
    policy = "; ".join(
        [
            "default-src 'none'",
            f"script-src {' '.join(map(_hash, scripts))}",
            f"style-src {_hash(style)}",
            "img-src data: blob:",
            f"connect-src {asked}",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    plain = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    lines = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{html.escape(policy)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<meta name="generator" content="{html.escape(generator)}">',
        f"<title>{html.escape(title)}</title>",
        '<link rel="icon" href="data:,">',
        f"<style>{style}</style>",
        "</head>",
        f'<body class="{body_class}">',
        body,
        f'<script type="application/json" id="griddsl-data">{plain}</script>',
        *(f'<script type="module">{script}</script>' for script in scripts),
        "</body>",
        "</html>",
        "",
    ]
    return "\n".join(lines)


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
