"""Formatting: a document as canonical text, in either of its two forms."""
