"""The work of `veracity compare`, apart from its options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from veracity.cli.output import Result
from veracity.cli.work.evaluate import evaluated
from veracity.cli.work.models import read_models
from veracity.cli.work.stored import is_kept, made_before, read_kept, read_table, scores_alone
from veracity.comparisons import comparisons
from veracity.contests.compare import compare
from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput
from veracity.evidence.predictions import Predictions
from veracity.evidence.proportion import Shares
from veracity.evidence.runs import Runs
from veracity.findings.comparison import Comparison
from veracity.findings.comparisons import Comparisons
from veracity.intervals import intervals
from veracity.readers.joined import NAME_IDS, expanded, unique_names
from veracity.scores import scores as known

OTHER_ROWS = "where files hold different rows, name using='two_proportion_z'"


def compared(
    files: list[str], scores: Sequence[str], given: Mapping[str, Any], as_json: bool
) -> tuple[Result, Comparison | Comparisons]:
    """One comparison, or several as a family."""
    score = _checked(scores, given)
    source = _source(files, scores, given, as_json)
    if score is None and isinstance(source, Runs):
        score = next(iter(source.scores), None)
    by = given["by"][0] if isinstance(source, Runs) and len(given["by"]) == 1 else None
    how = {name: given[name] for name in ("using", "interval", "then", "level", "seed", "data", "anyway")}
    found = compare(source, score, pairs=_pairs(given["pairs"]), by=by, **how)
    if isinstance(found, Comparisons) and len(found) == 1 and found.omnibus is None:
        found = replace(found[0], adjusted_p_value=None)  # one pair is no family
    if isinstance(found, Comparison):
        return Result("Comparison", (Comparisons((found,)).table(),), found.to_json, str(found)), found
    return Result("Comparisons", (found.table(),), found.to_json, _omnibus(found)), found


def _checked(scores: Sequence[str], given: Mapping[str, Any]) -> str | None:
    """The score; what is misspelled is told before anything is read or fitted."""
    if len(scores) > 1:
        raise BadInput(f"compare reads one score, not {len(scores)}: {', '.join(scores)}; call it once for each")
    for score in scores:
        known.choose(score)
    if given["using"] is not None:
        comparisons.choose(given["using"])
    if given["interval"] is not None:
        intervals.choose(given["interval"])
    Confidence(given["level"])
    return scores[0] if scores else None


def _source(files: list[str], scores: Sequence[str], given: Mapping[str, Any], as_json: bool) -> Any:
    """What is compared, by what was said of it."""
    if given["truth"] is not None:
        models = _models(expanded(files), given)
        return models[""] if set(models) == {""} else models
    if len(files) != 1:
        raise BadInput(f"{len(files)} files are compared by their predictions: name the column with the truth, --truth")
    if given["learners"] or given["target"]:
        return evaluated(files[0], scores, given, as_json)
    if is_kept(files[0]):
        made_before(files[0], {**given, "by": None})  # one design of several may be compared
        return read_kept(files[0], given["store"]).runs
    scores_alone(files[0], given)
    return read_table(files[0], {})


def _models(files: list[str], given: Mapping[str, Any]) -> dict[str, Predictions]:
    """The predictions by model; those of several files are of the same rows unless the test says otherwise."""
    apart = given["using"] is not None and comparisons.choose(given["using"]).entry.reads is Shares
    if len(files) > 1 and apart:
        return {
            f"{name} {column}".strip(): p
            for name, file in unique_names(files).items()
            for column, p in read_models([file], given).items()
        }
    try:
        return read_models(files, given)
    except BadInput as why:
        if NAME_IDS in str(why):
            raise BadInput(f"{why}; {OTHER_ROWS}") from None
        raise


def _pairs(given: Sequence[str]) -> list[tuple[str, ...]] | None:
    found = [tuple(text.split(",")) for text in given]
    wrong = [text for text, pair in zip(given, found, strict=True) if len(pair) != 2]
    if wrong:
        raise BadInput(f"--pair names two, as in --pair a,b, not {wrong[0]!r}")
    return found or None


def _omnibus(found: Comparisons) -> str:
    if found.omnibus is None:
        return ""
    return f"{found.omnibus.method} of all together: p = {found.omnibus.p_value:.3g}"
