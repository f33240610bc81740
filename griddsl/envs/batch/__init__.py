"""Batches: many environments of one spec that step together."""
