"""Save the numbers that veracity gives on fixed inputs, and compare two such files.

    python tools/saved_numbers.py save before.json              # a few minutes
    python tools/saved_numbers.py save after.json counts rankings # some areas alone: see AREAS
    python tools/saved_numbers.py compare before.json after.json

Every question goes through a public function with names that users type, so the file outlives a change of the code
inside. A question that is refused is kept as the class of its error: the words of a refusal may change, whether it is
one may not.
"""

from __future__ import annotations

import json
import math
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import veracity as vc

RELATIVE_TOLERANCE = 1e-12
ABSOLUTE_TOLERANCE = 1e-12  # of numbers near zero, such as p-values that underflow
SEED = 20261118
# Keys of JSON whose values are sentences, times or versions.
NOT_NUMBERS = {"notes", "says", "seconds_fit", "seconds_predict", "versions", "answers", "made", "paper", "sentence"}

Question = tuple[str, Callable[[], Any]]


def make_predictions() -> dict[str, dict[str, Any]]:
    """Return pairs of models on the same rows, one pair for each kind of predictions."""
    kinds: dict[str, dict[str, Any]] = {}
    random = np.random.default_rng(SEED)

    def two_classes(rows: int, ties: bool = False, **columns: Any) -> dict[str, Any]:
        truth = random.random(rows) < 0.4
        models = {}
        for name, strength in (("first", 1.5), ("second", 1.1)):
            logit = strength * (truth - 0.5) * 2 + random.normal(size=rows)
            p = 1 / (1 + np.exp(-logit))
            p = np.round(p, 1) if ties else p
            labels = np.where(truth, "yes", "no")
            models[name] = vc.predictions(
                labels, proba=np.c_[1 - p, p], classes=["no", "yes"], positive="yes", **columns
            )
        return models

    kinds["two classes, 60 rows"] = two_classes(60)
    kinds["two classes, 400 rows"] = two_classes(400)
    kinds["two classes, ties"] = two_classes(300, ties=True)
    kinds["two classes, weights"] = two_classes(300, weights=random.integers(1, 5, 300) / 2)
    kinds["two classes, groups"] = two_classes(300, groups=np.repeat(np.arange(60), 5))
    kinds["two classes, 25,000 rows"] = two_classes(25_000)

    truth = random.integers(0, 3, 240)
    models = {}
    for name, strength in (("first", 1.4), ("second", 0.9)):
        logits = strength * np.eye(3)[truth] * 2 + random.normal(size=(240, 3))
        p = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
        models[name] = vc.predictions(np.array(["a", "b", "c"])[truth], proba=p, classes=["a", "b", "c"])
    kinds["three classes"] = models

    truth = random.random(150) < 0.5
    flips = {"first": random.random(150) < 0.2, "second": random.random(150) < 0.3}
    kinds["labels"] = {name: vc.predictions(truth, label=truth ^ flip, positive=True) for name, flip in flips.items()}
    kinds["right or wrong"] = {name: vc.predictions(correct=~flip) for name, flip in flips.items()}

    values = {name: truth * s + random.normal(size=150) for name, s in (("first", 1.6), ("second", 1.2))}
    kinds["decision values"] = {n: vc.predictions(truth, value=v, positive=True) for n, v in values.items()}

    target = random.normal(50, 10, 120)
    numbers = {name: target + random.normal(1, s, 120) for name, s in (("first", 4), ("second", 5))}
    kinds["numbers"] = {name: vc.predictions(target, number=number) for name, number in numbers.items()}
    heavy = np.exp(random.normal(0, 1, 200))
    numbers = {name: heavy * np.exp(random.normal(0, s, 200)) for name, s in (("first", 0.4), ("second", 0.6))}
    kinds["skewed numbers"] = {name: vc.predictions(heavy, number=number) for name, number in numbers.items()}
    return kinds


def names_of(kind: str) -> list[str]:
    """Return the names of all methods of a kind, as users type them."""
    rows = next(iter(vc.catalogue(kind).to_json().values()))
    return [next(iter(row.values())) for row in rows]  # the first column is the name


def typed_variants(name: str) -> list[str]:
    """Return how a method is called, with parameters where it needs some."""
    needed = {
        "non_inferiority": ["non_inferiority(margin=0.02)"],
        "tost": ["tost(margin=0.05)"],
        "one_sample": ["one_sample(value=0.3)"],
        "correlated_t_posterior": ["correlated_t_posterior(rope=0.01)"],
        "lift_at": ["lift_at(share=0.2)"],
        "net_benefit": ["net_benefit(threshold=0.2)"],
        "pinball": ["pinball(quantile=0.3)"],
        "fbeta": ["fbeta", "fbeta(beta=2)"],
    }
    return needed.get(name, [name])


def of_predictions() -> Iterator[Question]:
    """Ask for scores with default intervals, every interval by name, and every test of two models."""
    scores = [typed for name in names_of("scores") for typed in typed_variants(name)]
    main = ("error", "auc", "fbeta", "brier", "log_loss", "mae", "mse", "r2", "kappa", "cost")
    for kind, models in make_predictions().items():
        p = models["first"]
        for score in scores:
            yield f"score | {kind} | {score}", lambda p=p, score=score: float(vc.score(p, score))
            yield f"estimate | {kind} | {score}", lambda p=p, score=score: vc.estimate(p, score, seed=1)
        for score in main:
            for interval in names_of("intervals"):
                yield (
                    f"interval | {kind} | {score} | {interval}",
                    lambda p=p, score=score, i=interval: vc.estimate(p, score, interval=i, level=0.9, seed=1),
                )
            tests = [typed for name in names_of("comparisons") for typed in typed_variants(name)]
            for test in [None, *tests]:
                if kind == "two classes, 25,000 rows" and test is not None and score != "auc":
                    continue
                yield (
                    f"compare | {kind} | {score} | {test}",
                    lambda m=models, score=score, t=test: vc.compare(m, score, using=t, seed=1),
                )
        for curve in names_of("curves"):
            if kind != "two classes, 25,000 rows":
                yield f"curve | {kind} | {curve}", lambda m=models, curve=curve: vc.curve(m, curve)
        yield f"best threshold | {kind}", lambda p=p: vc.best_threshold(p, costs={"FP": 1, "FN": 5}, seed=1)
        yield f"per class | {kind}", lambda p=p: vc.per_class(p)


def of_counts() -> Iterator[Question]:
    """Ask for every interval of 12 errors of 40 and every test of two proportions and of discordant pairs."""
    for interval in names_of("intervals"):
        yield f"12 of 40 | {interval}", lambda i=interval: vc.estimate(vc.errors(12, of=40), "error", interval=i)
        yield (
            f"12 of 40, upper | {interval}",
            lambda i=interval: vc.estimate(vc.errors(12, of=40), "error", interval=i, side="upper"),
        )
    two = {"a": vc.errors(12, of=40), "b": vc.errors(8, of=40)}
    for test in names_of("comparisons"):
        yield f"12 and 8 of 40 | {test}", lambda t=test: vc.compare(two, "error", using=t, seed=1)
        yield (
            f"9 and 22 discordant | {test}",
            lambda t=test: vc.compare(vc.pairs(n01=9, n10=22, of=1000), "error", using=t, seed=1),
        )


def of_rankings() -> Iterator[Question]:
    """Ask for every omnibus test, post hoc test and adjustment of tables of scores."""
    random = np.random.default_rng(SEED + 1)
    scores = 0.8 + 0.1 * random.random((14, 1)) + 0.03 * np.arange(5) / 5 + 0.02 * random.normal(size=(14, 5))
    tables = {"14 x 5": scores, "6 x 3": np.round(scores[:6, :3], 2), "14 x 2": scores[:, :2]}
    for name, table in tables.items():
        m = vc.score_matrix(table, better="higher")
        for test in [None, *names_of("comparisons")]:
            yield f"rank | {name} | {test}", lambda m=m, t=test: vc.rank(m, using=t, seed=1)
            yield f"compare tables | {name} | {test}", lambda m=m, t=test: vc.compare(m, using=t, seed=1)
        for pairs in names_of("posthocs"):
            for adjustment in ("none", "holm", "shaffer", "bergmann_hommel"):
                yield (
                    f"rank | {name} | {pairs} | {adjustment}",
                    lambda m=m, pairs=pairs, a=adjustment: vc.rank(m, pairs=pairs, then=a, seed=1),
                )
        yield f"rank | {name} | control", lambda m=m: vc.rank(m, control=m.learners[0], seed=1)
        for effect in names_of("effects"):
            yield f"effect | {name} | {effect}", lambda m=m, e=effect: vc.rank(m, effect=e, seed=1)
    p = [0.001, 0.004, 0.01, 0.02, 0.03, 0.04, 0.2, 0.3, 0.5, 0.9]
    for adjustment in names_of("adjustments"):
        yield f"adjust | {adjustment}", lambda a=adjustment: vc.adjust(p, a).tolist()


def of_learners(folder: Path) -> Iterator[Question]:
    """Ask for the risk of two learners by every design and estimator, each interval and test, and what is stored."""
    from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
    from sklearn.linear_model import LogisticRegression, Ridge
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    X, y = load_breast_cancer(return_X_y=True)  # noqa: N806
    rows = np.random.default_rng(3).permutation(len(y))[:120]
    classifiers = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    data = {"cancer": (X[rows], y[rows])}
    designs = {"kfold(k=10)", "repeated_kfold(k=5, repeats=3)", *names_of("designs"), *names_of("estimators")}
    scores = ("error", "auc", "brier", "fbeta")
    for design in sorted(designs):
        runs: list[Any] = []

        def make(design: str = design, runs: list[Any] = runs) -> Any:
            if not runs:
                table = data["cancer"]
                runs.append(vc.evaluate(classifiers, *table, by=design, seed=7))
            return runs[0]

        for score in scores:
            yield f"runs | {design} | {score}", lambda make=make, s=score: vc.estimate(make(), s, seed=1)
            yield f"runs compared | {design} | {score}", lambda make=make, s=score: vc.compare(make(), s, seed=1)
        for interval in names_of("intervals"):
            yield (
                f"runs | {design} | error | {interval}",
                lambda make=make, i=interval: vc.estimate(make(), "error", interval=i, seed=1),
            )
        for test in names_of("comparisons"):
            yield (
                f"runs compared | {design} | error | {test}",
                lambda make=make, t=test: vc.compare(make(), "error", using=t, seed=1),
            )

    store, by = folder / "numbers.db", "repeated_kfold(k=5, repeats=2)"
    regressors = {"ridge": Ridge(), "tree": DecisionTreeRegressor(random_state=0)}
    numbers = load_diabetes(return_X_y=True)
    yield (
        "store | numbers",
        lambda: vc.estimate(
            vc.evaluate(regressors, *numbers, by=by, seed=7, store=store), ["mse", "mae", "r2"], seed=1
        ),
    )
    yield "store | read back", lambda: vc.estimate(vc.read_runs(store), ["mse", "mae", "r2"], seed=1)
    yield "store | scores", lambda: vc.read_runs(store).scores("mse")
    tuned = vc.tuned(LogisticRegression(max_iter=2000), grid={"C": [0.01, 1.0]}, by="kfold(k=3)", score="log_loss")
    yield (
        "tuned",
        lambda: vc.estimate(vc.evaluate(tuned, *load_iris(return_X_y=True), by="kfold(k=5)", seed=7), "error", seed=1),
    )
    yield (
        "permutation test",
        lambda: vc.permutation_test(GaussianNB(), *data["cancer"], score="error", by="kfold(k=5)", draws=19, seed=1),
    )
    yield (
        "learning curve",
        lambda: vc.learning_curve(
            GaussianNB(), *data["cancer"], sizes=[20, 60], by="kfold(k=5)", score="error", seed=1
        ),
    )
    yield (
        "bias and variance",
        lambda: vc.bias_variance(GaussianNB(), *data["cancer"], loss="zero_one", draws=10, seed=1),
    )


def of_planning() -> Iterator[Question]:
    """Ask for sample sizes and widths."""
    pairs = {"difference": 0.03, "discordant": 0.10}
    splits = {"difference": 0.02, "sd": 0.03, "splits": 30, "train": 90, "test": 10}
    tables = {"difference": 0.02, "sd": 0.03}
    options: dict[str, dict[str, Any]] = {
        "conservative_t": splits,
        "corrected_t": splits,
        "friedman": {**tables, "learners": 4},
        "iman_davenport": {**tables, "learners": 4},
        "friedman_pairs": {**tables, "learners": 4},
        "one_proportion": {"difference": 0.05, "value": 0.3},
        "paired_loss_t": {**tables, "each": 5, "alike": 0.3},
        "sign": {"win": 0.8},
        "wilcoxon": tables,
        "paired_t": tables,
    }
    for test in names_of("power"):
        asked = options.get(test, pairs)
        yield (
            f"power | {test}",
            lambda t=test, asked=asked: vc.power(
                t, **{"power": None if "splits" in asked else 0.8, "seed": 1, **asked}
            ),
        )
    yield "width | share", lambda: vc.interval_width("share", value=0.3, width=0.1)
    yield "width | mean", lambda: vc.interval_width("mean", sd=0.3, rows=100)
    yield "width | auc", lambda: vc.interval_width("auc", value=0.8, rows=200)
    yield "finite class", lambda: vc.finite_class(size_h=1000, rows=500, delta=0.05)


def plain(value: Any) -> Any:
    """Return a result as JSON without sentences, times and versions."""
    value = value.to_json() if hasattr(value, "to_json") else value
    value = value.tolist() if isinstance(value, np.ndarray | np.generic) else value
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items() if key not in NOT_NUMBERS}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if isinstance(value, str | int | float | bool | None) else repr(type(value))


AREAS: dict[str, Callable[[Path], Iterator[Question]]] = {
    "counts": lambda folder: of_counts(),
    "rankings": lambda folder: of_rankings(),
    "planning": lambda folder: of_planning(),
    "predictions": lambda folder: of_predictions(),
    "learners": of_learners,
}


def save(path: str, areas: list[str]) -> None:
    """Ask every question of some areas, or of all, and write the answers."""
    answers: dict[str, Any] = {}
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        for area in areas or AREAS:
            for question, ask in AREAS[area](Path(folder)):
                name = f"{area} | {question}"
                try:
                    answers[name] = plain(ask())
                except vc.VeracityError as error:
                    answers[name] = {"refused": type(error).__name__}
                except Exception as error:
                    answers[name] = {"failed": f"{type(error).__name__}: {error}"}
    Path(path).write_text(json.dumps(answers, indent=0, sort_keys=True))
    refused = sum("refused" in answer for answer in answers.values() if isinstance(answer, dict))
    failed = [name for name, answer in answers.items() if isinstance(answer, dict) and "failed" in answer]
    print(f"{len(answers)} questions, {refused} refused, {len(failed)} failed: {failed[:5]}")


def differences(old: Any, new: Any, place: str = "") -> Iterator[str]:
    """Yield where two answers differ; numbers may differ by rounding, and keys may be added."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in old:
            if key not in new:
                yield f"{place}.{key} is gone"
            else:
                yield from differences(old[key], new[key], f"{place}.{key}")
    elif isinstance(old, list) and isinstance(new, list):
        if len(old) != len(new):
            yield f"{place}: {len(old)} items, now {len(new)}"
        for i, (before, after) in enumerate(zip(old, new, strict=False)):
            yield from differences(before, after, f"{place}[{i}]")
    elif isinstance(old, int | float) and isinstance(new, int | float):
        if not math.isclose(old, new, rel_tol=RELATIVE_TOLERANCE, abs_tol=ABSOLUTE_TOLERANCE):
            yield f"{place}: {old!r}, now {new!r}"
    elif old != new:
        yield f"{place}: {old!r}, now {new!r}"


def compare(before: str, after: str) -> int:
    """Print where two files differ in the areas that both have, and return the exit status."""
    old, new = (json.loads(Path(path).read_text()) for path in (before, after))
    areas = {name.partition(" | ")[0] for name in new}
    count = 0
    for name in old:
        if name.partition(" | ")[0] not in areas:
            continue
        found = [f"{name} is gone"] if name not in new else list(differences(old[name], new[name]))
        if found:
            count += 1
            print(f"{name}: {len(found)} differences; {'; '.join(found[:3])}")
    print(f"{count} of {len(old)} answers differ; {len(set(new) - set(old))} are new")
    return 1 if count else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["save"] and len(sys.argv) >= 3 and set(sys.argv[3:]) <= set(AREAS):
        save(sys.argv[2], sys.argv[3:])
    elif sys.argv[1:2] == ["compare"] and len(sys.argv) == 4:
        sys.exit(compare(sys.argv[2], sys.argv[3]))
    else:
        sys.exit(__doc__)
