"""From predictions to charts as data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from veracity.core import spelling
from veracity.core.arguments import verb
from veracity.core.entry import Choice, MethodLike
from veracity.core.errors import BadInput
from veracity.curves import curves
from veracity.curves.over_folds import ChartedModels, make_curve
from veracity.evidence.predictions import Predictions
from veracity.evidence.runs import Runs
from veracity.findings.curve import Curve
from veracity.scores.entry import NEEDS

Source = Predictions | Mapping[str, Predictions] | Runs
WITHOUT_TRUTH = frozenset({"posterior_fdr"})
UNLABELLED = frozenset({"gain", "threshold"}) | WITHOUT_TRUTH  # the charts that need no true negatives


@verb
def curve(p: Source, kind: MethodLike, **params: Any) -> Curve:
    """A chart as data: lines, guides, named points and facts, of one model, of several by name, or of learners by runs.

    `kind` is a name such as `"roc"`, with its parameters inside (`"roc(band=0.95)"`) or beside it (`band=0.95`).

    Parameters
    ----------
    p
        Predictions, a mapping of names to predictions, or runs.
    kind
        The curve by its name, such as 'roc', 'precision_recall', 'calibration' or 'cost'.
    **params
        Parameters of the curve, such as band=0.95.

    Examples
    --------
    >>> p = vc.predictions([0, 0, 1, 1, 1], proba=[0.2, 0.6, 0.4, 0.7, 0.9], positive=1)
    >>> vc.curve(p, "roc").facts["auc"]
    {'model': 0.8333333333333334}
    """
    choice = choose_kind(kind, params)
    models = models_by_name(p)
    for name, each in models.items():
        _check(choice, "" if isinstance(p, Predictions) else name, each)
    return make_curve(choice, ChartedModels(models))


def choose_kind(kind: MethodLike, params: Mapping[str, Any]) -> Choice:
    """The kind of curve with the parameters of its spelling and those given beside it."""
    if not params:
        return curves.choose(kind)
    if not isinstance(kind, str):
        return curves.choose(kind).setting(**params)
    spelled = spelling.read(kind)
    entry, implied = curves.resolve(spelled.name)
    names = [parameter.name for parameter in entry.parameters]
    inside = {**dict(zip(names, spelled.positional, strict=False)), **dict(spelled.arguments)}
    twice = [name for name in params if name in inside]
    if twice:
        raise BadInput(f"{entry.name}: {twice[0]} is given twice, in {kind!r} and as {twice[0]}=")
    return entry.choose(**{**implied, **inside, **params})


def models_by_name(p: Any) -> dict[str, Predictions]:
    """The models by name, or the learners of runs; one alone goes by its own."""
    if isinstance(p, Runs):
        return _learners_by_name(p)
    models = {str(name): each for name, each in p.items()} if isinstance(p, Mapping) else {getattr(p, "name", ""): p}
    if not models:
        raise BadInput("there are no models to show: give predictions, or several by name")
    for name, each in models.items():
        if not isinstance(each, Predictions):
            place = f"{name!r} is" if isinstance(p, Mapping) else "a curve shows predictions, this is"
            raise BadInput(f"{place} {type(each).__name__}: make predictions with veracity.predictions(...)")
    return models


def _learners_by_name(runs: Runs) -> dict[str, Predictions]:
    """What the learners predicted of one data set by one design; those that failed everywhere are left out."""
    for what, names, way in (
        ("data sets", runs.names, f"runs.only(data={runs.names[0]!r}) chooses one"),
        ("designs", runs.designs, "draw runs.predictions(learner, by=...) of one"),
    ):
        if len(names) > 1:
            raise BadInput(f"a chart is of one of the {what} {', '.join(names)}: {way}")
    models = {name: runs.run(name).fresh.predictions for name in runs.learner_names}
    known = {name: p for name, p in models.items() if p is not None}
    if not known:
        raise BadInput("no learner of these runs has predictions to show: see runs.failures()")
    return known


def _check(choice: Choice, name: str, p: Predictions) -> None:
    """Refuse predictions that this kind of curve cannot read."""
    words = choice.needs.split(" or ")
    if p.kind in ("correct", "loss", "grades"):
        given = f"`{'grade' if p.kind == 'grades' else p.kind}=`"
        raise BadInput(f"{choice.name} is drawn from truth and predictions, and {given} is neither")
    if not any(word in p.offers for word in words):
        wanted = ", or ".join(NEEDS[word] for word in words)
        place = f"those of {name!r}" if name else "these predictions"
        have = ", ".join(sorted(p.offers))
        raise BadInput(f"{choice.name} needs {wanted}, but {place} hold only {have}")
    if not choice.is_one_of(*WITHOUT_TRUTH):
        name = choice.name
        p.permits(name, UNLABELLED if choice.is_builtin else UNLABELLED - {name})
