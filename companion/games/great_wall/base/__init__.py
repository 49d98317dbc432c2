"""The base game, in the order of its rulebook."""
