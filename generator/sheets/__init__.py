"""Faces laid on sheets of paper."""
