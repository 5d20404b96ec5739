"""Learners fitted on all splits of many samples at once."""
