"""Words where an effect is to be: those of other languages, and what they most likely mean here."""
