"""The one table of public names: where each lives, so that it is imported when it is first used."""

from __future__ import annotations

PUBLIC = {
    "BadInput": "veracity.core.errors",
    "Counts": "veracity.records.counts",
    "Curve": "veracity.records.curve",
    "Estimate": "veracity.records.estimate",
    "Estimates": "veracity.tables.estimates",
    "Interval": "veracity.records.interval",
    "Note": "veracity.core.notes",
    "Ordering": "veracity.records.ordering",
    "Predictions": "veracity.records.predictions",
    "Refused": "veracity.core.errors",
    "Undefined": "veracity.core.undefined",
    "VeracityError": "veracity.core.errors",
    "catalogue": "veracity.api.catalogue",
    "estimate": "veracity.api.estimate",
    "explain": "veracity.api.explain",
    "per_counts": "veracity.api.own",
    "per_ordering": "veracity.api.own",
    "per_row": "veracity.api.own",
    "predictions": "veracity.records.checked",
    "score": "veracity.api.estimate",
    "scorecard": "veracity.api.estimate",
}
