"""The playtest lab: many games played by programs, one record of each, and what the records say together."""
