"""Check: what only its states tell of a spec: ends that nothing reaches, rules that never fire, unbalanced rewards."""
