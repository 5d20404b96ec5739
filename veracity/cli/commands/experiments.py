"""Commands that fit one learner many times: learning and validation curve, bias and variance, permutation test."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import click

import veracity as vc
from veracity.cli.options import (
    GROUP,
    KEEP_FITS,
    KIND,
    Design,
    FigureOutput,
    Groups,
    Inference,
    Roles,
    Target,
    Work,
    Workers,
    option_field,
    options,
    several,
    unused,
    words_argument,
)
from veracity.cli.output import output_of, write_result
from veracity.cli.words import split_files_and_scores
from veracity.core.errors import BadInput
from veracity.core.notes import unique
from veracity.core.spelling import split_spellings

TABLE = "a table to learn from, such as data.csv or sklearn:load_iris"


@dataclass(frozen=True)
class CurveFits:
    """A learner that is fitted many times along a curve, and how its scores are reported."""

    target: Target = field(default_factory=Target, metadata=GROUP)
    design: Design = field(default_factory=Design, metadata=GROUP)
    kind: str | None = option_field(KIND, type=click.Choice(["classes", "numbers"]))
    roles: Roles = field(default_factory=Roles, metadata=GROUP)
    store: str | None = option_field(KEEP_FITS, "FILE|URL")
    work: Work = field(default_factory=Work, metadata=GROUP)
    interval: str | None = option_field("Instead of the default one.", "NAME", methods=("intervals",))
    inference: Inference = field(default_factory=Inference, metadata=GROUP)

    def draw(
        self, function: Callable[..., Any], words: tuple[str, ...], output: FigureOutput, **more: Any
    ) -> vc.RiskCurve:
        """Return the curve of the learner and table that were named."""
        found: vc.RiskCurve = _try_learner(
            function,
            words,
            self.target,
            {**vars(self.roles), "time": self.design.time, "kind": self.kind},
            output,
            by=self.design.by,
            store=self.store,
            interval=self.interval,
            **vars(self.inference),
            **vars(self.work),
            **more,
        )
        return found


@click.command("learning_curve")
@words_argument("FILE [SCORE]")
@several(
    "--sizes",
    metavar="ROWS|SHARE[,...]",
    help="Training rows, such as 50, or a share of them, such as 0.5; 0.1,0.2,0.4,0.7,1.0 unless said.",
)
@click.option("--fitted", is_flag=True, help="Also the power law a + b n^-c through the test scores.")
@several("--at", type=float, metavar="ROWS", help="What that law says of so many training rows; repeat for several.")
@options(fits=CurveFits, output=FigureOutput)
def learning_curve(
    words: tuple[str, ...],
    sizes: tuple[str, ...],
    fitted: bool,
    at: tuple[float, ...],
    fits: CurveFits,
    output: FigureOutput,
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
    params = {"fitted": True} if fitted or at else {}
    result = output_of(found, "Learning curve", partial(vc.plot, found.curve(**params)))
    if fitted or at:
        law = found.fitted
        projected = [law.at(number) for number in at]
        notes = unique((*law.notes, *(note for one in projected for note in one.notes)))
        answer = "; ".join(
            [f"power law {law.formula}", *(f"{one.value:.4g} at {one.rows:g} rows" for one in projected)]
        )
        to_json = found.to_json()
        to_json["fitted"] = {name: getattr(law, name) for name in ("a", "b", "c", "residual")}
        to_json["fitted"]["at"] = [{"rows": one.rows, "value": one.value} for one in projected]
        to_json["notes"] += [note.to_json() for note in notes]
        (table,) = result.tables
        tables = (replace(table, notes=(*table.notes, *notes)),)
        result = replace(result, tables=tables, to_json=lambda: to_json, answer=answer)
    write_result(result, output)


@click.command("validation_curve")
@words_argument("FILE [SCORE]")
@click.option("--parameter", required=True, metavar="NAME", help="Of the learner, as scikit-learn names it.")
@several("--values", required=True, metavar="VALUE[,...]", help="Of the parameter: numbers, True, None or words.")
@options(fits=CurveFits, output=FigureOutput)
def validation_curve(
    words: tuple[str, ...], parameter: str, values: tuple[str, ...], fits: CurveFits, output: FigureOutput
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


@click.command("bias_variance")
@words_argument("FILE")
@options(target=Target)
@click.option(
    "--loss",
    type=click.Choice(["squared", "zero_one"]),
    help="squared for numbers, zero_one for classes; without, as the target is.",
)
@click.option(
    "--kind",
    type=click.Choice(["domingos", "kohavi_wolpert"]),
    default="domingos",
    show_default=True,
    help="How zero_one is taken apart.",
)
@click.option("--draws", type=int, default=200, show_default=True, help="Training sets, each of which makes a model.")
@click.option(
    "--by",
    type=click.Choice(["bootstrap", "subsample"]),
    default="bootstrap",
    show_default=True,
    help="How training sets are drawn from the rows that are not tested.",
)
@click.option("--test", metavar="ROWS|SHARE", help="Rows tested, such as 100 or 0.3; a third unless said.")
@click.option("--parameter", metavar="NAME", help="Of the learner: its loss is taken apart for each of the values.")
@several("--values", metavar="VALUE[,...]", help="Of the parameter: numbers, True, None or words.")
@click.option("--store", metavar="FILE|URL", help=KEEP_FITS)
@options(work=Work)
@unused("level")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of all random draws.")
@options(output=FigureOutput)
def bias_variance(
    words: tuple[str, ...],
    target: Target,
    loss: str | None,
    kind: str,
    draws: int,
    by: str,
    test: str | None,
    parameter: str | None,
    values: tuple[str, ...],
    store: str | None,
    work: Work,
    seed: int,
    output: FigureOutput,
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

    more: dict[str, Any] = {}
    if parameter or values:
        more = {"parameter": parameter, "values": _values(values) or None}
    found = _try_learner(
        vc.bias_variance,
        words,
        target,
        {"kind": LOSSES.get(loss or "")},
        output,
        max_scores=0,
        test=None if test is None else _number("--test", test),
        loss=loss,
        kind=kind,
        draws=draws,
        by=by,
        seed=seed,
        store=store,
        **vars(work),
        **more,
    )
    is_one = isinstance(found, vc.Decomposition)
    draw = None if is_one else partial(vc.plot, found.curve())
    write_result(output_of(found, "Bias and variance", draw), output)


@click.command("permutation_test")
@words_argument("FILE [SCORE]")
@options(target=Target, design=Design)
@click.option("--draws", type=int, default=999, show_default=True, help="Shuffled tables, each estimated as a whole.")
@click.option(
    "--kind",
    type=click.Choice(["labels", "within_class"]),
    default="labels",
    show_default=True,
    help="What is shuffled: labels over rows, or each feature inside each class.",
)
@click.option("--target-kind", type=click.Choice(["classes", "numbers"]), help="What a target of whole numbers is.")
@options(roles=Groups, work=Workers)
@click.option("--anyway", is_flag=True, help="Also more fits than anybody is likely to mean.")
@options(inference=Inference, output=FigureOutput)
def permutation_test(
    words: tuple[str, ...],
    target: Target,
    design: Design,
    draws: int,
    kind: str,
    target_kind: str | None,
    roles: Groups,
    work: Workers,
    anyway: bool,
    inference: Inference,
    output: FigureOutput,
) -> None:
    """Repeat the whole estimate of a learner on shuffled data: how often does chance do at least as well?

    FILE is a table with a column to be predicted. The score is error, or rmse for numbers, unless another is named.
    The cost is that of --draws estimates. A figure (--out x.png, .svg, .pdf) shows how the estimates of shuffled data
    lie beside that of the data as it is.

    \b
    veracity permutation_test data.csv --target y --learner sklearn.naive_bayes:GaussianNB --by "kfold(k=5)" error
    veracity permutation_test data.csv --target y --learner sklearn.svm:SVC --kind within_class --draws 99
    """
    found: vc.PermutationTest = _try_learner(
        vc.permutation_test,
        words,
        target,
        {**vars(roles), "time": design.time, "kind": target_kind},
        output,
        by=design.by,
        draws=draws,
        kind=kind,
        anyway=anyway,
        **vars(inference),
        **vars(work),
    )
    write_result(output_of(found, "Permutation test", partial(vc.plot, found.curve())), output)


def _try_learner(
    function: Callable[..., Any],
    words: Sequence[str],
    target: Target,
    roles: Mapping[str, Any],
    output: FigureOutput,
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
