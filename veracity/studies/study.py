"""A study: data sets, learners and designs, run once and kept in a store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from veracity.core.arguments import DesignLike, Learners, Preparation, Table, verb
from veracity.core.entry import MethodLike
from veracity.core.errors import BadInput
from veracity.core.notes import Note, unique
from veracity.evidence.runs import BEYOND_STUDY, CODE_UNSEEN, Runs
from veracity.learners.from_text import ANY, PLAN, Reach, Unseen
from veracity.learners.inspection import target_kind
from veracity.records.design import Design, tell_apart
from veracity.records.plan import Plan, Progress, ProgressCallback
from veracity.stores.open_store import RESULTS, check_trusted, named_store, store_of
from veracity.studies.parse import (
    as_tuple,
    check_name,
    parse_design,
    parse_learners,
    parse_seed,
    parse_tables,
    parse_timeout,
    retries_failed,
)
from veracity.studies.progress import teller
from veracity.tables.result import SentenceResult

if TYPE_CHECKING:
    from veracity.running.make_plan import Setup
    from veracity.stores.open_store import StoreLike
    from veracity.stores.store import Store


class Study:
    """Data sets x learners x designs. Nothing is fitted before `run`.

    A target of whole numbers is taken for numbers if all learners are regressors, for classes if all are classifiers;
    `kind` says "classes" or "numbers" of every data set that does not say it itself. `notes` are words for readers,
    which the store keeps and `status` and the page show.

    Attributes
    ----------
    data
        A mapping of names to (X, y), to files, or to texts such as 'sklearn:load_iris'.
    learners
        A learner, or a mapping of names to learners or their texts.
    by
        A design or an estimator of risk, or several.
    seed
        Where random numbers began.
    scores
        The scores that its page shows.
    questions
        What its page answers, as [questions] of a study file.
    checks
        Further fits that show how far results can be trusted: 'baseline', 'deterministic'.
    final
        Whether each learner is also trained on all rows.
    timeout
        Seconds after which a fit is ended and counts as failed.
    prepare
        How categories and missing cells become numbers.
    kind
        'classes' or 'numbers' of every data set that does not say it itself.
    notes
        Words for readers.
    reach
        The one library that may be imported, any if it is None; and the folder that needs trust, none if it is None.
    sources
        Where each data set comes from.
    store
        Where a study file says that results are kept; None where it says nothing.
    trust_store
        Whether the database server that a study file names may be contacted.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> vc.Study({"iris": (X, y)}, {"nb": GaussianNB()}, by="kfold(k=5)").plan()
    5 fits
    """

    sources: Mapping[str, Mapping[str, str]] = MappingProxyType({"data": {}, "learners": {}})  # texts of a study file
    reach = ANY  # what the texts of designs may name
    store: str | None = None  # where a study file says that results are kept
    trust_store: bool = False  # whether the database server that the file names may be contacted

    def __init__(
        self,
        data: Table,
        learners: Learners,
        by: DesignLike = "kfold(k=10)",
        *,
        seed: int = 0,
        scores: MethodLike | Sequence[MethodLike] = (),
        questions: Mapping[str, Any] | None = None,
        checks: str | Sequence[str] = (),
        final: bool = False,
        timeout: float | None = None,
        prepare: Preparation = "default",
        kind: str = "auto",
        notes: str = "",
    ) -> None:
        if not isinstance(notes, str):
            raise BadInput(f"the notes of a study are a text, not {type(notes).__name__}")
        self.words = notes  # for its readers; `notes` are what its checks found
        self.learners = parse_learners(learners)
        self.data = parse_tables(data, prepare, kind=kind, meant=target_kind(self.learners.values()))
        self.by, self.scores, self.checks = as_tuple(by), as_tuple(scores), as_tuple(checks)
        self.seed, self.final, self.timeout = parse_seed(seed), bool(final), parse_timeout(timeout)
        self.questions = dict(questions or {})
        for name in self.checks:
            check_name(name)
        if not self.data or not self.learners or not self.by:
            raise BadInput("a study needs at least one data set, one learner and one design")
        self._planned: StudyPlan | None = None

    @classmethod
    def read(cls, path: str | Path, trust_here: bool = False, trust_store: bool = False) -> Study:
        """The study that a TOML file describes; all its mistakes are told in one go, each with its place.

        Classes that it names are imported where they are installed; from modules beside the file, which `trust_here`
        allows, too. A database server that it names for the store is contacted where `trust_store` allows it: whoever
        listens there gets the password of PGPASSWORD or ~/.pgpass.
        """
        study = cls._within(path, Reach(folder=Path(path).resolve().parent, trusted=trust_here))
        study.trust_store = trust_store
        return study

    @classmethod
    def _within(cls, path: str | Path, reach: Reach) -> Study:
        """The study of a file, with the code that is within reach; the store keeps the texts of the file."""
        from veracity.studies.study_file import read_file

        study = cls._from_tables(str(path), read_file(path), Path(path).resolve().parent, reach)
        study.store = named_store(path)
        return study

    @classmethod
    def draft(cls, tables: Mapping[str, Any], folder: Path) -> Study:
        """The study of a file that is not saved yet, by its tables; as a plan, it imports scikit-learn alone."""
        return cls._from_tables("", tables, folder, PLAN)

    @classmethod
    def _from_tables(cls, where: str, tables: Mapping[str, Any], folder: Path, reach: Reach) -> Study:
        from veracity.studies.study_file import parts_of_tables

        parts, sources = parts_of_tables(where, tables, folder, reach)
        study = cls(**parts)
        study.sources, study.reach = sources, reach
        return study

    @cached_property
    def _designs_asked_for(self) -> dict[str, list[Design]]:
        """For each data set, the splits of each design in the order asked, designs with other splits by other names."""
        from veracity.risk.designs import designs_for

        by = [parse_design(asked, self.reach) for asked in self.by]
        return {
            name: tell_apart(designs_for(by, table.for_designs, self.seed, table.features))
            for name, table in self.data.items()
        }

    @cached_property
    def designs(self) -> dict[str, list[Design]]:
        """The splits of every data set; a design that was asked for in two spellings is one."""
        return {
            name: list({design.name: design for design in asked}.values())
            for name, asked in self._designs_asked_for.items()
        }

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """What the checks of the study itself found."""
        from veracity.learners.preparation import preparation_notes
        from veracity.running.checks import check_study

        notes: tuple[Note, ...] = ()
        for name, table in self.data.items():
            notes += table.notes + preparation_notes(table)
            notes += check_study(table, *self.designs[name], learners=self.learners)
        return unique(notes)

    @cached_property
    def foreseen(self) -> tuple[Note, ...]:
        """What scores and questions cannot have of these learners, data sets and designs, known before any fit."""
        from veracity.studies.foresee import foresee_questions, foresee_scores

        found = foresee_scores(self.data, self.learners, self.scores)
        return unique((*found, *foresee_questions(self.data, self.learners, self.designs, self.questions)))

    def plan(self) -> StudyPlan:
        """The fits that all questions together need, each once."""
        return self._planned or self._plan_anew()

    def _plan_anew(self) -> StudyPlan:
        """With the learners as they are now: one that was changed since the last plan is another learner."""
        from veracity.running.checks import baselines
        from veracity.running.make_plan import Setup, make_plan

        others = baselines(self.data.values()) if "baseline" in self.checks else {}
        now = Setup(self.data, self.designs, self.learners, self.seed, others)
        if self._planned is None or self._planned.setup.fingerprints != now.fingerprints:
            self._planned = StudyPlan(make_plan(now, self.final, self.checks), now, self.sources)
        return self._planned

    def run(
        self,
        store: StoreLike | None = None,
        workers: int = 1,
        engine: str = "local",
        address: str | None = None,
        retry: str | Sequence[str] = (),
        timeout: float | None = None,
        progress: bool | ProgressCallback | None = None,
        refit_outdated: bool = False,
    ) -> Runs:
        """Fit what the store lacks and keep it there; stop and call again at any moment.

        With `refit_outdated`, fits that other versions of the learner's libraries made than those of this process, or
        that nobody knows the versions of, are made anew; each old one is kept until its new one is there.
        A store that is not named is the one that the study file names, else the file results.db in the current folder,
        which is said on standard error unless `progress=False` asks for silence.
        """
        from veracity.running.ending import ends_in_order
        from veracity.running.engines import make_engine
        from veracity.running.runner import Runner

        again = retries_failed(retry)
        store = check_trusted(self.store, "the study file", self.trust_store) if store is None else store
        timeout = self.timeout if timeout is None else parse_timeout(timeout)
        first = [str(note) for note in self.foreseen]
        with ends_in_order(), closing(make_engine(engine, workers, address)) as place:
            opened = store_of(RESULTS if store is None else store)
            planned = self._plan_anew()
            held = opened.save_study(self.description())
            if store is None:
                first.append(f"results are kept in {Path(RESULTS).resolve()}, as no store was named")
            with teller(progress, *first) as tell:
                runner = Runner(planned.plan, self.data, planned.setup.makers, opened, place, timeout, tell)
                runner.run(again, self._register_splits(opened, planned.plan), refit_outdated)
        notes = self._all_notes(opened)
        if self.checks:
            held = opened.save_study(self.description(notes))
        return self.runs(opened, held, notes)

    def _all_notes(self, store: Store) -> tuple[Note, ...]:
        """All notes about the study, with those of checks that needed fits of their own."""
        if not self.checks:
            return self.notes
        from veracity.running.checks import check_notes

        return unique(self.notes + check_notes(self.checks, store, self.plan().setup))

    def register(self, store: Store) -> dict[str, Any]:
        """Tell the store what will be kept there, and give what it says of the study; that of another study refuses."""
        held = store.save_study(self.description())
        list(self._register_splits(store, self.plan().plan))
        return held

    def _register_splits(self, store: Store, plan: Plan) -> Iterator[None]:
        """Tell the store of the data sets, their splits, and which fit answers each, all at once when it is asked."""
        tables = {name: (table, self.designs[name]) for name, table in self.data.items()}
        store.register(tables, plan.cells)
        yield

    def description(self, notes: tuple[Note, ...] | None = None) -> dict[str, Any]:
        """What a store is told of the study."""
        from veracity.learners.fingerprint import describe

        planned = self.plan()
        marks = planned.setup.fingerprints
        source = {what: {name: {"source": text} for name, text in of.items()} for what, of in self.sources.items()}
        return {
            "seed": self.seed,
            "by": self.spellings,
            "scores": [str(score) for score in self.scores],
            "data": {
                name: {"fingerprint": table.fingerprint, "rows": len(table), **source["data"].get(name, {})}
                for name, table in self.data.items()
            },
            "learners": {
                name: {
                    "fingerprint": marks[name],
                    "text": describe(maker),
                    **({"settings": maker.setting_count} if hasattr(maker, "setting_count") else {}),
                    **source["learners"].get(name, {}),
                }
                for name, maker in self.learners.items()
            },
            "questions": self.questions,
            "notes": [note.to_json() for note in (self.notes if notes is None else notes)],
            "final": planned.plan.final,
            **({"words": self.words} if self.words else {}),
        }

    @property
    def spellings(self) -> dict[str, str]:
        """The designs as they were typed, by their canonical names."""
        return {
            design.name: asked if isinstance(asked, str) else design.name
            for designs in self._designs_asked_for.values()
            for design, asked in zip(designs, self.by, strict=True)
        }

    def runs(self, store: Store, held: Mapping[str, Any] | None = None, notes: tuple[Note, ...] | None = None) -> Runs:
        """The runs of this study in a store that holds them; what else it holds is told and not shown."""
        from veracity.risk.estimates import scores_of_runs
        from veracity.studies.final_model import final_model

        held = store.study() if held is None else held
        notes = self._all_notes(store) if notes is None else notes
        named = {"data": self.data, "learners": self.learners, "by": self.spellings}
        notes += not_in_study(store.where, held, named)
        places = {(data, learner, by) for data in self.data for learner in self.learners for by in self.spellings}
        notes += store.mixed_notes(places)
        parts = (list(self.data), list(self.spellings), list(self.learners), self.learners, self.data, self.seed)
        return Runs(store, *parts, self.spellings, notes, self.scores, final_model, scores_of_runs)

    def __repr__(self) -> str:
        parts = {"data sets": self.data, "learners": self.learners, "designs": self.by}
        return f"Study({', '.join(f'{len(part)} {what}' for what, part in parts.items())}, seed {self.seed})"


@dataclass(frozen=True, repr=False)
class StudyPlan(SentenceResult):
    """What a study would fit; `against` a store, what is still to do."""

    plan: Plan
    setup: Setup
    sources: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # texts of the study file

    def against(self, store: StoreLike) -> Progress:
        """How much of the plan is in a store; one that is not there yet holds nothing."""
        if isinstance(store, (str, Path)) and "://" not in str(store) and not Path(store).exists():
            return self.plan.progress({})
        opened = store_of(store, create=False)
        stored = opened.finished()
        for key in opened.lacking(self.plan.fits):
            del stored[key]
        return self.plan.progress({**stored, **self._by_text(opened, stored)})

    def _by_text(self, store: Store, stored: Mapping[str, str]) -> dict[str, str]:
        """How the fits of learners that were not looked at ended, found by the text and the data they were made of."""
        held = store.study() if self.unseen else {}
        if held.get("seed") != self.setup.seed:
            return {}
        marks = {name: table.fingerprint for name, table in self.setup.data.items()}
        texts = {name: self.sources["learners"][name] for name in self.unseen}
        same = [
            (data, learner, by)
            for data, learner, by in store.places()
            if held["data"][data]["fingerprint"] == marks.get(data)
            and held["learners"][learner].get("source") == texts.get(learner, "")
        ]
        keys = {place: list(store.cells(*place)) for place in same}
        return {
            cell.key: stored[keys[place][cell.split]]
            for cell in self.plan.cells
            if (place := (cell.data, cell.learner, cell.design)) in keys
            and cell.split < len(keys[place])
            and keys[place][cell.split] in stored
        }

    @property
    def unseen(self) -> list[str]:
        """Learners that are known by their text alone, or that stand behind a preparation that is."""
        blind = any(isinstance(table.prepare, Unseen) for table in self.setup.data.values())
        return [name for name, learner in self.setup.learners.items() if blind or isinstance(learner, Unseen)]

    @property
    def notes(self) -> tuple[Note, ...]:
        if not self.unseen:
            return ()
        says = f"a plan imports scikit-learn alone, so the code of {', '.join(self.unseen)} was not looked at"
        return (Note(CODE_UNSEEN, "remark", f"{says}: it is counted and found in a store by its text"),)

    def __len__(self) -> int:
        return self.plan.planned

    def sentence(self) -> str:
        return repr(self.plan)

    def __repr__(self) -> str:
        return "\n".join([self.sentence(), *map(str, self.notes)])

    __str__ = __repr__


HELD = {"data": "data set", "learners": "learner", "by": "design"}


def not_in_study(where: str, held: Mapping[str, Any], named: Mapping[str, Iterable[str]]) -> tuple[Note, ...]:
    """One remark about what the store holds and the study does not name."""
    more = {noun: [name for name in held.get(what, ()) if name not in named[what]] for what, noun in HELD.items()}
    others = [f"the {noun}{'s'[: len(names) > 1]} {' and '.join(names)}" for noun, names in more.items() if names]
    if not others:
        return ()
    says = f"{where} also holds {', '.join(others)}, which this study does not name: ask the store itself for all"
    return (Note(BEYOND_STUDY, "remark", says),)


@verb
def plan(study: Study | str | Path) -> StudyPlan:
    """The fits of a study, or of a study file, each once; `.against("results.db")` says what is still to do.

    Of a file, learners of scikit-learn are made; others are known by their text alone, and their code is not imported.

    Parameters
    ----------
    study
        A study or the path of a study file.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> study = vc.Study({"iris": (X, y)}, {"nb": GaussianNB()}, by="kfold(k=5)")
    >>> vc.plan(study)
    5 fits
    """
    return (study if isinstance(study, Study) else Study._within(study, PLAN)).plan()
