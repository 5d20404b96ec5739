"""Advice on a study that is being written: which design to choose; nothing is fitted for it."""

from __future__ import annotations

from typing import Any, NamedTuple

from veracity.advice.advise import advise_before_run
from veracity.core.errors import BadInput
from veracity.findings.advice import Advice
from veracity.studies.study import Study
from veracity.web.asked import Asked, Form
from veracity.web.draft import seconds_of_fit
from veracity.web.lines import Lines, Name, python_call, python_text, shell_line
from veracity.web.places import Place


class Advised(NamedTuple):
    """The designs, the best first, and the line that says the same of the study as it is saved."""

    advice: Advice
    lines: Lines | None


def advice_on_draft(asked: Asked, place: Place | None, study: Study) -> Advised:
    """How long a fit takes is known from the store, or not at all: the command times one of each learner."""
    seconds = seconds_of_fit(asked.bench, None if place is None else place.store, study)
    given = {name: _number(asked.form, name) for name in ("difference", "budget")}
    words: dict[str, Any] = {**given, "fit_seconds": seconds}
    found = advise_before_run(study, **words)
    return Advised(found, None if place is None or place.study is None else _lines(place, words))


def _lines(place: Place, words: dict[str, Any]) -> Lines:
    before = f"study = vc.plan({str(place.study)!r})"
    call = python_call("vc.advise", Name("study"), **words)
    return Lines(shell_line("advise", str(place.study), **words), python_text((before,), call))


def _number(form: Form, name: str) -> float | None:
    text = form.get(f"advice-{name}").strip()
    try:
        return float(text) if text else None
    except ValueError:
        raise BadInput(f"{name} is a number, not {text!r}") from None
