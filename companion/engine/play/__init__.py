"""Moves, positions and verdicts."""
