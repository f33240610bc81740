"""The native backend: the generated source as machine code, by numba."""
