"""Commands that fit one learner many times: learning and validation curve, bias and variance, permutation test."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import veracity as vc
from veracity.cli.declare import FIGURES, PAGES, command, flag, group, option, repeated, words_argument
from veracity.cli.options import KEEP_FITS, KIND, Design, Groups, Inference, Output, Roles, Target, Work, Workers
from veracity.cli.output import output_of, write_result
from veracity.cli.words import split_files_and_scores
from veracity.core.errors import BadInput
from veracity.core.notes import unique
from veracity.core.spelling import split_spellings

VALUES = "Of the parameter: numbers, True, None or words."
TABLE = "a table to learn from, such as data.csv or sklearn:load_iris"


@dataclass(frozen=True)
class CurveFits:
    """A learner that is fitted many times along a curve, and how its scores are reported."""

    target: Target = group(Target)
    design: Design = group(Design)
    kind: Literal["classes", "numbers"] | None = option(KIND)
    roles: Roles = group(Roles)
    store: str | None = option(KEEP_FITS, "FILE|URL")
    work: Work = group(Work)
    interval: str | None = option("Instead of the default one.", "NAME", methods=("intervals",))
    inference: Inference = group(Inference)

    def draw(self, function: Callable[..., Any], words: tuple[str, ...], output: Output, **more: Any) -> vc.RiskCurve:
        """Return the curve of the learner and table that were named."""
        roles = {**vars(self.roles), "time": self.design.time, "kind": self.kind}
        how: dict[str, Any] = {"by": self.design.by, "store": self.store, "interval": self.interval}
        how |= {**vars(self.inference), **vars(self.work), **more}
        curve: vc.RiskCurve = _try_learner(function, words, self.target, roles, output, **how)
        return curve


@command(writes=FIGURES + PAGES)
def learning_curve(
    *,
    words: tuple[str, ...] = words_argument("FILE [SCORE]"),
    sizes: tuple[str, ...] = repeated(
        "Training rows, such as 50, or a share of them, such as 0.5; 0.1,0.2,0.4,0.7,1.0 unless said.",
        "ROWS|SHARE[,...]",
    ),
    fitted: bool = flag("Also the power law a + b n^-c through the test scores."),
    at: tuple[float, ...] = repeated("What that law says of so many training rows; repeat for several.", "ROWS"),
    fits: CurveFits,
    output: Output,
) -> None:
    """Score a learner on test rows and on training rows at several numbers of training rows, each with its interval.

    FILE is a table with a column to be predicted. The score is error, or rmse for numbers, unless another is named.
    A figure (--out x.png, .svg, .pdf) is the curve. With --store a long curve can be stopped and goes on.

    \b
    veracity learning_curve data.csv --target y --learner sklearn.naive_bayes:GaussianNB --sizes 40,80,160,1.0 error
    veracity learning_curve data.csv --target y --learner sklearn.naive_bayes:GaussianNB --fitted --out curve.svg
    """
    rows = [_number("--sizes", part) for text in sizes for part in split_spellings(text)]
    found = fits.draw(vc.learning_curve, words, output, **({"sizes": rows} if rows else {}))
    if not fitted and not at:
        write_result(output_of(found, "Learning curve", partial(vc.plot, found.curve())), output)
        return
    law = found.fitted
    projected = [law.at(number) for number in at]
    notes = unique((*law.notes, *(note for one in projected for note in one.notes)))
    values = [f"{one.value:.4g} at {one.rows:g} rows" for one in projected]
    to_json = found.to_json()
    to_json["fitted"] = {name: getattr(law, name) for name in ("a", "b", "c", "residual")}
    to_json["fitted"]["at"] = [{"rows": one.rows, "value": one.value} for one in projected]
    to_json["notes"] += [note.to_json() for note in notes]
    result = output_of(found, "Learning curve", partial(vc.plot, found.curve(fitted=True)))
    (table,) = result.tables
    tables = (replace(table, notes=(*table.notes, *notes)),)
    answer = "; ".join([f"power law {law.formula}", *values])
    write_result(replace(result, tables=tables, to_json=lambda: to_json, answer=answer), output)


@command(writes=FIGURES + PAGES)
def validation_curve(
    *,
    words: tuple[str, ...] = words_argument("FILE [SCORE]"),
    parameter: str = option("Of the learner, as scikit-learn names it.", "NAME", required=True),
    values: tuple[str, ...] = repeated(VALUES, "VALUE[,...]", required=True),
    fits: CurveFits,
    output: Output,
) -> None:
    """Score a learner on test rows and on training rows for each value of a parameter, each with its interval.

    FILE is a table with a column to be predicted. The score is error, or rmse for numbers, unless another is named.
    A figure (--out x.png, .svg, .pdf) is the curve. Choosing its best value is tuning, whose score is optimistic.

    \b
    veracity validation_curve data.csv --target y --learner sklearn.svm:SVC --parameter C --values 0.1,1,10,100 error
    veracity validation_curve data.csv --target y --learner sklearn.tree:DecisionTreeClassifier \\
        --parameter max_depth --values 1,2,4,8,None --out depth.svg
    """
    found = fits.draw(vc.validation_curve, words, output, parameter=parameter, values=_values(values))
    write_result(output_of(found, "Validation curve", partial(vc.plot, found.curve())), output)


@command(writes=FIGURES + PAGES)
def bias_variance(
    *,
    words: tuple[str, ...] = words_argument("FILE"),
    target: Target,
    loss: Literal["squared", "zero_one"] | None = option(
        "squared for numbers, zero_one for classes; without, as the target is."
    ),
    kind: Literal["domingos", "kohavi_wolpert"] = option(
        "How zero_one is taken apart.", default="domingos", show_default=True
    ),
    draws: int = option("Training sets, each of which makes a model.", default=200, show_default=True),
    by: Literal["bootstrap", "subsample"] = option(
        "How training sets are drawn from the rows that are not tested.", default="bootstrap", show_default=True
    ),
    test: str | None = option("Rows tested, such as 100 or 0.3; a third unless said.", "ROWS|SHARE"),
    parameter: str | None = option("Of the learner: its loss is taken apart for each of the values.", "NAME"),
    values: tuple[str, ...] = repeated(VALUES, "VALUE[,...]"),
    store: str | None = option(KEEP_FITS, "FILE|URL"),
    work: Work,
    seed: int = option("Seed of all random draws.", default=0, show_default=True),
    output: Output,
) -> None:
    """Take the mean loss of the models of many training sets apart, in bias, variance and, in the bias, noise.

    FILE is a table with a column to be predicted. In Python the verb also draws from a world that knows its noise.

    \b
    veracity bias_variance data.csv --target y --learner sklearn.naive_bayes:GaussianNB --loss zero_one
    veracity bias_variance data.csv --target y --learner sklearn.tree:DecisionTreeRegressor --draws 100
    veracity bias_variance data.csv --target y --learner sklearn.tree:DecisionTreeRegressor \\
        --parameter max_depth --values 1,2,4,8 --out depth.svg
    """
    from veracity.experiments.bias_variance import LOSSES

    how: dict[str, Any] = {"loss": loss, "kind": kind, "draws": draws, "by": by, "seed": seed, "store": store}
    how["test"] = None if test is None else _number("--test", test)
    if parameter or values:
        how |= {"parameter": parameter, "values": _values(values) or None}
    roles = {"kind": LOSSES.get(loss or "")}
    found = _try_learner(vc.bias_variance, words, target, roles, output, max_scores=0, **how, **vars(work))
    is_one = isinstance(found, vc.Decomposition)
    draw = None if is_one else partial(vc.plot, found.curve())
    write_result(output_of(found, "Bias and variance", draw), output)


@command(writes=FIGURES + PAGES)
def permutation_test(
    *,
    words: tuple[str, ...] = words_argument("FILE [SCORE]"),
    target: Target,
    design: Design,
    draws: int = option("Shuffled tables, each estimated as a whole.", default=999, show_default=True),
    kind: Literal["labels", "within_class"] = option(
        "What is shuffled: labels over rows, or each feature inside each class.", default="labels", show_default=True
    ),
    target_kind: Literal["classes", "numbers"] | None = option("What a target of whole numbers is."),
    roles: Groups,
    work: Workers,
    anyway: bool = flag("Also more fits than anybody is likely to mean."),
    inference: Inference,
    output: Output,
) -> None:
    """Repeat the whole estimate of a learner on shuffled data: how often does chance do at least as well?

    FILE is a table with a column to be predicted. The score is error, or rmse for numbers, unless another is named.
    The cost is that of --draws estimates. A figure (--out x.png, .svg, .pdf) shows how the estimates of shuffled data
    lie beside that of the data as it is.

    \b
    veracity permutation_test data.csv --target y --learner sklearn.naive_bayes:GaussianNB --by "kfold(k=5)" error
    veracity permutation_test data.csv --target y --learner sklearn.svm:SVC --kind within_class --draws 99
    """
    columns = {**vars(roles), "time": design.time, "kind": target_kind}
    how: dict[str, Any] = {"by": design.by, "draws": draws, "kind": kind, "anyway": anyway}
    how |= {**vars(inference), **vars(work)}
    found: vc.PermutationTest = _try_learner(vc.permutation_test, words, target, columns, output, **how)
    write_result(output_of(found, "Permutation test", partial(vc.plot, found.curve())), output)


def _try_learner(
    function: Callable[..., Any],
    words: Sequence[str],
    target: Target,
    roles: Mapping[str, Any],
    output: Output,
    max_scores: int = 1,
    **how: Any,
) -> Any:
    """Call a function with the one learner and the table that were named; what is misspelled is told first."""
    files, scores = split_files_and_scores(words, reads=TABLE)
    for what, names, most in (("file", files, 1), ("score", scores, max_scores)):
        if len(names) > most:
            raise BadInput(f"{function.__name__} reads {most or 'no'} {what}, not {', '.join(names)}")
    from veracity.cli.source import check_names, learners_and_data, tells_stop

    check_names(scores, how.get("level", 0.95), interval=how.get("interval"))
    learners, data = learners_and_data(files[0], target, [how["by"]], **roles)
    score = {"score": scores[0]} if scores else {}
    with tells_stop(how.get("store")):
        return function(learners, data, None, progress=False if output.as_json else None, **score, **how)


def _values(typed: Sequence[str]) -> list[Any]:
    """Return the values of a parameter, as they were typed."""
    return [_literal(part) for text in typed for part in split_spellings(text)]


def _number(name: str, text: str) -> int | float:
    """Return a whole number, or a share, which has a point."""
    value = _literal(text)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise BadInput(f"{name} is a number of rows, such as 50, or a share of them, such as 0.5, not {text!r}")
    return value


def _literal(text: str) -> Any:
    """Return a number, True, False, None or another literal of Python; any other text is itself."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
