"""What every score declares and can do."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

import numpy as np

from veracity.core.entry import Choice, Entry
from veracity.core.errors import BadInput
from veracity.core.missing import Undefined
from veracity.core.notes import Note
from veracity.evidence.evidence import Evidence
from veracity.evidence.predictions import Predictions
from veracity.records.arrays import Array, ratio

Better = Literal["higher", "lower"]
Reads = Literal["confusion matrix", "ordering", "row losses", "time"]
NEVER = "the rows do not determine it"
STEP = 1e-4  # relative: large against rounding, and its square small against 1
CHUNK = 4_000_000  # cells of perturbed evidence at once, to bound memory
UNLABELLED = frozenset({"recall", "false_negative_rate", "positive_rate"})  # all that positive-unlabelled rows can tell
READS = {
    "label": "predicted labels",
    "proba": "probabilities",
    "value": "decision values or probabilities",
    "number": "predicted numbers",
    "loss": "a loss of each row",
    "grade": "grades of items",
    "runs": "the fits of a run",
}
NEEDS = {
    "label": "predicted labels (`label=`, or `proba=`, or `value=` with a threshold)",
    "proba": "probabilities (`proba=`)",
    "value": "decision values (`value=`) or probabilities (`proba=`)",
    "number": "predicted numbers (`number=`)",
    "loss": "a loss of each row (`loss=`)",
    "grade": "grades of items (`vc.graded(...)`)",
}
RIGHT_OR_WRONG = ("error", "accuracy")  # scores that the number of errors alone tells
SCORES_OF = {
    "correct": "right and wrong rows alone: error and accuracy can",
    "loss": "losses: their score is mean",
    "grades": "grades: their scores are mean and pass_at(k=...)",
}
READ_PARAMETERS = (
    *("function", "gather", "evaluate", "influence_of", "influence_on_classes", "row_values", "labels", "link_means"),
    *("proportion", "share_cells", "part_read", "moments_of", "members_of", "cell_values", "remarks"),
    *("one_class_notes", "is_of_one_class", "why_undefined"),
)
METHODS = {"proba": ("predict_proba",), "value": ("predict_proba", "decision_function")}  # any of them will do
WORDS = {"proba": "probabilities", "value": "probabilities or decision values"}


@dataclass(frozen=True, eq=False, repr=False)
class Score(Entry):
    """A number for the quality of predictions. Losses are never negated: `better` says the direction."""

    kind: ClassVar[str] = "score"
    plain_types: ClassVar[bool] = True
    read_parameters: ClassVar[frozenset[str]] = frozenset(READ_PARAMETERS)
    reads: ClassVar[Reads]  # the statistic that the score is a function of

    better: Better = "higher"
    range: tuple[float, float] = (0.0, 1.0)
    undefined: str = NEVER  # the reason given when the value is NaN
    infinite: str = "a row or a ratio has no bound"  # the reason given when it is infinite
    needs: str = "label"
    judges: bool = True  # whether it is about quality, and not a fact about rows or predictions
    reads_predictions: bool = True  # and not the truth alone
    cut: str = ""  # the parameter at which it cuts probabilities by itself, wherever labels are cut
    default_interval: str | None = None  # where the table of defaults does not say it
    influence: Callable[..., Any] | None = field(default=None)
    why: Callable[..., str | None] | None = field(default=None)  # a reason that depends on the evidence

    @abstractmethod
    def gather(self, p: Predictions, **arguments: Any) -> Evidence:
        """The evidence this score reads, from predictions."""

    @abstractmethod
    def evaluate(self, evidence: Any, **arguments: Any) -> Array:
        """The score of the evidence, NaN where undefined, one value per leading axis."""

    @abstractmethod
    def influence_of(self, evidence: Any, **arguments: Any) -> Array | None:
        """The influence of each cell, one row per leading axis; None where none is known."""

    @property
    def averages_rows(self) -> bool:
        """Whether the score of some rows is the mean of what each row gives by itself."""
        return False

    @property
    def is_function_of_means(self) -> bool:
        """Return whether the score is a function of means of row losses, as a median is not."""
        return False

    @property
    def direction(self) -> str:
        """Which way is better, empty where neither is."""
        return self.better if self.judges else ""

    def cells(self) -> dict[str, str]:
        better = self.direction or "neither"
        return {"needs": self.needs, "better": better, "range": f"{self.range[0]:g} to {self.range[1]:g}"}

    def particulars(self) -> dict[str, tuple[str, ...]]:
        direction = f"{self.better} is better" if self.judges else "neither high nor low is better"
        reads = READS[self.needs] if self.reads_predictions else "the truth alone"
        return {"Reads": (f"{reads}; {self.cells()['range']}, {direction}", f"undefined when {self.undefined}")}

    def facts(self) -> dict[str, str]:
        return {**self.cells(), "undefined": self.undefined}

    @property
    def target_kind(self) -> str:
        """The kind of target that the score is for: classes or numbers, or losses or grades of an unknown target."""
        return {"number": "numbers", "loss": "loss", "grade": "grades"}.get(self.needs, "classes")

    def suits(self, kind: str) -> bool:
        """Whether the score is for a target of this kind."""
        return kind == self.target_kind or (kind == "correct" and self.is_one_of(*RIGHT_OR_WRONG))

    def for_models(self, *models: Predictions) -> Score:
        """Return the score as it reads these models: its direction and range may depend on what they hold."""
        return self

    def check(self, p: Predictions) -> None:
        """Refuse predictions that this score cannot read."""
        if p.kind in SCORES_OF and not self.suits(p.kind):
            raise BadInput(f"{self.name} cannot be had from {SCORES_OF[p.kind]}")
        if self.needs not in p.offers:
            have = ", ".join(sorted(p.offers))
            raise BadInput(f"{self.name} needs {NEEDS[self.needs]}, but these predictions hold only {have}")
        self.check_labelled(p)

    def check_labelled(self, p: Predictions) -> None:
        """Refuse rows whose labels do not suffice for this score."""
        p.permits(self.name, UNLABELLED if self.is_builtin else UNLABELLED - {self.name})

    def value_notes(self, value: float, typed: str) -> tuple[Note, ...]:
        """What to say of a value that is no ordinary number."""
        if isinstance(value, Undefined):
            return (Note("undefined", "remark", f"{typed} is undefined: {value.reason}"),)
        return (Note("infinite", "caution", f"{typed} is infinite: {self.infinite}"),) if math.isinf(value) else ()

    def remarks(self, evidence: Any, **arguments: Any) -> tuple[Note, ...]:
        """What to say with the value itself."""
        return tuple(limit.note(evidence) for limit in self.limits if limit.when(evidence))

    def is_of_one_class(self, source: Any, average: str = "auto", **_: Any) -> bool:
        """Whether it is that of the named one of three or more classes, where it could be averaged over all."""
        positive, classes = getattr(source, "positive", None), getattr(source, "classes", ())
        averages = not self.judges or any(one.name == "average" for one in self.parameters)
        return averages and average in ("auto", "none") and positive is not None and len(classes) > 2

    def one_class_notes(self, source: Any, **arguments: Any) -> tuple[Note, ...]:
        """Which class the score is of, where there are three or more."""
        if not self.is_of_one_class(source, **arguments):
            return ()
        says = f"{self.name} is that of {source.classes[source.positive]} against all other classes"
        return (Note("one-class", "remark", says),)

    def why_undefined(self, evidence: Any, **arguments: Any) -> str:
        """The reason for a value that is NaN."""
        found = None if self.why is None else self.why(evidence, **arguments)
        return self.undefined if found is None else found

    def moments_of(self, evidence: Any, **arguments: Any) -> Array | None:
        """Powers 0 to 3 of the influence values summed over rows, where they need not be written out for that."""
        return None

    def with_influence(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Decorator: `function(evidence, **arguments)` gives this score's influence values."""
        object.__setattr__(self, "influence", function)
        return function


def choice_for_models(score: Choice, *models: Predictions) -> Choice:
    """Return the choice with its score as it reads these models."""
    entry = score.for_models(*models)
    return score if entry is score.entry else replace(score, entry=entry)


def evidence_for(score: Choice, p: Predictions) -> Any:
    """What the score reads, from predictions."""
    return score.gather(p)


def values_on(score: Choice, evidence: Evidence) -> Array:
    """The score of evidence, one value per leading axis, NaN where it has none."""
    values: Array = score.evaluate(evidence)
    return values


def value_of(score: Choice, p: Predictions) -> float:
    """The score of some predictions, NaN where it has none."""
    return float(values_on(score, evidence_for(score, p)))


def numeric_influence(score: Callable[[Array], Array], at: Array) -> Array:
    """N times the derivative of a score by the weight of each cell, by central differences; 0 where a cell is empty.

    The step is a share of the cell itself: one measured by all rows would empty a rare class among many rows.
    """
    cells = at.shape[-1]
    slope = np.zeros(at.shape)
    places = np.flatnonzero((at > 0).reshape(-1, cells).any(0))
    number = max(1, CHUNK // at.size)
    for part in (places[first : first + number] for first in range(0, len(places), number)):
        step = STEP * (part[:, None] == np.arange(cells))
        change = score(at[..., None, :] * (1 + step)) - score(at[..., None, :] * (1 - step))
        slope[..., part] = np.where(at[..., part] > 0, ratio(change, 2 * STEP * at[..., part]), 0.0)
    total = at.sum(-1)[..., None]
    return slope * total - (slope * at).sum(-1)[..., None]


def needed_output(score: Choice, classes: int = 2) -> str:
    """What a score needs of a learner: decision values order the rows of two classes alone."""
    needs = score.needs
    return "proba" if needs == "value" and classes > 2 else needs


def missing_output(score: Choice, learners: Sequence[str], classes: int = 2) -> str:
    """The sentence for learners of classes that do not tell what the score needs."""
    needs = needed_output(score, classes)
    of = " of more than two classes" if needs != score.needs else ""
    *others, last = learners
    who = f"{', '.join(others)} and {last} have" if others else f"{last} has"
    way = "use a score of labels such as error, or wrap it in sklearn's CalibratedClassifierCV"
    return f"{score}{of} needs {WORDS[needs]}, but {who} no {' and no '.join(METHODS[needs])}: {way}"
