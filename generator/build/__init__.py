"""What `pnp` makes: work keyed by content, written whole or not at all."""
