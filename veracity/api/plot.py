"""From predictions, or a chart as data, to a drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from veracity.api.curve import Source, chosen, curve
from veracity.core.errors import BadInput
from veracity.records.curve import Curve
from veracity.tables.risk_curve import RiskCurve

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot(what: Source | Curve | RiskCurve, kind: Any = None, *, ax: Axes | None = None, **params: Any) -> Axes:
    """Draw a curve of predictions, of several models by name, or one made by `curve(...)` or `learning_curve(...)`.

    The axes come back: those given, or those of a new figure. `ax.figure` is the figure, and `ax.savefig("roc.pdf")`
    saves it.
    """
    from veracity.plots.draw import draw

    if isinstance(what, RiskCurve):
        return draw(what.curve(**params), ax)
    if isinstance(what, Curve):
        if params or kind not in (None, what.kind):
            raise BadInput(f"this {what.kind} curve is already made: draw it with plot(curve, ax=...)")
        return draw(what, ax)
    if kind is None:
        raise BadInput('name the kind of curve to draw, such as plot(p, "roc")')
    return draw(curve(what, _as_drawn(kind, params)), ax)


def _as_drawn(kind: Any, params: dict[str, Any]) -> Any:
    """The kind with the parameters given, and those that a drawing sets unless told."""
    choice = chosen(kind, params)
    unsaid = {name: value for name, value in choice.entry.drawn if name not in choice.given}
    return choice.setting(**unsaid)
