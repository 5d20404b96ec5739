"""Decorators for a score of one's own: used at once, nothing to register."""

from __future__ import annotations

from veracity.scores.on_counts import count_score
from veracity.scores.on_orderings import ordering_score
from veracity.scores.on_rows import row_score

per_row = row_score
per_counts = count_score
per_ordering = ordering_score
