"""The closed tables that methods cite from: works by key, as fields and in words, and assumptions by code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FORMATS = {  # of a work in words, behind its authors, by its type in BibTeX
    "article": "{title}, {journal} {volume} ({year})",
    "inproceedings": "{title}, {booktitle} ({year})",
    "incollection": "{title}, in: {booktitle} ({year})",
    "online": "{title}, {eprint} ({year})",
    "book": "{title}, {publisher} ({year})",
    "phdthesis": "{title}, PhD thesis, {school} ({year})",
    "techreport": "{title}, {number}, {institution} ({year})",
}
WORKS: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name("references.json").read_text("utf-8"))


def reference_text(key: str) -> str:
    """Return a work in words; a key that is not in the table stands for itself."""
    work = WORKS.get(key)
    if work is None:
        return key
    *others, last = work["author"]
    link = " et al." if last == "others" else f" and {last}" if others else last
    text = f"{', '.join(others)}{link}, {FORMATS[work['type']].format(**work)}"
    return f"{text} {work['pages']}" if "pages" in work else text


def author_and_year(key: str) -> str:
    """Return how a text cites a work, such as "Demšar 2006" or "Bates et al. 2024"."""
    work = WORKS.get(key)
    if work is None:
        return key
    names = [surname(author) for author in work["author"]]
    who = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
    return f"{who} {work['year']}"


def surname(author: str) -> str:
    """Return the name of an author without initials: "van Zwet" of "E. W. van Zwet"."""
    return " ".join(part for part in author.split() if not part.endswith("."))


REFERENCES = {key: reference_text(key) for key in WORKS}

ASSUMPTIONS = {
    "IID": "rows are independent and drawn from the population that is meant",
    "FIX": "the model was fixed before the test rows were looked at",
    "PAIR": "both models were tried on the same rows",
    "NORM": "the statistic is close to normal",
    "BND": "the loss lies in a known range",
    "EXCH": "rows are exchangeable under the null hypothesis",
    "RHO": "the correlation between results of two splits equals the share of rows tested",
    "RHO2": "the correlation between results of two splits is at most about twice the share of rows tested",
    "STAB": "the learner is stable: one row changes the model little",
    "DSI": "data sets are independent of each other",
    "SYM": "differences are symmetric about their centre",
    "COMM": "scores can be compared in size across data sets",
    "SPH": "sphericity: differences between any two learners vary equally",
    "SIMES": "p-values are independent or positively dependent",
    "LOGIC": "equality is transitive: if A equals B and B equals C then A equals C",
    "PRIOR": "the result depends on a stated prior",
    "CAL": "probabilities are calibrated: of the rows given probability p, a share p is positive",
    "BIG": "asymptotic: the number of rows is large",
}
ASSUMPTIONS_IN_SHORT = {  # for a cell of a table
    "IID": "independent rows",
    "FIX": "a model fixed before",
    "PAIR": "the same rows",
    "NORM": "a nearly normal statistic",
    "BND": "a known range",
    "EXCH": "exchangeable rows",
    "RHO": "splits as correlated as they share rows",
    "RHO2": "splits at most twice as correlated as they share rows",
    "STAB": "a stable learner",
    "DSI": "independent data sets",
    "SYM": "symmetric differences",
    "COMM": "scores comparable in size across data sets",
    "SPH": "equal variances of differences",
    "SIMES": "positively dependent p-values",
    "LOGIC": "transitive equality",
    "PRIOR": "a prior",
    "CAL": "calibrated probabilities",
    "BIG": "a large sample",
}
