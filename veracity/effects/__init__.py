"""Effect sizes: a difference in units of its own variation."""
