"""Registration: specs become ids of Gymnasium and PettingZoo, as soon as those are loaded."""
