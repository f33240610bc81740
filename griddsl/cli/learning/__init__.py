"""Verbs of policies: the best, the trained, what each is worth, and how fast a spec runs for them."""
