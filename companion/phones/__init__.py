"""The table on every phone: what the pages of `companion serve` ask, say and show.

It knows tables and menus, and no game. What a page is told about a seat is made from what that seat may know.
"""
