"""All runs of a study: predictions by learner, data set and design, as its store tells them, and as a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import numpy as np

from veracity.core.arguments import verb
from veracity.core.errors import BadInput, Refused, StoreError
from veracity.core.notes import Note
from veracity.core.words import brief, plural
from veracity.evidence.predictions import Predictions, disagreement
from veracity.evidence.run import Memory, Run, pool_predictions, seconds_of_splits
from veracity.records.choices import Choices, UnreadableChoice
from veracity.records.data import Data
from veracity.records.design import Design
from veracity.records.fit import Outcome, test_set_key
from veracity.tables.table import Table

BEYOND_STUDY = "beyond-study"  # the code of the note about what a store holds and the study does not name
CODE_UNSEEN = "code-unseen"  # the code of the note about learners that are known by their text alone
CHOSEN_PART = "chosen-part"  # the code of the note about runs that were chosen from others
STORE_INCOMPLETE = "store-incomplete"  # the code of the note about what a store has lost
MIXED_VERSIONS = "mixed-versions"  # of that about fits that were made with different versions of a library
OF_SELECTION = (BEYOND_STUDY, CODE_UNSEEN, CHOSEN_PART, STORE_INCOMPLETE, MIXED_VERSIONS)
Names = str | Iterable[str]
WORDS = {"learner": "`learner='NAME'`", "data set": "`data=`", "design": "`by=`"}


@dataclass(frozen=True, eq=False, repr=False)
class Runs:
    """Runs of a store. `learners` and `tables` are there only in the process that made them.

    Attributes
    ----------
    store
        Where the fits are kept.
    names
        Names of the data sets.
    designs
        Names of the designs.
    learner_names
        Names of the learners.
    learners
        The learners themselves, in the process that made them.
    tables
        The data themselves, in the process that made them.
    seed
        Where random numbers began.
    spellings
        Designs as they were typed.
    notes
        What a reader should know: cautions and remarks.
    asked_scores
        Scores that the study names.
    refit
        What trains on all rows.
    scorer
        What scores every split.
    memory
        What was read already.
    positive
        The class that scores of one class are about.
    asker
        Who asks, where that is no person, such as a page; what None asks is not counted.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> runs = vc.evaluate({"nb": GaussianNB()}, X, y, by="kfold(k=5)", seed=7)
    >>> runs
    Runs(1 data set, 1 learner, 1 design)
    >>> runs.predictions("nb")
    Predictions(150 rows, 3 classes, label, proba, value)
    """

    store: Any
    names: Sequence[str]  # data sets
    designs: Sequence[str]
    learner_names: Sequence[str]
    learners: Mapping[str, Any] = field(default_factory=dict)
    tables: Mapping[str, Data] = field(default_factory=dict)
    seed: int = 0
    spellings: Mapping[str, str] = field(default_factory=dict)  # designs as they were typed, by their canonical names
    notes: tuple[Note, ...] = ()  # what the checks of the study found
    asked_scores: Sequence[str] = ()  # by the study
    refit: Callable[[Runs, str, str], Any] | None = None  # gives the model of a learner on all rows of a data set
    scorer: Callable[[Runs, Sequence[Any], str | None], Any] | None = None  # gives the scores of every split
    memory: Memory = field(default_factory=Memory)  # what was read already, which copies share
    positive: Any = None  # the class that is looked for, where not the one that the data sets name
    asker: str | None = ""  # who asks, where that is no person: a page; what None asks the store is not told

    def __iter__(self) -> Iterator[Run]:
        for data, by, learners in self._planned():
            yield from self.read_together(data, by, learners)

    def places(self) -> Iterator[tuple[str, str, str]]:
        """Data set, learner and design of every run that was planned."""
        return ((data, learner, by) for data, by, learners in self._planned() for learner in learners)

    def _planned(self) -> Iterator[tuple[str, str, list[str]]]:
        """The learners of each data set and design."""
        planned = self.store.places()
        for data in self.names:
            for by in self.designs:
                yield data, by, [learner for learner in self.learner_names if (data, learner, by) in planned]

    def only(self, learners: Names = (), data: Names = (), by: Names = ()) -> Runs:
        """The runs of some learners, on some data sets, by some designs, in the order named; all where none is."""
        chosen, places = _some("learner", learners, self.learner_names), _some("data set", data, self.names)
        parts = {"learners": (chosen, self.learner_names), "data sets": (places, self.names)}
        fewer = [f"{len(part)} of {len(of)} {what}" for what, (part, of) in parts.items() if len(part) < len(of)]
        says = f"{' and '.join(fewer)} were chosen: a choice by what was seen makes results look better than they are"
        notes = (Note(CHOSEN_PART, "remark", says),) if fewer else ()
        designs = _some("design", by, self.designs, self.design_name)
        return replace(self, learner_names=chosen, names=places, designs=designs, notes=self.notes + notes)

    @verb
    def run(self, learner: str | None = None, data: str | None = None, by: str | None = None) -> Run:
        """One run; what is left out must be the only one there is."""
        learner, data = _only("learner", learner, self.learner_names), _only("data set", data, self.names)
        return self.read(learner, data, self.design_name(by))

    def read(self, learner: str, data: str, by: str) -> Run:
        """One run from the store, by its names."""
        return next(self.read_together(data, by, [learner]))

    def read_together(self, data: str, by: str, learners: Sequence[str]) -> Iterator[Run]:
        """The runs of some learners on the same splits, in their order, which takes the store few questions."""
        if not learners:
            return
        table, design = self.data(data), self.design(data, by)
        for learner, keys, outcomes in self.store.answers(data, by, learners):
            if len(keys) != len(design):
                raise self.store.damage_error(f"{len(keys)} fits of {learner}, {len(design)} splits of {data}")
            try:
                p = pool_predictions(table, design, keys, outcomes, learner)
            except LookupError:
                raise self.store.damage_error(f"predictions of {learner} on {data} are of other rows") from None
            if p is not None and p.classes and self.positive is not None:
                p = p.with_positive(table.place_of(self.positive))
            there = [outcomes[key] for key in keys if key in outcomes]
            failures = [one.reason for one in there if one.status == "failed"]
            self.memory.choosers[data, learner, by] = any(
                [bool(one.chosen) for one in there if one.status == "done"][:1]
            )
            yield Run(
                data,
                learner,
                design,
                p,
                table.truth,
                failed=len(failures),
                absent=len(keys) - len(there),
                reason=failures[0] if failures else "",
                chosen=tuple(outcomes[key].chosen if key in outcomes else "" for key in keys),
                seconds=seconds_of_splits(design, keys, outcomes),
            )

    def with_positive(self, label: Any) -> Runs:
        """The same runs with another class looked for, which every data set of classes must have.

        Of three or more classes, precision and the like are then those of this class against all others.
        """
        for name in self.names:
            self.data(name).place_of(label)
        return replace(self, positive=label)

    @verb
    def data(self, name: str) -> Data:
        """A data set without its features."""
        return cast(Data, self.memory.recall((name,), self.store.data))

    @verb
    def design(self, data: str, by: str) -> Design:
        """The splits of a data set by a design's canonical name."""
        return cast(Design, self.memory.recall((data, by), self.store.design))

    @verb
    def kind(self, data: str) -> str:
        """Whether a data set's target is of classes or of numbers."""
        return str(self.data(data).kind)

    def tests_once(self, data: str, by: str) -> bool:
        """Whether a design has one set of test rows, none of them in training, as a hold-out has."""
        splits = self.design(data, by).splits
        return len(splits) == 1 and not np.isin(splits[0].test, splits[0].train).any()

    def questions(self, data: str, by: str) -> dict[str, int]:
        """Return what was asked of a hold-out's test rows, in the order of asking, and how often; of others nothing."""
        return dict(self.store.asked(self._test_set(data, by))) if self.tests_once(data, by) else {}

    def asked_again_notes(self, data: str, by: str, question: str) -> tuple[Note, ...]:
        """Enter a question about a hold-out's test rows, which wear out; a caution if others were asked before."""
        before = self.questions(data, by)
        if self.tests_once(data, by) and question not in before and self.asker is not None:
            try:
                self.store.ask(question, self._test_set(data, by))
            except StoreError:  # a store that is only read counts no more
                return ()
        times = len({*before, question})
        if times < 2:
            return ()
        says = f"the same test rows have been asked {times} times; what was chosen by the answers is too good on them"
        return (Note("test-asked-again", "caution", f"{data}: {says}"),)

    def _test_set(self, data: str, by: str) -> str:
        return test_set_key(self.data(data).fingerprint, self.design(data, by).splits[0].test)

    @property
    def selection_notes(self) -> tuple[Note, ...]:
        """What rankings and comparisons of these runs must say of the store that they come from."""
        return tuple(note for note in self.notes if note.code in OF_SELECTION)

    def as_typed(self, design: str) -> str:
        """A design as it was typed."""
        return self.spellings.get(design, design)

    @verb
    def design_name(self, by: str | None) -> str:
        """A design by its canonical name, from that or from what was typed; without one, the only one there is."""
        return _only("design", next((name for name, typed in self.spellings.items() if typed == by), by), self.designs)

    @verb
    def predictions(self, learner: str | None = None, data: str | None = None, by: str | None = None) -> Predictions:
        """The test predictions of all splits, one after the other, with split numbers and row numbers.

        Rows that a split's own model had learned from are left out, unless the design tests no others.
        """
        run = self.run(learner, data, by)
        p = run.fresh.predictions
        if p is None or p.origin is None:
            raise Refused(f"no split of {learner or 'the learner'} succeeded: see failures()", "all-failed")
        return replace(p, origin=replace(p.origin, runs=self.only(run.learner, run.data)))

    @verb
    def disagreement(self, learner: str | None = None, data: str | None = None, by: str | None = None) -> float:
        """Share of rows on which the models of two splits disagree, over all pairs: how unstable the learner is."""
        p = self.predictions(learner, data, by)
        if p.kind != "classes" or p.rows is None:
            raise Refused("disagreement is about predicted classes", "not-classes")
        return disagreement(p.rows, p.labels(), len(p.classes))

    def failures(self) -> list[Outcome]:
        """Every stored failure with its reason and traceback."""
        return list(self.store.failures())

    @verb
    def final(self, learner: str | None = None, data: str | None = None) -> Any:
        """The model refitted on all rows, which the estimates refer to (slightly pessimistically).

        A learner that tunes itself chooses its parameters again, on all rows: `best_params_`. The estimates that refer
        to the model stand in its `estimate_`, as plain data: scores with their intervals, and the notes.
        """
        learner, data = _only("learner", learner, self.learner_names), _only("data set", data, self.names)
        if self.refit is None or learner not in self.learners or data not in self.tables:
            says = "a store keeps predictions, not features or learners: call final() on the runs of evaluate()"
            raise BadInput(f"{says}, or of read_runs(store, Study.read(path))")
        return self.refit(self, learner, data)

    @verb
    def chosen(self, learner: str | None = None, data: str | None = None, by: str | None = None) -> Choices:
        """What a learner that tunes itself chose in each split, and in how many of them the same.

        `.final` is what it chose on all rows, where the study asked for that fit (`final = true`).
        """
        run = self.run(learner, data, by)
        final = self.store.study().get("final", {}).get(run.data, {}).get(run.learner)
        on_all_rows = [outcome.chosen for outcome in self.store.outcomes([final])] if final else []
        try:
            return Choices.read(run.learner, run.data, run.design.name, run.chosen, "".join(on_all_rows))
        except UnreadableChoice:
            raise self.store.damage_error(f"what {run.learner} chose on {run.data} cannot be read") from None

    def chooses(self, learner: str, data: str, by: str) -> bool:
        """Whether a learner tunes itself, seen at the first of its splits that succeeded."""
        if (data, learner, by) in self.memory.choosers:
            return self.memory.choosers[data, learner, by]
        for key in self.store.cells(data, learner, by):
            for outcome in self.store.outcomes([key]):
                if outcome.status == "done":
                    return bool(outcome.chosen)
        return False

    def scores(self, *names: Any, by: str | None = None) -> Any:
        """The scores of every split, one row each, with the seconds that training and predicting took.

        Without names they are those of the study. `.to_frame()`, `.to_csv()`, `.to_parquet(path)`, `.to_weka()`.
        """
        if self.scorer is None:
            raise BadInput("these runs cannot be scored: take those of evaluate() or read_runs()")
        return self.scorer(self, names, by)

    def to_parquet(self, path: str | Path) -> None:
        """Every test prediction of every run as one Parquet file."""
        self.export(path)

    def export(self, path: str | Path) -> None:
        """Every test prediction of every run as one file, by its ending: .parquet, .csv or .arff."""
        from veracity.evidence.export import write_predictions

        if not isinstance(path, str | Path):
            raise BadInput(f"path: the name of the file is needed, not {path!r}")
        write_predictions(self, Path(path))

    @property
    def size(self) -> str:
        """How many data sets, learners and designs there are."""
        parts = {"data set": self.names, "learner": self.learner_names, "design": self.designs}
        return ", ".join(plural(len(part), word) for word, part in parts.items())

    def __repr__(self) -> str:
        return f"Runs({self.size})"

    def _repr_html_(self) -> str:
        """In a notebook, what is done of each learner and what failed."""
        from veracity.tables.formats import html

        return html(runs_table(self))


def _only(what: str, name: str | None, names: Sequence[str]) -> str:
    if name is None and len(names) == 1:
        return names[0]
    if name is None:
        raise BadInput(f"name a {what}, {WORDS[what]}: there are {', '.join(names)}")
    if name not in names:
        raise BadInput(f"there is no {what} called {name!r}: there are {', '.join(names)}")
    return name


def _some(what: str, chosen: Names, names: Sequence[str], find: Callable[[str], str] | None = None) -> list[str]:
    """Those that were named, each once; all where none was."""
    if not isinstance(chosen, Iterable):
        raise BadInput(f"name a {what} by a text, or several in a list, not {chosen!r}")
    each = [chosen] if isinstance(chosen, str) else list(dict.fromkeys(chosen))
    return [_only(what, name, names) if find is None else find(name) for name in each] or list(names)


MAX_RUNS_SHOWN = 200
TITLES = ("data", "learner", "by", "fits", "done", "failed", "first failure")


def runs_table(runs: Runs) -> Table:
    """Return a row for each data set, learner and design; where there are many, those with failures come first."""
    reasons = {outcome.key: outcome.reason for outcome in runs.failures()}
    finished = set(runs.store.finished())
    rows: list[tuple[Any, ...]] = []
    for data, learner, by in runs.places():
        keys = runs.store.cells(data, learner, by)
        lost = [reasons[key] for key in keys if key in reasons]
        done = sum(key in finished for key in keys) - len(lost)
        reason = brief(lost[0], 120) if lost else ""
        rows.append((data, learner, runs.as_typed(by), len(keys), done, len(lost), reason))
    planned, done, failed = (sum(row[column] for row in rows) for column in (3, 4, 5))
    notes = runs.notes
    if len(rows) > MAX_RUNS_SHOWN:
        left = f"{MAX_RUNS_SHOWN:,} of {len(rows):,} runs stand here, those with failures first"
        notes += (Note("many-runs", "remark", left),)
        rows = sorted(rows, key=lambda row: row[5] == 0)[:MAX_RUNS_SHOWN]
    caption = f"{runs.size}: {done:,} of {planned:,} fits done, {failed:,} failed"
    return Table.from_rows(TITLES, rows, caption, notes)
