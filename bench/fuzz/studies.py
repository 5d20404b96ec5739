"""Study files in every dress of TOML, whole and damaged: how many fits they plan, and what a few of them find."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import veracity as vc
from bench.fuzz.case import Case, compare_number
from bench.fuzz.damage import damaged_text
from bench.fuzz.scratch import folder, write

RUINED = 0.35  # share of the files that are damaged
RUN = 0.08  # share of the sound ones that are run
ROWS = 40  # of every data set
DATA = {
    "moons": '"sklearn:make_moons(n_samples=40, noise=0.3, random_state=1)"',
    "blobs": '"sklearn:make_blobs(n_samples=40, centers=3, cluster_std=4.0, random_state=2)"',
    "a file": '{ file = "data.csv", target = "y" }',
    "é": '{ file = "data.csv", target = "y", positive = "v", leave_out = ["g"] }',
}
LEARNERS: dict[str, tuple[str, Callable[[], Any]]] = {
    "nb": ('"sklearn.naive_bayes:GaussianNB"', GaussianNB),
    "near": (
        '{ use = "sklearn.neighbors:KNeighborsClassifier", n_neighbors = 3 }',
        lambda: KNeighborsClassifier(n_neighbors=3),
    ),
    "a tree": (
        '"sklearn.tree:DecisionTreeClassifier(max_depth=2, random_state=0)"',
        lambda: DecisionTreeClassifier(max_depth=2, random_state=0),
    ),
    "lda": ('"sklearn.discriminant_analysis:LinearDiscriminantAnalysis"', LinearDiscriminantAnalysis),
}
DESIGNS = {  # by name, the fits that each takes for a learner
    "kfold(k=3)": 3,
    "kfold(k=5, stratified=False)": 5,
    "repeated_kfold(k=4, repeats=2)": 8,
    "holdout": 1,
    "holdout(test=0.25)": 1,
    "repeated_holdout(repeats=4, test=0.2)": 4,
    "leave_one_out": ROWS,
    "five_by_two": 10,
    "bootstrap(draws=6)": 6,
    "resubstitution": 1,
}
EXTRAS = (
    'scores = ["error"]',
    "scores = ['error', 'fbeta(average=macro)']",
    "timeout = 60",
    'prepare = "default"',
    "final = false",
    "checks = []",
)
STRANGE = (
    '""',
    "0",
    "-1",
    "[]",
    "{}",
    "nan",
    "1e999",
    "\"os:system('true')\"",
    "2024-01-01",
    "true",
    '"kfold(k=1)"',
    "9" * 30,
)


@dataclass(frozen=True)
class StudyText:
    """A file, and what it asks for."""

    text: str
    by: str
    data: list[str]
    learners: list[str]

    @property
    def fits(self) -> int:
        return DESIGNS[self.by] * len(self.data) * len(self.learners)


def case(random: Random) -> Case:
    """A study file, planned or run."""
    study = _study(random)
    text, sound = study.text, True
    if random.random() < RUINED:
        sound = False
        text = damaged_text(random, text) if random.random() < 0.5 else _with_strange_value(random, text)
    run = random.random() < RUN and sound and study.fits <= 20

    def ask() -> Any:
        write("data.csv", _data_file())
        path = write("study.toml", text.encode())
        store = folder() / "study.db"
        store.unlink(missing_ok=True)
        return vc.Study.read(path).run(store, progress=False) if run else vc.plan(path)

    def check(found: Any) -> str:
        if run:
            return _problem_of_runs(study, found)
        return "" if len(found) == study.fits else f"{len(found)} fits are planned, not {study.fits}"

    what = "run" if run else "plan"
    return Case(f"{what} {text}", ask, check, True) if sound else Case(f"{what} {text}", ask)


def _study(random: Random) -> StudyText:
    """The parts in any order that TOML allows: plain keys first, then tables, inline ones where they are short."""
    by = random.choice(list(DESIGNS))
    data = random.sample(list(DATA), random.choice((1, 1, 2)))
    learners = random.sample(list(LEARNERS), random.choice((1, 2, 3)))
    top = [f"seed = {random.choice((0, 7, 2**31))}", f"by = {random.choice((json.dumps(by), repr(by), [by]))}"]
    top += random.sample(EXTRAS[2:], random.randrange(3)) + random.sample(EXTRAS[:2], random.randrange(2))
    random.shuffle(top)
    if len(learners) > 1 and random.random() < 0.3:
        tail = [
            "[questions]",
            f'compare = {{ score = "error", pairs = [{json.dumps(learners[:2], ensure_ascii=False)}] }}',
        ]
    else:
        tail = []
    parts = [
        ["[data]", *(f"{json.dumps(name, ensure_ascii=False)} = {DATA[name]}" for name in data)],
        ["[learners]", *(f"{json.dumps(name)} = {LEARNERS[name][0]}" for name in learners)],
        tail,
    ]
    random.shuffle(parts)
    lines = [*top, *(line for part in parts for line in part)]
    dressed = [line + random.choice(("", "", "", "  # why", "\n", " ")) for line in lines]
    end = random.choice(("\n", "\n", "\r\n"))
    return StudyText(end.join("\n".join(dressed).split("\n")) + end, by, data, learners)


def _with_strange_value(random: Random, text: str) -> str:
    """One value replaced by another."""
    lines = text.splitlines()
    place = random.choice([number for number, line in enumerate(lines) if "=" in line])
    lines[place] = f"{lines[place].partition('=')[0]}= {random.choice(STRANGE)}"
    return "\n".join(lines)


def _data_file() -> bytes:
    random = Random(5)
    rows = [(random.choice("uv"), random.gauss(0, 1), random.gauss(0, 1), k % 4) for k in range(ROWS)]
    lines = [f"{y},{a + 2 * (y == 'u')!r},{b!r},{g}" for y, a, b, g in rows]
    return ("\n".join(["y,a,b,g", *lines]) + "\n").encode()


def _problem_of_runs(study: StudyText, runs: Any) -> str:
    """Every error against that of learners fitted here, on the splits that were kept."""
    for data in study.data:
        table = runs.tables[data]
        features = np.column_stack([np.asarray(table.column(place), float) for place in range(len(table.columns))])
        for learner in study.learners:
            run, shares = runs.run(learner, data), list[float]()
            for number, place in run.places.items():
                split, p = run.design.splits[number], run.predictions
                model = LEARNERS[learner][1]().fit(features[split.train], table.target[split.train])
                shares.append(float(np.mean(model.predict(features[split.test]) != table.target[split.test])))
                found = float(np.mean(p.labels()[place] != p.truth[place]))
                if problem := compare_number(f"error of {learner} on {data}, split {number}", found, shares[-1]):
                    return problem
            if len(shares) != DESIGNS[study.by]:
                return f"{len(shares)} splits of {learner} on {data}, not {DESIGNS[study.by]}"
    return ""
