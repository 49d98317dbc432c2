"""The module Emperor's Award."""
