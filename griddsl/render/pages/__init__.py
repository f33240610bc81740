"""Pages that stand alone: what seals them, and episodes with a slider."""
