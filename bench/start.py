"""How long one waits before anything happens."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from sklearn.datasets import load_wine

from bench.row import Measure, Row, measure, measure_in_turn, processor_seconds, within


def _run(code: list[str], **extra: str) -> None:
    subprocess.run([sys.executable, *code], check=True, stdout=subprocess.DEVNULL, env={**os.environ, **extra})


def import_time() -> Row:
    _run(["-c", "import veracity, numpy"])
    ours = measure(lambda: _run(["-c", "import veracity"]), 9)
    return within("import veracity; import numpy", ours, measure(lambda: _run(["-c", "import numpy"]), 9), 1)


def help_time() -> Row:
    ours = measure(lambda: _run(["-m", "veracity", "--help"]), 9)
    return within("veracity --help; import numpy", ours, measure(lambda: _run(["-c", "import numpy"]), 9), 3)


def first_score() -> Row:
    """The first score of 1,000 rows compiles what it must; every later one finds it on disk."""
    random = np.random.default_rng(0)
    truth = random.integers(0, 2, 1000)
    chance = np.clip(0.4 * truth + 0.6 * random.random(1000), 0, 1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "preds.csv"
        path.write_text("y,p\n" + "\n".join(f"{y},{p:.6f}" for y, p in zip(truth, chance, strict=True)))
        command = ["-m", "veracity", "score", str(path), "--truth", "y", "--proba", "p", "--positive", "1"]
        first, later = [], []
        for attempt in range(3):
            cache = {"NUMBA_CACHE_DIR": str(Path(folder) / f"cache{attempt}")}
            first.append(measure(lambda c=cache: _run(command, **c), 1).best)
            later.append(measure(lambda c=cache: _run(command, **c), 3).best)
    name = "first veracity score of 1,000 rows with an empty numba cache; the second"
    return within(name, Measure(tuple(first)), Measure(tuple(later)), 3)


FIRST = """
import time, numpy as np, veracity as vc
random = np.random.default_rng(0)
truth = random.integers(0, 2, 1_000_000)
chance = np.clip(0.4 * truth + 0.6 * random.random(len(truth)), 0, 1)
seconds = []
for _ in range(3):
    start = time.process_time()
    vc.scorecard(vc.predictions(truth, proba=chance, positive=1))
    seconds.append(time.process_time() - start)
print(seconds[0], min(seconds))
"""


def _first_scorecard(cache: str) -> tuple[float, float]:
    """Processor seconds of the first scorecard of a process, and of later ones."""
    more = {**os.environ, "NUMBA_CACHE_DIR": cache}
    found = subprocess.run([sys.executable, "-c", FIRST], check=True, capture_output=True, text=True, env=more).stdout
    first, later = map(float, found.split())
    return first, later


def first_large_scorecard() -> list[Row]:
    """Of 10^6 rows: with nothing compiled, and after `veracity warm`, which is run once after an installation."""
    empty, warm = [], []
    with tempfile.TemporaryDirectory() as folder:
        for attempt in range(3):
            first, later = _first_scorecard(f"{folder}/{attempt}")
            empty.append(first - later)
        _run(["-m", "veracity", "warm"], NUMBA_CACHE_DIR=f"{folder}/warm")
        warm = [_first_scorecard(f"{folder}/warm")[0] for _ in range(3)]
    name = "first scorecard of 10^6 rows, processor time: compiling, with an empty cache"
    return [
        Row(name, str(Measure(tuple(empty))), "none", min(empty), 5, at_most=True, unit=" s"),
        Row(
            "that scorecard as a whole after `veracity warm`",
            str(Measure(tuple(warm))),
            "none",
            min(warm),
            1,
            at_most=True,
            unit=" s",
        ),
    ]


def whole_commands() -> list[Row]:
    """Processor time of commands of small files from start to end, the best of several."""
    random = np.random.default_rng(0)
    truth = random.integers(0, 2, 300)
    chance = np.clip(0.4 * truth + 0.6 * random.random(300), 0, 1)
    with tempfile.TemporaryDirectory() as folder:
        table, rows = Path(folder) / "table.csv", Path(folder) / "rows.csv"
        lines = (f"d{k}," + ",".join(f"{x:.3f}" for x in random.random(4)) for k in range(12))
        table.write_text("data,a,b,c,d\n" + "\n".join(lines))
        rows.write_text("y,p\n" + "\n".join(f"{y},{p:.6f}" for y, p in zip(truth, chance, strict=True)))
        score = ["score", str(rows), "--truth", "y", "--proba", "p", "--positive", "1"]
        found = []
        for aim, words in ((0.7, ["rank", str(table)]), (0.5, score), (0.3, ["explain", "auc"])):
            seconds = [processor_seconds(["-m", "veracity", *words]) for _ in range(5)]
            name = f"veracity {words[0]} of a small file, whole command, processor time"
            found.append(Row(name, str(Measure(tuple(seconds))), "none", min(seconds), aim, at_most=True, unit=" s"))
    return found


STUDY = """
by = "kfold(k=10)"
[data]
wine = "sklearn:load_wine"
[learners]
nb = "sklearn.naive_bayes:GaussianNB"
"""


def commands_that_fit() -> list[Row]:
    """Ten fits of a new study and of a file, from start to end by the clock; beside importing scikit-learn, which both
    the command and its worker do.
    """
    features, target = load_wine(return_X_y=True)
    with tempfile.TemporaryDirectory() as folder:
        study, table, store = (Path(folder) / name for name in ("study.toml", "wine.csv", "results.db"))
        study.write_text(STUDY)
        lines = (",".join(map(str, [*row, y])) for row, y in zip(features, target, strict=True))
        table.write_text(",".join([*(f"a{k}" for k in range(features.shape[1])), "y"]) + "\n" + "\n".join(lines))

        def run() -> None:
            store.unlink(missing_ok=True)
            _run(["-m", "veracity", "run", str(study), "--store", str(store)])

        learner = ["--target", "y", "--learner", "sklearn.naive_bayes:GaussianNB"]
        jobs = {
            "run of a new study": run,
            "estimate of a file": lambda: _run(["-m", "veracity", "estimate", str(table), "error", *learner]),
            "import": lambda: _run(["-c", "import sklearn.naive_bayes"]),
        }
        taken = measure_in_turn(jobs, 5)
    peer = taken.pop("import")
    return [within(f"veracity {name}, 10 fits; importing scikit-learn", ours, peer, 2) for name, ours in taken.items()]


ROWS = (import_time, help_time, first_score, first_large_scorecard, whole_commands, commands_that_fit)
