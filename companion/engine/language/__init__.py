"""Typed lines and JSON to moves, and back."""
