"""What is wrong with a store: with its plan first, then with its fits, who runs them, and what was asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import Connection, Table, delete, func, select

from veracity.records.arrays import Array
from veracity.records.choices import UnreadableChoice, split_choice
from veracity.records.data import Data
from veracity.records.fit import Outcome
from veracity.stores.claims import living_owners, release
from veracity.stores.looks import LOOKED, counted_looks, read_looks
from veracity.stores.outcomes import fetch, finished, remove, some_of
from veracity.stores.packing import DamagedBytes
from veracity.stores.plan_problems import (
    ANEW,
    REPAIR,
    KnownPlan,
    Problem,
    names_of,
    plan_problems,
    predicted_rows,
    table_problems,
    text_or_nonsense,
)
from veracity.stores.recorded_places import ASKED
from veracity.stores.schema import about, claims, failures, ledger, looks, shared, successes
from veracity.stores.study_description import write_text


class Meant(NamedTuple):
    """What a fit must have predicted."""

    table: Data | None
    rows: Array
    place: str


def find_problems(connection: Connection) -> tuple[Problem, ...]:
    """Every problem, in the order in which they are to be solved."""
    lost = tuple(table_problems(connection))
    if any(problem.code == "table" for problem in lost):
        return lost
    known = KnownPlan()
    return (*lost, *plan_problems(connection, known), *_fit_problems(connection, known))


def repair_problems(connection: Connection, problems: Iterable[Problem]) -> None:
    """Do for each problem that is still there what can be done without the study; a run may be writing meanwhile."""
    found = list(problems)
    for problem in find_problems(connection):
        if problem.repair is not None and problem in found:
            problem.repair(connection)


def _fit_problems(connection: Connection, known: KnownPlan) -> Iterator[Problem]:
    """Everything about fits, claims and questions, against what is known of the plan."""
    meant = _expectations(known)
    ended = finished(connection)
    yield from _outcome_problems(connection, ended, meant)
    yield from _orphan_problems(connection, ended, known)
    yield from _claim_problems(connection, ended)
    yield from _ledger_problems(connection)
    yield from _look_problems(connection)


def _expectations(known: KnownPlan) -> dict[str, Meant]:
    meant = {}
    for (of, learner, by), keys in known.keys.items():
        splits = known.designs[of, by].splits if (of, by) in known.designs else ()
        rows = [predicted_rows(split) for split in splits]
        for number, (key, own) in enumerate(zip(keys, rows, strict=False)):
            meant[key] = Meant(known.tables.get(of), own, f"split {number} of {learner} on {of} by {by}")
    return meant


def _outcome_problems(connection: Connection, ended: Iterable[str], meant: dict[str, Meant]) -> Iterator[Problem]:
    damaged: list[str] = []
    wrong: dict[str, str] = {}
    for keys in some_of(ended):
        rows = fetch(connection, keys)
        for key in keys:
            try:
                outcome = rows.outcome(key)
            except DamagedBytes:
                damaged.append(key)
                continue
            if outcome is not None and key in meant and not _is_answer(outcome, meant[key]):
                wrong[key] = meant[key].place
    if damaged:
        says = f"what is stored of {names_of(meant[key].place if key in meant else key for key in damaged)} is damaged"
        yield Problem("fit-damaged", f"{says}: {ANEW}", _forgets(damaged))
    if wrong:
        says = f"what is stored of {names_of(wrong.values())} are no predictions of its rows, or no choice"
        yield Problem("fit-wrong", f"{says}: {ANEW}", _forgets(wrong))
    twice = sorted(_keys(connection, successes) & _keys(connection, failures))
    if twice:
        says = f"the fits {names_of(twice)} are stored as done and as failed"
        yield Problem("fit-twice", f"{says}: {REPAIR} keeps the success", _forgets(twice, failures))


def _keys(connection: Connection, table: Table) -> set[str]:
    return set(connection.execute(select(table.c.key)).scalars())


def _forgets(keys: Iterable[str], *tables: Table) -> Callable[[Connection], object]:
    every = list(keys)

    def repair(connection: Connection) -> None:
        for table in tables or (successes, failures):
            remove(connection, table, every)

    return repair


def _is_answer(outcome: Outcome, meant: Meant) -> bool:
    """Whether an outcome can be what a fit said of its rows."""
    if outcome.status == "failed":
        return bool(outcome.reason)
    rows, table = outcome.rows, meant.table
    if outcome.chosen and not _is_choice(outcome.chosen):
        return False
    if rows is None or rows.dtype.kind not in "iu" or not np.isin(meant.rows, rows).all():
        return False
    if table is None:
        return True
    classes = len(table.classes)
    label, proba = outcome.label, outcome.proba
    named = label is None or (
        label.dtype.kind in "iu" and (not label.size or 0 <= label.min() <= label.max() < classes)
    )
    return named and (proba is None or proba.shape == (len(rows), classes))


def _is_choice(text: str) -> bool:
    try:
        return bool(split_choice(0, text))
    except UnreadableChoice:
        return False


def _orphan_problems(connection: Connection, ended: Iterable[str], known: KnownPlan) -> Iterator[Problem]:
    """Fits that nothing asks for; where a part of the plan is lost they may be its fits, and are left alone."""
    if not known.whole:
        return
    wanted = {key for keys in known.keys.values() for key in keys} | _keys(connection, shared) | known.final
    orphans = sorted(set(ended) - wanted)
    if orphans:
        says = f"no split asks for the fits {names_of(orphans)}, which are counted as done or failed"
        yield Problem("fit-orphan", f"{says}: {REPAIR} takes them away", _forgets(orphans))
    alive = living_owners(connection)  # who has just begun tells soon what asks for its fits
    held = connection.execute(select(claims.c.key, claims.c.owner))
    claimed = sorted(key for key, owner in held if key not in wanted and alive.get(owner, False) is False)
    if claimed:
        says = f"somebody claims the fits {names_of(claimed)}, which nothing asks for"
        yield Problem("claim-orphan", f"{says}: {REPAIR} takes the claims away", _forgets(claimed, claims))


def _claim_problems(connection: Connection, ended: Iterable[str]) -> Iterator[Problem]:
    alive = living_owners(connection)
    held: dict[str, int] = {}
    for owner, number in connection.execute(select(claims.c.owner, func.count()).group_by(claims.c.owner)):
        if not alive.get(owner, False):
            held[owner] = number
    if held:
        says = f"{sum(held.values())} fits are claimed by processes that have ended ({names_of(held)})"
        yield Problem("claim-dead", f"{says}: the next run takes them over; {REPAIR} lets go of them", _releases(held))
    late = sorted(_keys(connection, claims) & set(ended))
    if late:
        says = f"the fits {names_of(late)} are finished and claimed"
        yield Problem("claim-finished", f"{says}: {REPAIR} takes the claims away", _forgets(late, claims))


def _releases(owners: Iterable[str]) -> Callable[[Connection], object]:
    every = list(owners)

    def repair(connection: Connection) -> None:
        for owner in every:
            release(connection, owner)

    return repair


def _ledger_problems(connection: Connection) -> Iterator[Problem]:
    number: Any = connection.execute(select(func.count()).select_from(ledger)).scalar_one()
    asked = text_or_nonsense(connection, ASKED)
    if asked is None or asked == str(number):
        return
    says = (
        f"{asked} questions were asked of test rows and {number} are listed, so that cautions about them may be wrong"
    )
    yield Problem("ledger", f"{says}: restore a copy; {REPAIR} counts from now on", lambda link: _recount(link, number))


def _look_problems(connection: Connection) -> Iterator[Problem]:
    looked = text_or_nonsense(connection, LOOKED)
    number = counted_looks(connection) if looked is not None else 0
    if looked is not None and looked != str(number):
        says = (
            f"{looked} looks at results were counted and {number} are listed, so that claims are adjusted for too few"
        )
        forget = partial(write_text, name=LOOKED, value=str(number))
        yield Problem("ledger", f"{says}: restore a copy; {REPAIR} counts from now on", forget)
    try:
        read_looks(connection)
    except DamagedBytes:
        says = "a look in the ledger cannot be read, so that claims cannot be adjusted for it"
        yield Problem("ledger", f"{says}: restore a copy; {REPAIR} forgets all looks", _forget_looks)


def _forget_looks(connection: Connection) -> None:
    connection.execute(delete(looks))
    write_text(connection, LOOKED, "0")


def _recount(connection: Connection, number: int) -> None:
    connection.execute(delete(about).where(about.c.name == ASKED))
    write_text(connection, ASKED, str(number))
