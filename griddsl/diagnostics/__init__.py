"""Errors and warnings as values: one table of codes, worded once, drawn by separate renderers."""

from griddsl.diagnostics.codes import CODES, Code
from griddsl.diagnostics.model import Diagnostic, Label, Report, SpecError
from griddsl.diagnostics.render import to_github, to_json, to_text
from griddsl.diagnostics.suggest import did_you_mean, listing, near

__all__ = [
    "CODES",
    "Code",
    "Diagnostic",
    "Label",
    "Report",
    "SpecError",
    "did_you_mean",
    "listing",
    "near",
    "to_github",
    "to_json",
    "to_text",
]
