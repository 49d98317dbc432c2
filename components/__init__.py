"""The contents of a game: the typed model, YAML files to records, overlays, and the resolved game."""
