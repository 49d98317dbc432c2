"""The making of files by `pnp`: work keyed by content, written whole or not at all."""
