"""The work of the verbs that fit one learner many times: curves of its risk, bias and variance, chance."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from veracity.api.plot import plot
from veracity.cli.arguments import files_and_scores
from veracity.cli.output import result_of
from veracity.cli.work.estimate import learners_and_data
from veracity.cli.work.stored import tells_stop
from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput
from veracity.core.notes import unique
from veracity.core.spelling import split_spellings
from veracity.experiments.bias_variance import LOSSES, bias_variance
from veracity.experiments.learning_curve import learning_curve
from veracity.experiments.permutation_test import permutation_test
from veracity.experiments.validation_curve import validation_curve
from veracity.findings.experiments import Decompositions, RiskCurve
from veracity.intervals import intervals
from veracity.reports.output import Output
from veracity.scores import scores as known

FITS = ("seed", "workers", "store", "engine", "address", "timeout")
Given = Mapping[str, Any]
TABLE = "a table to learn from, such as data.csv or sklearn:load_iris"


def draw_learning_curve(words: Sequence[str], given: Given, as_json: bool) -> Output:
    """The curve, with a power law through it where that is asked for."""
    sizes = [_number("--sizes", part) for text in given["sizes"] for part in split_spellings(text)]
    found = _risk_curve(learning_curve, words, given, as_json, **({"sizes": sizes} if sizes else {}))
    if not (given["fitted"] or given["at"]):
        return _chart_result(found, "Learning curve")
    law = found.fitted
    projected = [law.at(rows) for rows in given["at"]]
    notes = unique((*law.notes, *(note for one in projected for note in one.notes)))
    result = _chart_result(found, "Learning curve", fitted=True)
    (table,) = result.tables
    lead = "; ".join([f"power law {law.formula}", *(f"{one.value:.4g} at {one.rows:g} rows" for one in projected)])
    numbers = {name: getattr(law, name) for name in ("a", "b", "c", "residual")}
    shape = found.to_json()
    shape |= {"fitted": {**numbers, "at": [{"rows": one.rows, "value": one.value} for one in projected]}}
    shape["notes"] += [note.to_json() for note in notes]
    tables = (replace(table, notes=(*table.notes, *notes)),)
    return replace(result, tables=tables, to_json=lambda: shape, answer=lead)


def draw_validation_curve(words: Sequence[str], given: Given, as_json: bool) -> Output:
    """The curve along the values of a parameter."""
    own = {"parameter": given["parameter"], "values": _values(given)}
    found = _risk_curve(validation_curve, words, given, as_json, **own)
    return _chart_result(found, "Validation curve")


def _values(given: Given) -> list[Any]:
    """The values of a parameter, as they were typed."""
    return [_literal(part) for text in given["values"] for part in split_spellings(text)]


def _risk_curve(verb: Any, words: Sequence[str], given: Given, as_json: bool, **own: Any) -> RiskCurve:
    if given["interval"] is not None:
        intervals.choose(given["interval"])
    own |= {name: given[name] for name in ("by", "interval", "level", *FITS)}
    found: RiskCurve = _try(verb, words, given, as_json, given["kind"], **own)
    return found


def _chart_result(found: RiskCurve, title: str, **params: Any) -> Output:
    return result_of(found, title, partial(plot, found.curve(**params)))


def decompose_loss(words: Sequence[str], given: Given, as_json: bool) -> Output:
    """The loss in bias, variance and what else there is."""
    own = {name: given[name] for name in ("loss", "draws", "by", *FITS)} | {"kind": given["kind"]}
    test = None if given["test"] is None else _number("--test", given["test"])
    if given["parameter"] or given["values"]:
        own |= {"parameter": given["parameter"], "values": _values(given) or None}
    found = _try(bias_variance, words, given, as_json, LOSSES.get(given["loss"]), scored=False, test=test, **own)
    draw = partial(plot, found.curve()) if isinstance(found, Decompositions) else None
    return result_of(found, "Bias and variance", draw)


def hold_against_chance(words: Sequence[str], given: Given, as_json: bool) -> Output:
    """The estimate beside those of shuffled data."""
    own = {name: given[name] for name in ("by", "draws", "level", "seed", "workers", "anyway")}
    found = _try(permutation_test, words, given, as_json, given["target_kind"], kind=given["kind"], **own)
    return result_of(found, "Permutation test", partial(plot, found.curve()))


def _try(
    verb: Callable[..., Any],
    words: Sequence[str],
    given: Given,
    as_json: bool,
    target_kind: str | None,
    scored: bool = True,
    **own: Any,
) -> Any:
    """The verb asked of the one learner and the table that were named; what is misspelled is told first."""
    files, scores = files_and_scores(words, reads=TABLE)
    for what, names, most in (("file", files, 1), ("score", scores, int(scored))):
        if len(names) > most:
            raise BadInput(f"{verb.__name__} reads {most or 'no'} {what}, not {', '.join(names)}")
    for name in scores:
        known.choose(name)
    Confidence(given.get("level", 0.95))
    learners, data = learners_and_data(files[0], {**given, "kind": target_kind}, [given["by"]])
    score = {"score": scores[0]} if scores else {}
    with tells_stop(given.get("store")):
        return verb(learners, data, None, progress=False if as_json else None, **score, **own)


def _number(option: str, text: str) -> int | float:
    """A whole number, or a share, which has a point."""
    value = _literal(text)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise BadInput(f"{option} is a number of rows, such as 50, or a share of them, such as 0.5, not {text!r}")
    return value


def _literal(text: str) -> Any:
    """A number, True, False, None or another literal of Python; any other text is itself."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
