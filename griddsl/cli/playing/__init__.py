"""Verbs by which a spec is seen: in a window, on paper, as a picture, as a page."""
