"""Journals: what was said at a table, kept and changed."""
