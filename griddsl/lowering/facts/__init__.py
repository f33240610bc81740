"""Facts: what follows from the resolved spec before anything is written."""
