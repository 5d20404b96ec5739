"""Decorators that make a user's function a score: usable at once, nothing to register."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from veracity.core.arguments import verb
from veracity.core.errors import BadInput
from veracity.core.notes import Limit
from veracity.scores.entry import NEEDS, NEVER, Better
from veracity.scores.on_counts import CountScore
from veracity.scores.on_orderings import OrderingScore
from veracity.scores.on_rows import RowScore

Range = tuple[float, float]
ANY: Range = (-np.inf, np.inf)


@verb
def per_row(
    title: str,
    *,
    needs: str,
    better: Better,
    range: Range = ANY,
    link: Callable[..., Any] | None = None,
    undefined: str = NEVER,
    cite: tuple[str, ...] = (),
    limits: tuple[Limit, ...] = (),
) -> Callable[[Callable[..., Any]], RowScore]:
    """A score that is the mean of `function(p)`, one number per row of the predictions.

    `needs` is what the function reads: "label", "proba", "value" or "number". With a `link` the function may give a
    tuple of columns, whose means the link turns into the score (as a root does for a root mean squared error).
    Keyword-only parameters of the function become parameters of the score. `cite` takes known keys or free text.

    Parameters
    ----------
    title
        What the score, or the page, is called where there is room.
    needs
        What is read of a prediction: 'label', 'proba', 'value' or 'number'.
    better
        'higher' or 'lower'; known from the name of a score of ours, else the higher is better.
    range
        The least and the greatest value of the score.
    link
        A function that turns the means of several columns into the score.
    undefined
        Why there is no value where a division by zero gives none.
    cite
        Keys of works in the table of references, or free text.
    limits
        Where the score stops being valid: limits that refuse, caution or remark.

    Examples
    --------
    >>> @vc.per_row("Absolute error", needs="number", better="lower")
    ... def absolute(p):
    ...     "How far predictions lie from the truth."
    ...     return abs(p.number - p.truth)
    >>> vc.score(vc.predictions([3.0, 5.0], number=[2.0, 5.0]), absolute)
    0.5
    """
    _check_word("needs", needs, tuple(NEEDS))
    fields = _check_declaration(better, range, undefined, cite, limits)
    return lambda function: RowScore(function, title, needs=needs, link=link, **fields)


@verb
def per_counts(
    title: str,
    *,
    better: Better,
    needs: str = "label",
    range: Range = ANY,
    one_class: bool = False,
    undefined: str = NEVER,
    cite: tuple[str, ...] = (),
    limits: tuple[Limit, ...] = (),
) -> Callable[[Callable[..., Any]], CountScore]:
    """A score of a confusion matrix: `function(c)` maps counts with any leading axes to numbers.

    Write it on `c.matrix`, `c.of_truth`, `c.of_prediction`, `c.correct`, `c.total`; or, with `one_class=True`, on
    `c.tp`, `c.fn`, `c.fp`, `c.tn` of one class against the rest, and it can be averaged over classes.

    Parameters
    ----------
    title
        What the score, or the page, is called where there is room.
    better
        'higher' or 'lower'; known from the name of a score of ours, else the higher is better.
    needs
        What is read of a prediction: 'label', 'proba', 'value' or 'number'.
    range
        The least and the greatest value of the score.
    one_class
        Write it on tp, fn, fp, tn of one class against the rest; it can then be averaged.
    undefined
        Why there is no value where a division by zero gives none.
    cite
        Keys of works in the table of references, or free text.
    limits
        Where the score stops being valid: limits that refuse, caution or remark.

    Examples
    --------
    >>> @vc.per_counts("Threat score", better="higher", range=(0, 1), one_class=True)
    ... def threat(c):
    ...     "Share of the rows that are positive or called positive that are both."
    ...     return c.tp / (c.tp + c.fp + c.fn)
    >>> vc.score(vc.Counts([[40, 10], [20, 130]], positive=0), threat)
    0.5714285714285714
    """
    _check_word("needs", needs, ("label", "proba", "value"))
    fields = _check_declaration(better, range, undefined, cite, limits)
    return lambda function: CountScore(function, title, needs=needs, one_class=one_class, **fields)


@verb
def per_ordering(
    title: str,
    *,
    better: Better,
    needs: str = "value",
    range: Range = ANY,
    undefined: str = NEVER,
    cite: tuple[str, ...] = (),
    limits: tuple[Limit, ...] = (),
) -> Callable[[Callable[..., Any]], OrderingScore]:
    """A score of the rows sorted by value: `function(o)` reads blocks of tied rows, highest value first.

    `o.positives` and `o.negatives` are the rows of each class per block, `o.tp` and `o.fp` their running sums from
    nothing selected on; blocks are the last axis, and leading axes must pass through.

    Parameters
    ----------
    title
        What the score, or the page, is called where there is room.
    better
        'higher' or 'lower'; known from the name of a score of ours, else the higher is better.
    needs
        What is read of a prediction: 'label', 'proba', 'value' or 'number'.
    range
        The least and the greatest value of the score.
    undefined
        Why there is no value where a division by zero gives none.
    cite
        Keys of works in the table of references, or free text.
    limits
        Where the score stops being valid: limits that refuse, caution or remark.

    Examples
    --------
    >>> @vc.per_ordering("Found first", better="higher", range=(0, 1))
    ... def found_first(o):
    ...     "Share of the positive rows in the block of the highest value."
    ...     return o.tp[..., 1] / o.tp[..., -1]
    >>> p = vc.predictions([0, 0, 1, 1, 1], proba=[0.2, 0.6, 0.4, 0.7, 0.9], positive=1)
    >>> round(vc.score(p, found_first), 4)
    0.3333
    """
    _check_word("needs", needs, ("value", "proba"))
    fields = _check_declaration(better, range, undefined, cite, limits)
    return lambda function: OrderingScore(function, title, needs=needs, **fields)


def _check_declaration(
    better: Better, range: Range, undefined: str, cite: tuple[str, ...] | str, limits: tuple[Limit, ...]
) -> dict[str, Any]:
    _check_word("better", better, ("higher", "lower"))
    try:
        low, high = map(float, range)
    except (TypeError, ValueError):
        low, high = np.nan, np.nan
    if not low < high:
        raise BadInput(f"range is (lowest, highest), such as (0, 1), not {range!r}")
    if isinstance(cite, str):
        raise BadInput(f"cite is a tuple of works: write cite=({cite!r},)")
    return {"better": better, "range": (low, high), "undefined": undefined, "cite": tuple(cite), "limits": limits}


def _check_word(what: str, said: str, allowed: tuple[str, ...]) -> None:
    if said not in allowed:
        raise BadInput(f"{what} is one of {', '.join(allowed)}, not {said!r}")
