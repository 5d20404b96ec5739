"""Advice on a study that is being written: which design to choose; nothing is fitted for it."""

from __future__ import annotations

from typing import Any, NamedTuple

from veracity.advice.advise import advise, advise_before_run
from veracity.core.errors import BadInput
from veracity.findings.advice import Advice
from veracity.studies.study import Study
from veracity.web.asked import Asked, Form
from veracity.web.calls import Call, Source, python_call
from veracity.web.draft import seconds_of_fit
from veracity.web.places import Place


class Advised(NamedTuple):
    """The designs, the best first, and the call that says the same of the study as it is saved."""

    advice: Advice
    call: Call | None


def advice_on_draft(asked: Asked, place: Place | None, study: Study) -> Advised:
    """How long a fit takes is known from the store, or not at all: the command times one of each learner."""
    seconds = seconds_of_fit(asked.bench, None if place is None else place.store, study)
    given = {name: _number(asked.form, name) for name in ("difference", "budget")}
    words: dict[str, Any] = {**given, "fit_seconds": seconds}
    found = advise_before_run(study, **words)
    if place is None or place.study is None:
        return Advised(found, None)
    saved = str(place.study)
    source = Source(study, "study", python_call("vc.plan", saved), (saved,))
    return Advised(found, Call(advise, source, named=words))


def _number(form: Form, name: str) -> float | None:
    text = form.get(f"advice-{name}").strip()
    try:
        return float(text) if text else None
    except ValueError:
        raise BadInput(f"{name} is a number, not {text!r}") from None
