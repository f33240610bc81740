"""Random valid specs with everything of the language in them, and a harness that plays each in every way."""
