"""What failed in a study, by reason."""

from __future__ import annotations

from veracity.core.arguments import verb
from veracity.core.errors import BadInput
from veracity.core.words import spell_out_controls, without_passwords
from veracity.evidence.runs import Runs
from veracity.findings.run_results import FailedPlace, FailureReason, Failures


@verb
def failures(runs: Runs) -> Failures:
    """The fits of these runs that failed, by reason, the most frequent first, each with its places and one traceback.

    `veracity run --retry failed` tries them again. Passwords of addresses are left out of what is told.
    """
    if not isinstance(runs, Runs):
        raise BadInput(f"failures are those of runs, not of {type(runs).__name__}: give read_runs('results.db')")
    planned = runs.store.planned_keys()
    places: dict[str, list[FailedPlace]] = {}
    for data, learner, by in runs.places():
        for number, key in enumerate(planned[data, learner, by]):
            places.setdefault(key, []).append(FailedPlace(data, learner, by, number))
    keys: dict[str, list[str]] = {}
    tracebacks: dict[str, str] = {}
    for outcome in runs.failures():
        if outcome.key in places:
            reason = without_passwords(" ".join(outcome.reason.split()))
            keys.setdefault(reason, []).append(outcome.key)
            told = without_passwords(spell_out_controls(outcome.traceback, keep="\n"))
            tracebacks.setdefault(reason, told)
    rows = [
        FailureReason(
            reason, len(failed), tuple(sorted(place for key in failed for place in places[key])), tracebacks[reason]
        )
        for reason, failed in keys.items()
    ]
    ordered = sorted(rows, key=lambda row: (-row.fits, row.reason))
    return Failures(tuple(ordered), len(places), runs.selection_notes)
