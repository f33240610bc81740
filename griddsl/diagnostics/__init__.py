"""Errors and warnings as values: one table of codes, worded once, drawn by separate renderers."""

from griddsl.diagnostics.codes import CODES
from griddsl.diagnostics.diagnostic import Diagnostic, Fix, Label
from griddsl.diagnostics.errors import SpecError, UnexpectedKeyword, with_keywords
from griddsl.diagnostics.render import to_github, to_json, to_text
from griddsl.diagnostics.report import Report
from griddsl.diagnostics.row import Code
from griddsl.diagnostics.sarif import to_sarif
from griddsl.diagnostics.suggest import (
    Help,
    add,
    did_you_mean,
    domain_around,
    listing,
    near,
    shortened,
    write,
)
from griddsl.refused import Refused

__all__ = [
    "CODES",
    "Code",
    "Diagnostic",
    "Fix",
    "Help",
    "Label",
    "Refused",
    "Report",
    "SpecError",
    "UnexpectedKeyword",
    "add",
    "did_you_mean",
    "domain_around",
    "listing",
    "near",
    "shortened",
    "to_github",
    "to_json",
    "to_sarif",
    "to_text",
    "with_keywords",
    "write",
]
