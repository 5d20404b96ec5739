"""Look at everything that a store holds, and take away what is damaged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from veracity.core.arguments import verb
from veracity.core.words import plural
from veracity.stores.open_store import store_of
from veracity.tables.result import TableResult
from veracity.tables.table import Column, Table

if TYPE_CHECKING:
    from veracity.stores.open_store import StoreLike
    from veracity.stores.problems import Problem


@dataclass(frozen=True, eq=False, repr=False)
class StoreCheck(TableResult):
    """The problems of a store, each with what to do; none if all is as it was written."""

    where: str
    problems: tuple[Problem, ...] = ()
    repaired: tuple[Problem, ...] = ()  # what was found before and is not there any more

    @property
    def sound(self) -> bool:
        """Whether there is nothing to list."""
        return not self.problems and not self.repaired

    def __repr__(self) -> str:
        return self.sentence if self.sound else super().__repr__()

    def table(self) -> Table:
        rows = [(problem.code, problem.says) for problem in self.problems]
        rows += [(problem.code, f"repaired: {problem.says}") for problem in self.repaired]
        return Table(
            (Column("problem", "left"), Column("what it is, and what to do", "left")), tuple(rows), self.sentence
        )

    @property
    def sentence(self) -> str:
        """The whole in words."""
        repaired = f", {len(self.repaired)} repaired" if self.repaired else ""
        number = plural(len(self.problems), "problem") if self.problems else "no problem"
        if self.sound:
            return f"{self.where}: no problem: everything is as it was written"
        return f"{self.where}: {number}{repaired}"

    def to_json(self) -> dict[str, Any]:
        shape: dict[str, Any] = {"problems": [problem.to_json() for problem in self.problems]}
        return shape | ({"repaired": [problem.to_json() for problem in self.repaired]} if self.repaired else {})


@verb
def check_store(where: StoreLike, repair: bool = False) -> StoreCheck:
    """Look at all that a store holds: the database, the checksum of every row, and the rows that every fit predicted.

    Each problem says what to do. With `repair`, what is damaged is taken away; running the study then brings back what
    was lost, and fits only that. Nothing that is sound is touched.

    Parameters
    ----------
    where
        The file or address of a store.
    repair
        Take away what is damaged, so that the next run of the study makes it anew.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> runs = vc.evaluate(GaussianNB(), X, y, by="kfold(k=5)", store="iris.db")
    >>> vc.check_store("iris.db").problems
    ()
    """
    from veracity.stores.errors import DamagedStore
    from veracity.stores.problems import Problem

    try:
        store = store_of(where, create=False)
        found = store.problems()
    except DamagedStore as why:
        return StoreCheck(str(getattr(where, "where", where)), (Problem("damaged", why.says),))
    if not repair or not found:
        return StoreCheck(store.where, found)
    store.repair(found)
    left = store.problems()
    return StoreCheck(store.where, left, tuple(problem for problem in found if problem not in left))
