"""Maps: how a level is drawn or generated, and which things its letters stand for."""
