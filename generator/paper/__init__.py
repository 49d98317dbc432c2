"""Papers and piece formats."""
