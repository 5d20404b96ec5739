"""From predictions, a chart as data, a ranking or comparisons to a drawing."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from veracity.core.arguments import verb
from veracity.core.entry import Choice, MethodLike
from veracity.core.errors import BadInput
from veracity.core.suggest import suggest
from veracity.curves.from_predictions import Source, choose_kind, curve
from veracity.evidence.predictions import Predictions
from veracity.findings.comparison import Comparison, Comparisons
from veracity.findings.curve import Curve
from veracity.findings.experiments import Decompositions, PermutationTest, RiskCurve
from veracity.findings.planning import Power
from veracity.findings.ranking import Ranking
from veracity.planning.power import power_curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from veracity.plots.look import SavableAxes

BANDED = 50_000  # rows: with more, a band is no wider than the line
Result = Ranking | Comparison | Comparisons


@verb
def plot(
    what: Source | Curve | RiskCurve | Decompositions | PermutationTest | Power | Result,
    kind: MethodLike | None = None,
    *,
    ax: Axes | None = None,
    width: float | None = None,
    **params: Any,
) -> SavableAxes:
    """Draw a curve of predictions, of several models by name or of runs; a curve as data, a ranking, or another result.

    `kind` names a curve of predictions such as "roc"; of a ranking "critical_difference", "significance_graph",
    "p_values", "differences" or "multi_comparison_matrix"; of comparisons "differences"; of one posterior
    "posterior_density" or "posterior_triangle". The axes come back: those given, or those of a new figure,
    which is as many inches wide as `width` says: without it a column of a paper (3.5), or two (7.1) where one would
    not be legible.
    `ax.figure` is the figure, and `ax.savefig("roc.pdf")` saves it.

    Parameters
    ----------
    what
        Predictions, a mapping of names to predictions, runs, or the result of another verb.
    kind
        The picture by its name, such as 'roc' or 'critical_difference'.
    ax
        Axes of matplotlib to draw on; a new figure unless given.
    width
        Inches; a column of a paper unless said.
    **params
        Parameters of the curve.

    Examples
    --------
    >>> p = vc.predictions([0, 0, 1, 1, 1], proba=[0.2, 0.6, 0.4, 0.7, 0.9], positive=1)
    >>> vc.plot(p, "roc").savefig("roc.png")
    """
    from veracity.plots.draw import draw
    from veracity.plots.look import make_savable

    if isinstance(what, Result):
        return make_savable(_draw_result(what, kind, params, ax, width))
    if isinstance(what, RiskCurve):
        chart = what.curve(**params)
    elif isinstance(what, (Decompositions, PermutationTest)):
        chart = what.curve()
    elif isinstance(what, (Curve, Power)):
        chart = what if isinstance(what, Curve) else power_curve(what)
        if params or kind not in (None, chart.kind):
            raise BadInput(f"this {chart.kind} curve is already made: draw it with plot(curve, ax=...)")
    elif kind is None:
        raise BadInput('name the kind of curve to draw, such as plot(p, "roc")')
    else:
        chart = drawn_curve(what, choose_kind(kind, params))
    return make_savable(draw(chart, ax, width))


def drawn_curve(what: Source, choice: Choice) -> Curve:
    """The chart as data, with the parameters that a drawing sets unless told; a band that cannot be had is left out."""
    defaults = {name: value for name, value in choice.drawn if name not in choice.given}
    band = defaults.pop("band", None)
    plain = choice.setting(**defaults)
    models = list(what.values()) if isinstance(what, Mapping) else [what]
    model = models[0] if len(models) == 1 else None
    # a band is of one fixed model, and of so few rows that it is wider than its line
    is_narrow = isinstance(model, Predictions) and model.provenance == "one model" and len(model) <= BANDED
    if band is not None and is_narrow:
        with suppress(BadInput):  # the plain curve says what is wrong where it is not the band
            return curve(what, plain.setting(band=band))
    return curve(what, plain)


def _draw_result(what: Result, kind: Any, params: dict[str, Any], ax: Axes | None, width: float | None) -> Axes:
    """Draw a picture of a result, the usual one unless another is named."""
    from veracity.plots.draw import pictures_of

    kinds = pictures_of(what)
    name = next(iter(kinds)) if kind is None else kind
    if name not in kinds:
        raise BadInput(f"there is no picture {kind!r} of this result: {suggest(str(kind), kinds)}")
    if params:
        raise BadInput(f"the picture {name} takes no parameters, so leave out {', '.join(params)}")
    axes: Axes = kinds[name](what, ax, width)
    return axes
