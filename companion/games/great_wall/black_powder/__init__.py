"""The module Black Powder."""
