"""The module Ancient Beasts."""
