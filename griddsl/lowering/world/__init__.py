"""What a spec declares, resolved: domains, kinds, levels, actions, and the world that holds them."""
