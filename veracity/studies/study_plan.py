"""What a study would fit, how much of it a store holds, and what that holds beyond it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veracity.core.notes import Note
from veracity.evidence.runs import BEYOND_STUDY, CODE_UNSEEN
from veracity.learners.from_text import Unseen
from veracity.records.plan import Plan, Progress
from veracity.stores.open_store import store_of
from veracity.tables.result import SentenceResult

if TYPE_CHECKING:
    from veracity.running.make_plan import Setup
    from veracity.stores.open_store import StoreLike
    from veracity.stores.store import Store


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
