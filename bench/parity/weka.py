"""Weka: what its Evaluation prints of a model's predictions, computed again from these predictions."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from sklearn.datasets import load_iris, load_wine

import veracity as vc
from bench.parity.row import Row, compare

JAR = Path("/usr/share/java/weka.jar")
if shutil.which("java") is None or not JAR.exists():
    raise ImportError("there is no Weka: apt-get install weka")
NAME = "Weka"
LEARNERS = ("weka.classifiers.bayes.NaiveBayes", "weka.classifiers.trees.J48")
PRINTED = {"accuracy": r"Correctly Classified Instances\s+\d+\s+([\d.]+)", "kappa": r"Kappa statistic\s+([-\d.]+)"}


def java(*words: str) -> str:
    path = ":".join(map(str, JAR.parent.glob("*.jar")))
    done = subprocess.run(["java", "-cp", path, *words], capture_output=True, text=True, check=True)
    return done.stdout


def version() -> str:
    return java("weka.core.Version").split()[0]


VERSION = version()


def arff(folder: Path, name: str, data) -> Path:
    lines = [f"@relation {name}", *(f"@attribute f{i} numeric" for i in range(data.data.shape[1]))]
    lines += ["@attribute y {a,b,c}", "@data"]
    lines += [",".join([*map(repr, map(float, row)), "abc"[k]]) for row, k in zip(data.data, data.target, strict=True)]
    (path := folder / f"{name}.arff").write_text("\n".join(lines) + "\n")
    return path


def runs() -> list[tuple[str, vc.Predictions]]:
    """What Weka prints of each learner on each data set by five folds, and the predictions that it is about."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for name, data in (("iris", load_iris()), ("wine", load_wine())):
            file = arff(Path(folder), name, data)
            for learner in LEARNERS:
                asked = ["-t", str(file), "-x", "5", "-s", "1"]
                listed = java(learner, *asked, "-p", "0", "-distribution")
                found.append((java(learner, *asked, "-o", "-i"), predictions(listed)))
    return found


def predictions(listed: str) -> vc.Predictions:
    """Weka prints three digits of each probability."""
    rows = re.findall(r"^\s*\d+\s+\d:([abc])\s+\d:([abc])\s+\+?\s+([*\d.,]+)", listed, re.MULTILINE)
    proba = np.array([[float(one.lstrip("*")) for one in row[2].split(",")] for row in rows])
    proba /= proba.sum(1, keepdims=True)
    return vc.predictions(
        [row[0] for row in rows], label=[row[1] for row in rows], proba=proba, classes=["a", "b", "c"]
    )


def _crossed(printed: str) -> str:
    """What is printed of cross-validation, behind what is printed of the training rows."""
    return printed.partition("Stratified cross-validation")[2]


def rows() -> Iterator[Row]:
    found = runs()
    for name, pattern in PRINTED.items():
        yield compare(
            name, f"Evaluation: {pattern.split(chr(92))[0]}", found,
            lambda t, n=name: vc.score(t[1], n) * (100 if n == "accuracy" else 1),
            lambda t, p=pattern: float(re.search(p, _crossed(t[0]))[1]),
            within=1e-4,
        )  # fmt: skip
    yield compare(
        "rmse of probabilities, sqrt(brier / classes)",
        "Evaluation: Root mean squared error",
        found,
        lambda t: np.sqrt(vc.score(t[1], "brier") / 3),
        lambda t: float(re.search(r"Root mean squared error\s+([\d.]+)", _crossed(t[0]))[1]),
        within=1e-3,
    )
    yield compare(
        "auc(average='prior_ovr')",
        "Evaluation: weighted average of ROC Area",
        found,
        lambda t: vc.score(t[1], "auc(average='prior_ovr')"),
        lambda t: float(re.search(r"Weighted Avg\.(?:\s+[\d.]+){5}\s+([\d.]+)", _crossed(t[0]))[1]),
        within=2e-3,
    )
