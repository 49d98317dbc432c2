"""Backends: sheets and display lists to bytes. They draw and decide nothing."""
