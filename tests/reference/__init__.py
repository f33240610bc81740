"""The executable semantics: an interpreter of `GridSpec`, written from ``docs/language.md`` for clarity.

It shares no code with the compiler: it plays a spec with plain Python objects and a recursive evaluator. Where the
reference page leaves a doubt, this is the definition; the tests play it beside every backend.
"""

from tests.reference.play import Reference

__all__ = ["Reference"]
