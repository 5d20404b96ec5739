"""Files of other tools, recognised by their columns: read as a plain table they would be answered as what they are not.

A layout is recognised by several columns that only its tool writes together. A call that says by itself what counts as
an item is read: then the sentence has nothing to add.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from veracity.core.errors import BadInput
from veracity.readers.columns import Columns
from veracity.readers.source import quote_names

Asked = Mapping[str, Any]  # the arguments of a call by role
Reads = Callable[[Asked], bool]


def _never(asked: Asked) -> bool:
    return False


@dataclass(frozen=True)
class Layout:
    """What a tool writes, how its columns tell it, and what to give instead."""

    what: str
    columns: frozenset[str]  # that all must be there
    also: tuple[str, ...]  # patterns of names, each of one column or more
    way: str
    reads: Reads = _never  # whether a call says enough to be read right

    def is_of(self, names: Collection[str]) -> bool:
        """Return whether a table with these columns has this layout."""
        return self.columns <= set(names) and all(fnmatch.filter(names, pattern) for pattern in self.also)

    def error(self, source: str) -> BadInput:
        """Return the sentence that refuses a table of this layout."""
        return BadInput(f"{source} is {self.what}: {self.way}")


def _names_items(*each_try: str) -> Reads:
    """Return whether a call names items by a column that is the same in all tries of an item."""

    def reads(asked: Asked) -> bool:
        items = asked.get("rows") if asked.get("model") is not None else asked.get("groups")
        return items is not None and items not in each_try and asked.get("groups") not in each_try

    return reads


def _reads_grades(asked: Asked) -> bool:
    """Return whether a call reads grades alone: what the model answered is in lists, which are no column."""
    return bool({"correct", "loss", "grade"} & asked.keys()) and "truth" not in asked


FIT = "`vc.evaluate(learner, X, y)`"
COMPARE = "or compare the scores of splits: `vc.split_scores({'a': ..., 'b': ...}, train=, test=, k=)`"
LONG = "name the columns of data sets, learners and scores"
AS_LONG = f"{LONG}, `dataset=`, `model=` and `score=`"
LAYOUTS = (
    Layout(
        "the cv_results_ of a scikit-learn search",
        frozenset({"mean_fit_time", "mean_score_time", "params"}),
        ("mean_test_*", "rank_test_*"),
        "its columns are times, ranks and means of settings of one learner, and no learners: estimate the learner with "
        f"its search, `vc.evaluate(tuned(learner, grid), X, y)`, {COMPARE}",
    ),
    Layout(
        "the output of scikit-learn's cross_validate",
        frozenset({"fit_time", "score_time"}),
        ("test_*",),
        f"its columns are times and scores of one learner, and no learners: estimate it, {FIT}, {COMPARE}",
    ),
    Layout(
        "the resamples of caret",
        frozenset({"Resample"}),
        ("*~*",),
        "its rows are splits of one data set, its columns learners by several scores: name the learners by one score, "
        "read and rank them with `learners=['A~Accuracy', 'B~Accuracy'], fold='Resample', train=ROWS, test=ROWS, "
        "using='corrected_t'`",
        lambda asked: bool(asked.get("fold") and asked.get("learners")),
    ),
    Layout(
        "a table of tidymodels' metrics",
        frozenset({".metric", ".estimator", "mean", "n", "std_err"}),
        (),
        "its columns are a mean, a number of splits and a standard error, and no learners: give a table with a column "
        "for data sets and one with the mean for each learner",
    ),
    Layout(
        "the history of a Keras fit",
        frozenset({"loss", "val_loss"}),
        (),
        f"its rows are epochs of one fit, and no data sets: estimate the learner, {FIT}",
    ),
    Layout(
        "a table of Optuna's trials",
        frozenset({"number", "datetime_start", "datetime_complete", "state"}),
        ("value*",),
        f"its rows are settings of one learner that were tried, and no data sets: estimate the learner, {FIT}",
    ),
    Layout(
        "a table of MLflow's runs",
        frozenset({"run_id", "experiment_id", "artifact_uri"}),
        (),
        f"each row is a run, with times and settings beside its scores: {AS_LONG}",
        lambda asked: bool(asked.get("dataset") and asked.get("learner")),
    ),
    Layout(
        "promptfoo's output",
        frozenset({"testIdx", "promptIdx", "promptId"}),
        (),
        "each repeat of a test has a testIdx of its own, so tries of one question would count as several questions: "
        "name the variable that tells questions apart, "
        "`correct='success', model='provider.id', rows='vars.NAME'`",
        _names_items("testIdx", "id"),
    ),
    Layout(
        "promptfoo's output",
        frozenset({"Status", "Score", "Named Scores", "Grader Reason", "Comment"}),
        (),
        "of each prompt it has the same columns, and each repeat of a test has a row of its own: write it as JSON "
        "lines (promptfoo eval --output out.jsonl), and name questions by a variable, "
        "`correct='success', model='provider.id', rows='vars.NAME'`",
    ),
    Layout(
        "a file of samples of lm-evaluation-harness",
        frozenset({"doc_id", "doc", "target", "filtered_resps"}),
        (),
        "its answers are in lists, and doc and target both hold the right answer: name the column of grades, such as "
        "`correct='acc', rows='doc_id'`",
        _reads_grades,
    ),
    Layout(
        "a log of OpenAI's evals",
        frozenset({"run_id", "event_id", "sample_id", "type", "data"}),
        (),
        "its lines are events of several types, and an answer that matched nothing is missing: name the grades, "
        "`correct='data.correct', rows='sample_id', missing='drop'`",
        _reads_grades,
    ),
    Layout(
        "a table of Inspect's samples",
        frozenset({"sample_id", "eval_id", "id", "epoch", "input", "target"}),
        (),
        "each epoch of a sample has a sample_id of its own, so tries of one sample would count as several: name "
        "the column of grades, `correct=`, with `model='eval_id', rows='id'`",
        _names_items("sample_id"),
    ),
)
FILTERS = ("doc_id", "filter")  # of lm-evaluation-harness, which writes each document once for each filter


def recognise(names: Iterable[object]) -> Layout | None:
    """Return the layout of a table with these columns, if another tool writes it; of nested ones the outermost name."""
    known = {str(name) for name in names}
    known |= {name.partition(".")[0] for name in known}
    return next((layout for layout in LAYOUTS if layout.is_of(known)), None)


def refuse_layout(names: Iterable[object], source: str, asked: Asked) -> Layout | None:
    """Refuse the table of another tool, unless the call says enough of it; return its layout, if it has one."""
    layout = recognise(names)
    if layout is not None and not layout.reads(asked):
        raise layout.error(source)
    return layout


def refuse_filters(columns: Columns, asked: Asked) -> None:
    """Refuse samples of lm-evaluation-harness with a line for each filter of an answer, counted as items."""
    if not set(FILTERS) <= set(columns) or asked.get("model") is not None:
        return
    filters = dict.fromkeys(columns["filter"].tolist())
    if len(filters) > 1 and len(set(columns["doc_id"].tolist())) < len(columns["doc_id"]):
        says = f"{columns.source.name} has each doc_id once for each filter, {quote_names(map(str, filters))}"
        way = "`model='filter', rows='doc_id'`"
        raise BadInput(f"{says}, so answers would count several times: keep the lines of one, or compare them, {way}")
