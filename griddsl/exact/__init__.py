"""Exact: a program as a Markov decision process that can be enumerated, solved, exported and questioned."""
