"""Records and face templates to display lists."""
