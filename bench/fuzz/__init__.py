"""Seeded inputs, most of them valid, and what plain Python says of them: python -m bench.fuzz --seed 1 --minutes 1."""
