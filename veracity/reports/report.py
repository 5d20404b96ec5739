"""One page that a colleague can open from an e-mail."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeGuard

from veracity.core.arguments import verb
from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.core.words import spell_out_controls
from veracity.evidence.predictions import Predictions
from veracity.evidence.runs import Runs
from veracity.findings.curve import Curve
from veracity.findings.estimates import group_notes
from veracity.findings.experiments import RiskCurve
from veracity.reports.gather import Models, Scores, gather_models, gather_runs
from veracity.reports.material import Material
from veracity.reports.page import render
from veracity.reports.results import Result, material_of
from veracity.reports.sections import sections


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """A page and the numbers on it: `save("report.html")` writes one file that needs no network."""

    material: Material

    @property
    def html(self) -> str:
        """The whole page; the same input gives the same bytes."""
        m = self.material
        return render(m.title, m.question, m.answer, sections(m))

    def save(self, path: str | Path) -> Path:
        """Write the page."""
        place = Path(path)
        if place.suffix.lower() not in (".html", ".htm"):
            raise BadInput(f"a report is a page: give a file that ends in .html, not {place.name!r}")
        place.write_text(self.html, "utf-8")
        return place

    def to_json(self) -> dict[str, Any]:
        """The shape of `veracity report --json`."""
        m = self.material
        estimates = {} if m.estimates is None else m.estimates.to_json()
        return {
            "estimates": estimates.get("estimates", {key: part for key, part in estimates.items() if key != "notes"}),
            "comparisons": [one.to_json() for one in m.comparisons],
            "ranking": next((one.to_json() for one in (m.ranking, m.verdicts) if one is not None), None),
            **({"tuning": m.tuning.choices()} if m.tuning else {}),
            "failed": [one._asdict() for one in m.failed],
            "notes": [note.to_json() for note in self.notes],
        }

    @property
    def notes(self) -> tuple[Note, ...]:
        """The notes of the estimates and of the study."""
        m = self.material
        own = group_notes(m.estimates.rows, m.estimates.notes) if m.estimates is not None else ()
        return tuple(dict.fromkeys((*own, *m.notes)))

    def _repr_html_(self) -> str:
        """In a notebook, the page inside a frame of its own."""
        from markupsafe import escape

        frame = 'sandbox="allow-scripts" width="100%" height="700" title="report"'
        return f'<iframe {frame} srcdoc="{escape(self.html)}"></iframe>'

    def __repr__(self) -> str:
        m = self.material
        return spell_out_controls(f"{m.question}\n{m.answer}\nSave the page with .save('report.html').", keep="\n")


@verb
def report(
    source: Runs | Models | Result,
    scores: Scores | None = None,
    *,
    title: str | None = None,
    level: float = 0.95,
    seed: int = 0,
    curves: Curve | RiskCurve | Iterable[Curve | RiskCurve] = (),
    questions: Mapping[str, Any] | None = None,
    deviations: bool = False,
) -> Report:
    """A page about runs, about predictions (one model or several by name), or about any result of another verb.

    `curves` are learning and validation curves, or charts made by `curve`, to be shown with the runs; `questions` are
    asked of them in place of those in their study file. `deviations=True` shows standard deviations over splits, and
    how many there are, in the tables of runs.

    Parameters
    ----------
    source
        Runs, predictions (one model, or several by name), or the result of another verb.
    scores
        The scores of the page.
    title
        What the score, or the page, is called where there is room.
    level
        The share of samples in which an interval holds the truth; 1 - level is that of false findings.
    seed
        Where random numbers begin; the same seed gives the same numbers.
    curves
        Learning and validation curves, or charts, to be shown too.
    questions
        What the page answers, as [questions] of a study file.
    deviations
        Show the standard deviation over splits beside each value.

    Examples
    --------
    >>> p = vc.predictions([0, 0, 1, 1, 1], proba=[0.2, 0.6, 0.4, 0.7, 0.9], positive=1)
    >>> vc.report(p, ["error"]).save("page.html")
    PosixPath('page.html')
    """
    if isinstance(source, Runs):
        material = gather_runs(source, scores, title, level, seed, questions, deviations)
        return Report(replace(material, charts=_charts(curves)))
    if deviations:
        raise BadInput("standard deviations are over the splits of runs, and these are none: leave out `deviations=`")
    if isinstance(source, Predictions) or _is_models(source):
        return Report(gather_models(source, scores, title, level, seed))
    return Report(material_of(source, title, level))


def _is_models(source: Any) -> TypeGuard[Mapping[str, Predictions]]:
    return isinstance(source, Mapping) and bool(source) and all(isinstance(p, Predictions) for p in source.values())


def _charts(curves: Curve | RiskCurve | Iterable[Curve | RiskCurve]) -> tuple[Curve, ...]:
    every = [curves] if isinstance(curves, (Curve, RiskCurve)) else list(curves)
    for one in every:
        if not isinstance(one, (Curve, RiskCurve)):
            raise BadInput(f"curves are results of learning_curve, validation_curve or curve, not {type(one).__name__}")
    return tuple(one.curve() if isinstance(one, RiskCurve) else one for one in every)
