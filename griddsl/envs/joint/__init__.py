"""Games of several: PettingZoo's interfaces, and one learner among policies."""
