"""Errors and warnings as values: one table of codes, worded once, drawn by separate renderers."""

from griddsl.diagnostics.codes import CODES, Code
from griddsl.diagnostics.keywords import UnexpectedKeyword, with_keywords
from griddsl.diagnostics.model import Diagnostic, Fix, Label, Report, SpecError
from griddsl.diagnostics.render import to_github, to_json, to_text
from griddsl.diagnostics.suggest import Help, add, did_you_mean, listing, near, write

__all__ = [
    "CODES",
    "Code",
    "Diagnostic",
    "Fix",
    "Help",
    "Label",
    "Report",
    "SpecError",
    "UnexpectedKeyword",
    "add",
    "did_you_mean",
    "listing",
    "near",
    "to_github",
    "to_json",
    "to_text",
    "with_keywords",
    "write",
]
