"""Learners that choose for themselves, inside whatever rows they are given: tuned over a grid, stopped in time."""
