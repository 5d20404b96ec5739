"""One page that a colleague can open from an e-mail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.evidence.predictions import Predictions
from veracity.evidence.runs import Runs
from veracity.findings.curve import Curve
from veracity.findings.estimate import Estimate
from veracity.findings.estimates import Estimates, group_notes
from veracity.findings.risk_curve import RiskCurve
from veracity.reports import gather as gathered
from veracity.reports.answers import answered
from veracity.reports.blocks import Page
from veracity.reports.headline import headline, of_learners
from veracity.reports.material import Material
from veracity.reports.page import written
from veracity.reports.read_once import RunsReadOnce
from veracity.reports.results import material_of
from veracity.reports.sections import sections
from veracity.risk.estimates import estimate, scorecard
from veracity.risk.optimism import tuning_optimism
from veracity.scores.default import default_score_of
from veracity.tables.table import Table


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """A page and the numbers on it: `save("report.html")` writes one file that needs no network."""

    material: Material

    @property
    def html(self) -> str:
        """The whole page; the same input gives the same bytes."""
        m = self.material
        return written(Page(m.title, m.question, m.answer, sections(m)))

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
        found: dict[str, Any] = m.estimates.to_json() if m.estimates is not None else {}
        return {
            "estimates": found.get("estimates", {key: value for key, value in found.items() if key != "notes"}),
            "comparisons": [one.to_json() for one in m.comparisons],
            "ranking": next((found.to_json() for found in (m.ranking, m.verdicts) if found is not None), None),
            **({"tuning": m.tuning.choices()} if m.tuning else {}),
            "failed": [one.to_json() for one in m.failed],
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
        return f"{m.question}\n{m.answer}\nSave the page with .save('report.html')."


def report(
    source: Any,
    scores: Any = None,
    *,
    title: str | None = None,
    level: float = 0.95,
    seed: int = 0,
    curves: Any = (),
    questions: Mapping[str, Any] | None = None,
) -> Report:
    """A page about runs, about predictions (one model or several by name), or about any result of another verb.

    `curves` are learning and validation curves, or charts made by `curve`, to be shown with the runs; `questions` are
    asked of them in place of those in their study file.
    """
    if isinstance(source, Runs):
        found = _of_runs(source, scores, title, level, seed, questions)
        return Report(replace(found, charts=tuple(_chart(one) for one in _listed(curves))))
    if isinstance(source, Predictions) or (isinstance(source, Mapping) and _models(source)):
        return _of_models(source, scores, title, level, seed)
    if isinstance(source, Estimates):
        return of_estimates(source, {}, title or "Estimates")
    if isinstance(source, Estimate):
        return of_estimates(Estimates((source,)), {}, title or "Estimate")
    return Report(material_of(source, title, level))


def _models(source: Mapping[Any, Any]) -> bool:
    return bool(source) and all(isinstance(p, Predictions) for p in source.values())


def _of_runs(
    runs: Runs, scores: Any, title: str | None, level: float, seed: int, questions: Mapping[str, Any] | None
) -> Material:
    asked, runs = _asked(runs, scores), RunsReadOnce.of(runs)
    found = estimate(runs, asked, level=level, seed=seed)
    said = answered(runs, asked[0], level, seed, questions)
    question, answer = headline(runs, asked[0], found, said)
    seen = gathered.see(runs, asked[0])
    return Material(
        title or f"{', '.join(runs.learner_names[:6])} on {_few(runs.names)}",
        question,
        answer,
        found,
        said.comparisons,
        said.ranking,
        said.verdicts,
        seen.models,
        gathered.shown_of(runs),
        tuning=tuning_optimism(runs, found, level=level, seed=seed),
        strips=seen.strips,
        failed=seen.failed,
        about=gathered.about(runs),
        methods=gathered.methods_of(found, (*said.comparisons, *(said.verdicts or ())), said.ranking),
        notes=runs.notes + said.notes,
    )


def _listed(curves: Any) -> list[Any]:
    return [curves] if isinstance(curves, (Curve, RiskCurve)) else list(curves)


def _chart(one: Any) -> Curve:
    if not isinstance(one, (Curve, RiskCurve)):
        raise BadInput(f"curves are results of learning_curve, validation_curve or curve, not {type(one).__name__}")
    return one.curve() if isinstance(one, RiskCurve) else one


def _few(names: Any) -> str:
    return ", ".join(names) if len(names) <= 4 else f"{len(names)} data sets"


def _asked(runs: Runs, scores: Any) -> list[str]:
    if scores is None:
        return list(runs.scores) or [default_score_of(runs)]
    return [scores] if isinstance(scores, str) else [str(one) for one in scores]


def _of_models(source: Any, scores: Any, title: str | None, level: float, seed: int) -> Report:
    models = gathered.named_models(source)
    at: Any = {"level": level, "seed": seed}
    found = scorecard(source, **at) if scores is None else estimate(source, scores, **at)
    names = [name for name in models if name]
    return of_estimates(found, models, title or ", ".join(names) or "How good is the model?")


def of_estimates(found: Estimates, models: Mapping[str, Predictions], title: str) -> Report:
    """A page of estimates, with the curves of the models that they are of."""
    names = [name for name in found.models if name]
    rows = [("Rows", (f"{found.rows[0].rows:g}",))] if len(found) and not found.designs else []
    question = (
        f"How good {'are ' + ', '.join(names) if len(names) > 1 else 'is ' + (names[0] if names else 'the model')}?"
    )
    answer = "; ".join(f"{row.learner}: {row}" if row.learner else str(row) for row in _firsts(found))
    if found.designs:
        question, answer = of_learners(found.rows, found.rows[0].asked)
    return Report(
        Material(
            title,
            question,
            answer or "Nothing could be estimated.",
            found,
            models={"": models} if models else {},
            about=(*rows, gathered.versions()),
            methods=gathered.methods_of(found),
        )
    )


def _firsts(found: Estimates) -> list[Estimate]:
    """The first estimate of each of the first models."""
    return [next(row for row in found if row.learner == name) for name in found.models[:4]]


def of_tables(title: str, tables: Sequence[Table]) -> Report:
    """A page of tables and nothing more."""
    lead = tables[-1].caption if tables else ""
    return Report(Material(title, title, lead or "See the table.", tables=tuple(tables)))
