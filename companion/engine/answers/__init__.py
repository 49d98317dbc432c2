"""Verdicts, scores and rules as text and JSON."""
