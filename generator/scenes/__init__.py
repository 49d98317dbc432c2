"""Scenes to pictures: pieces laid on a table, drawn with the faces that are printed."""
