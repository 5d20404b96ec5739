"""A learner that tunes itself inside whatever rows it is given."""

from __future__ import annotations

from typing import Any

from veracity.core.arguments import DesignLike, Grid, Learner, Words, verb
from veracity.core.entry import Choice, MethodLike
from veracity.core.errors import BadInput, Refused
from veracity.core.suggest import suggest
from veracity.designs.make_design import choose_inner_design, make_design
from veracity.learners.from_text import check_learner
from veracity.learners.seeding import seeded
from veracity.records.choices import setting_text
from veracity.records.design import Design, Split
from veracity.running.fit_learner import train
from veracity.scores import scores
from veracity.tuning.trial import RULES, Results, check_parameters, settings_of, trials, with_setting
from veracity.tuning.wrapper import TrainingRows, Wrapper, check_outputs

DEFAULT = "kfold(k=5)"
ERRORS = ("splits", "rows")


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
