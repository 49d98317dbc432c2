"""What a game is made of: the typed model, YAML files to records, overlays, and the resolved game."""
