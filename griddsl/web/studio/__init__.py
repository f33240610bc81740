"""The studio: a local page in which specs are written, painted, played and looked into."""
