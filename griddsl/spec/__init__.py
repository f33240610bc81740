"""The validated model of a spec, and how it is built from statements."""
