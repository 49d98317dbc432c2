"""The module Iron Dragon."""
