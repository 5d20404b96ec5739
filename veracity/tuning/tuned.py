"""A learner tuned over a grid: its settings from the simplest to the most complex, each tried on every inner split.

No design makes the standard error vanish: more repeats of the same rows say more about chance in the splits, not about
other rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from numbers import Real
from typing import Any

import numpy as np

from veracity.core.arguments import DesignLike, Grid, Learner, Words, verb
from veracity.core.bounds import SETTINGS, check_bound
from veracity.core.entry import Choice, MethodLike
from veracity.core.errors import BadInput, Refused, VeracityError
from veracity.core.suggest import suggest
from veracity.designs.make_design import choose_inner_design, make_design
from veracity.evidence.predictions import Predictions
from veracity.learners.from_text import check_learner
from veracity.learners.seeding import seeded, unfitted_copy
from veracity.records.arrays import Array, freeze
from veracity.records.choices import setting_text
from veracity.records.data import Data
from veracity.records.design import Design, Split
from veracity.records.fit import OUTPUTS, Fit
from veracity.running.fit_learner import fit_one, train
from veracity.scores import scores
from veracity.scores.entry import evidence_for, values_on
from veracity.tuning.wrapper import TrainingRows, Wrapper, check_outputs

DEFAULT = "kfold(k=5)"
ERRORS = ("splits", "rows")
Setting = dict[str, Any]


def settings_of(grid: Any, order: Any = None) -> list[Setting]:
    """Return every setting of a grid, or the listed ones; in their own order or in the one asked for, simplest first.

    In a grid the parameter named last changes fastest. `order="C"` grows with complexity, `"-C"` falls with it.
    """
    if isinstance(grid, Mapping):
        for name, tried in grid.items():
            if isinstance(tried, str) or not isinstance(tried, (Sequence, np.ndarray)):
                raise BadInput(f"grid: the values of {name} are a list, such as [{tried!r}], not {tried!r} alone")
            if not len(tried):
                raise BadInput(f"grid: {name} has no value to try: give at least one")
        number, way = (
            math.prod(map(len, grid.values())),
            "list the settings to try, in place of a grid, if that is meant",
        )
        check_bound(number, SETTINGS, f"the grid has {number:,} settings", way)
        settings = [dict(zip(grid, values, strict=True)) for values in product(*grid.values())] if grid else []
    elif isinstance(grid, Sequence) and all(isinstance(one, Mapping) for one in grid):
        settings = [dict(one) for one in grid]
    else:
        raise BadInput(f"grid is {{'C': [0.1, 1, 10]}} or a list of settings such as {{'C': 1}}, not {grid!r}")
    if not settings:
        raise BadInput("the grid is empty: give at least one value for one parameter, such as {'C': [0.1, 1, 10]}")
    if order is None:
        return settings
    names = [order] if isinstance(order, str) else order
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
        raise BadInput(
            "order names parameters, 'C' where smaller is simpler and '-C' where larger is, or a list of such, not "
            f"{order!r}; for any other order list the settings in the grid, the simplest first"
        )
    return sorted(settings, key=lambda setting: [_signed_value(setting, name) for name in names])


def _signed_value(setting: Setting, text: str) -> float:
    name = text.removeprefix("-")
    if name not in setting:
        raise BadInput(f"order names {name!r}, which the grid does not set: it sets {', '.join(setting)}")
    value = setting[name]
    if isinstance(value, bool) or not isinstance(value, Real):
        raise BadInput(f"order: {name} is {value!r}, which is no number; leave order out and put the simplest first")
    return -float(value) if text.startswith("-") else float(value)


def check_parameters(learner: Any, settings: Sequence[Setting]) -> None:
    """Refuse a parameter that the learner does not have."""
    if not hasattr(learner, "set_params"):
        kind = type(learner).__name__
        raise BadInput(f"{kind} has no set_params, by which its parameters are set: give it get_params and set_params")
    for setting in settings:
        try:
            with_setting(learner, setting)
        except ValueError:
            every, own = learner.get_params(deep=True), learner.get_params(deep=False)
            name = next((one for one in setting if one not in every), next(iter(setting)))
            offer = suggest(name, every, f"it has {', '.join(own)}")
            raise BadInput(f"grid: {type(learner).__name__} has no parameter {name!r}: {offer}") from None


def with_setting(learner: Any, setting: Setting) -> Any:
    """Return an unfitted copy with a setting."""
    return unfitted_copy(learner).set_params(**setting)


@dataclass(frozen=True)
class Trial:
    """One setting: its score on each inner split, or the reason why it has none."""

    params: Setting
    values: tuple[float, ...] = ()
    reason: str = ""  # of the first inner split that failed
    standard_error: float = math.nan  # of the mean

    def __str__(self) -> str:
        if self.reason:
            return f"left out: {self.reason}"
        return f"{self.mean:.4g} (standard error {self.standard_error:.2g})"

    @property
    def mean(self) -> float:
        """The mean over all inner splits; NaN where one failed, for none is dropped."""
        return math.nan if self.reason else float(np.mean(self.values))


def trials(
    learner: Any,
    settings: Sequence[Setting],
    data: Data,
    splits: Sequence[Split],
    score: Choice,
    seed: int,
    by_row: bool = False,
) -> tuple[Trial, ...]:
    """Every setting on every split; in one split all settings are given the same random numbers."""
    tried = tuple(_try(with_setting(learner, one), one, data, splits, score, seed, by_row) for one in settings)
    if all(trial.reason for trial in tried):
        first = f"{setting_text(tried[0].params)}: {tried[0].reason}"
        each = f"all {len(tried)} settings" if len(tried) > 1 else "the only setting"
        raise BadInput(f"no setting can be chosen, as {each} of {type(learner).__name__} failed; {first}")
    if not any(math.isfinite(trial.mean) for trial in tried):
        raise BadInput(f"{score} is infinite for every setting: {score.infinite}; tune by another score")
    return tried


def _try(
    learner: Any, setting: Setting, data: Data, splits: Sequence[Split], score: Choice, seed: int, by_row: bool
) -> Trial:
    predictions: list[Predictions] = []
    values: list[float] = []
    for number, split in enumerate(splits):
        fit = Fit(f"inner split {number}", data.name, "", split.train, split.test, seed)
        outcome = fit_one(learner, data, fit)
        if outcome.status == "failed":
            return Trial(setting, reason=f"in inner split {number + 1} of {len(splits)} {outcome.reason}")
        outputs = {name: getattr(outcome, name) for name in OUTPUTS}
        predictions.append(predictions_of(data, split.test, outputs))
        try:
            values.append(score_value(score, predictions[-1]))
        except VeracityError as why:
            return Trial(setting, reason=f"in inner split {number + 1} of {len(splits)} {why}")
    if not by_row:
        return Trial(setting, tuple(values), standard_error=between_splits(values, splits))
    losses = np.concatenate([score.row_values(p) for p in predictions])
    rows = np.concatenate([split.test for split in splits])
    return Trial(setting, tuple(values), standard_error=between_rows(losses, rows))


def predictions_of(data: Data, rows: Array, outputs: Mapping[str, Any]) -> Predictions:
    """What a model said of some rows, with their truth."""
    weights = None if data.weights is None else freeze(data.weights[rows])
    return Predictions(data.kind, data.truth[rows], data.classes, data.positive, **outputs, rows=rows, weights=weights)


def score_value(score: Choice, p: Predictions) -> float:
    """The score of predictions; one that they cannot have is an error that says why."""
    score.check(p)
    evidence = evidence_for(score, p)
    value = float(values_on(score, evidence))
    if math.isnan(value):
        why = score.why_undefined(evidence)
        raise BadInput(f"{score} is undefined there: {why}")
    return value


def between_splits(values: Sequence[float], splits: Sequence[Split]) -> float:
    """From the scores of inner splits; undefined for a single one, or with an infinite one.

    Folds: their standard deviation over the root of their number (Breiman et al. 1984), in each repeat by itself; over
    repeats the root of the mean square. Draws of which each is a repeat of its own, as hold-outs and the bootstrap,
    overlap in the rows that they test and train on: the standard deviation times the root of 1/draws + test/training
    rows (Nadeau & Bengio 2003), where a row that was drawn twice trains once.
    """
    scores, repeats = np.array(values), np.array([split.repeat for split in splits])
    each = [scores[repeats == repeat] for repeat in np.unique(repeats)]
    if len(scores) == 1 or not np.isfinite(scores).all():
        return math.nan
    if len(each) == len(scores):
        overlap = sum(len(split.test) for split in splits) / sum(split.learned_from for split in splits)
        return float(scores.std(ddof=1) * math.sqrt(1 / len(scores) + overlap))
    return math.sqrt(np.mean([folds.var(ddof=1) / len(folds) for folds in each]))


def between_rows(losses: Array, rows: Array) -> float:
    """From the losses of rows: of one that was tested several times the mean, so that each row counts once."""
    row = np.unique(rows, return_inverse=True)[1]
    each = np.bincount(row, losses) / np.bincount(row)
    if not np.isfinite(each).all():
        return math.nan
    return float(each.std(ddof=1) / math.sqrt(len(each)))


SAME = 1e-12  # of the largest score that a mean is made of: means that differ by rounding only are equal


@dataclass(frozen=True, repr=False)
class Results:
    """The trials from the simplest setting to the most complex; prints as a table."""

    trials: tuple[Trial, ...]
    won: Trial
    score: str
    better: str
    by: str
    rule: str

    def __iter__(self) -> Iterator[Trial]:
        return iter(self.trials)

    def __len__(self) -> int:
        return len(self.trials)

    def __getitem__(self, place: int) -> Trial:
        return self.trials[place]

    def to_dict(self) -> dict[str, list[Any]]:
        """Columns, as a data frame takes them."""
        names = dict.fromkeys(name for trial in self for name in trial.params)
        columns: dict[str, list[Any]] = {name: [trial.params.get(name) for trial in self] for name in names}
        columns["mean"] = [trial.mean for trial in self]
        columns["standard error"] = [trial.standard_error for trial in self]
        columns["reason"] = [trial.reason for trial in self]
        return columns

    def __repr__(self) -> str:
        head = f"{self.score} ({self.better} is better) by {self.by}, from the simplest setting to the most complex:"
        width = max(len(setting_text(trial.params)) for trial in self)
        lines = [f"  {setting_text(trial.params):<{width}}  {trial}" for trial in self]
        return "\n".join([head, *lines, f"{self.rule} takes {setting_text(self.won.params)}"])


def best(trials: Sequence[Trial], better: str, distance: float = 0.0) -> Trial:
    """The best mean, or the first setting at most so far from it; of equal ones the simplest, which is the first."""
    sign = 1 if better == "lower" else -1
    sound = [trial for trial in trials if not trial.reason]
    first = min(sound, key=lambda trial: sign * trial.mean)
    room = distance + SAME * max(map(abs, first.values))
    most = sign * first.mean + (room if math.isfinite(room) else 0.0)
    return next(trial for trial in sound if sign * trial.mean <= most)


def one_standard_error(trials: Sequence[Trial], better: str) -> Trial:
    """The simplest setting that is no more than one standard error of the best worse than the best.

    A heuristic, since inner folds are dependent; it needs at least two of them (Breiman et al. 1984).
    """
    first = best(trials, better)
    if math.isinf(first.mean):  # nothing finite is near it
        return first
    if math.isnan(first.standard_error):
        says = "one_standard_error needs at least two inner splits: use kfold(k=5), or rule='best', or se='rows'"
        raise Refused(says, "one-inner-split")
    return best(trials, better, first.standard_error)


RULES: dict[str, Callable[[Sequence[Trial], str], Trial]] = {"best": best, "one_standard_error": one_standard_error}


@verb
def tuned(
    learner: Learner,
    grid: Grid,
    *,
    by: DesignLike = None,
    score: MethodLike = "log_loss",
    rule: str = "best",
    order: Words = None,
    se: str = "splits",
    seed: int = 0,
) -> Tuned:
    """A learner that tries every setting of a grid inside its training rows, takes one and is refitted with it.

    `grid` is `{"C": [0.1, 1, 10]}` (all combinations, the parameter named last changes fastest) or a list of settings.
    The score is averaged over all inner splits of `by`, then one setting is chosen: the best, or with
    `rule="one_standard_error"` the simplest that is within one standard error of the best. The simplest is the first
    of the grid, unless `order` says otherwise: "C" where smaller is simpler, "-C" where larger is, or several such. Of
    equal settings the simplest is taken. The standard error is that of the folds of one repeat, however often they are
    repeated; `se="rows"` takes it from the losses of all rows instead, each row once. Classes are spread evenly over
    inner folds, and groups and time are kept, as outside.

    Without `by` it is the inner design of a nested one, the validation rows of a three-way split, else kfold(k=5).
    Its inner score is never its risk: evaluate it, which is nested cross-validation.

    Parameters
    ----------
    learner
        A learner, any object with fit and predict.
    grid
        {'C': [0.1, 1, 10]}, all combinations, or a list of settings.
    by
        The inner design, kfold(k=5) unless said.
    score
        The score that decides.
    rule
        'best' or 'one_standard_error'.
    order
        Which way is simpler: 'C' where smaller is, '-C' where larger is.
    se
        Standard errors of 'splits' or of 'rows'.
    seed
        Where random numbers begin; the same seed gives the same numbers.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> learner = vc.tuned(LogisticRegression(), grid={"C": [0.1, 1, 10]}, by="kfold(k=3)")
    """
    wrapper = Tuned(check_learner(learner), grid, by=by, score=score, rule=rule, order=order, se=se, seed=seed)
    wrapper.check()
    return wrapper


class Tuned(Wrapper):
    """Made by `tuned(...)`. Fitted, it has `best_params_`, `best_score_`, `results_` (one per setting) and `model_`."""

    tunes = True  # a nested design may say how

    def __init__(
        self,
        learner: Any,
        grid: Any,
        *,
        by: Any = None,
        score: Any = "log_loss",
        rule: str = "best",
        order: Any = None,
        se: str = "splits",
        seed: int = 0,
    ) -> None:
        self.learner, self.grid, self.by, self.score = learner, grid, by, score
        self.rule, self.order, self.se, self.seed = rule, order, se, seed

    @property
    def setting_count(self) -> int:
        """How many are tried."""
        return len(settings_of(self.grid, self.order))

    def configurations(self) -> dict[str, Any]:
        """A learner for each setting, by its text, to be evaluated side by side; bbc_cv tells the risk of the best."""
        return {setting_text(one): with_setting(self.learner, one) for one in settings_of(self.grid, self.order)}

    def check(self) -> Choice:
        score = scores.choose(self.score)
        if self.rule not in RULES:
            raise BadInput(f"there is no rule called {self.rule!r}: {suggest(str(self.rule), RULES)}")
        if self.se not in ERRORS:
            raise BadInput(f"se is 'splits' or 'rows', not {self.se!r}")
        if self.se == "rows" and not score.averages_rows:
            raise BadInput(f"se='rows' needs a score that is a mean over rows, which {score} is not: use se='splits'")
        if isinstance(self.by, str) or not (self.by is None or hasattr(self.by, "split")):
            choose_inner_design(self.by)
        settings = settings_of(self.grid, self.order)
        check_parameters(self.learner, settings)
        check_outputs(score, self.learner, (with_setting(self.learner, one) for one in settings))
        return score

    def choose(self, given: TrainingRows, score: Choice) -> None:
        """Choose a setting inside these rows, and refit with it; validation rows have done their work then."""
        data, train_rows = given.data, given.train
        if given.validation is not None:
            design = Design("validation", self.seed, len(data), (Split(train_rows, given.validation),))
        else:
            try:
                by = DEFAULT if self.by is None else self.by
                design = make_design(by, given.rows, self.seed, data.features)
            except Refused as why:
                raise Refused(f"tuning inside {len(train_rows)} training rows: {why}", why.code) from None
        settings, by_row = settings_of(self.grid, self.order), self.se == "rows"
        tried = trials(self.learner, settings, data, design.splits, score, self.seed, by_row)
        winner = RULES[self.rule](tried, score.better)
        self.results_ = Results(tried, winner, str(score), score.better, design.name, self.rule)
        self.best_params_, self.best_score_, self.inner_ = winner.params, winner.mean, design.name
        self.chosen_ = {"params": winner.params, "inner": winner.mean, "score": str(score), "by": design.name}
        with seeded(with_setting(self.learner, winner.params), self.seed, "refit") as (model, _):
            train(model, data, train_rows)
        self.model_ = model
