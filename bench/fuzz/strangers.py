"""Something that does not belong there in the place of each argument of the public verbs."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import veracity as vc
from bench.fuzz.case import Case
from bench.fuzz.containers import STRANGE_CONTAINERS, STRANGE_ITEMS

P = vc.predictions([0, 1, 0, 1, 1, 0], proba=[0.2, 0.7, 0.6, 0.9, 0.4, 0.1], positive=1)
STRANGERS: dict[str, Callable[[Any], Any]] = {
    "score": lambda x: vc.score(x, "error"),
    "score name": lambda x: vc.score(P, x),
    "estimate": lambda x: vc.estimate(x, "error"),
    "estimate names": lambda x: vc.estimate(P, x),
    "estimate interval": lambda x: vc.estimate(P, "error", interval=x),
    "estimate level": lambda x: vc.estimate(P, "error", level=x),
    "estimate side": lambda x: vc.estimate(P, "error", side=x),
    "estimate seed": lambda x: vc.estimate(P, "auc", interval="bca(draws=20)", seed=x),
    "models": lambda x: vc.estimate({"a": x, "b": P}, "error"),
    "scorecard": vc.scorecard,
    "slices": lambda x: vc.slices(x, [0] * 6),
    "slices by": lambda x: vc.slices(P, x),
    "compare": vc.compare,
    "compare models": lambda x: vc.compare({"a": P, "b": x}, "error"),
    "compare using": lambda x: vc.compare({"a": P, "b": P}, "error", using=x),
    "compare pairs": lambda x: vc.compare({"a": P, "b": P}, "error", pairs=x),
    "compare then": lambda x: vc.compare({"a": P, "b": P, "c": P}, "error", then=x),
    "rank": vc.rank,
    "rank control": lambda x: vc.rank([[1, 2], [2, 3], [3, 1]], control=x),
    "rank better": lambda x: vc.rank([[1, 2], [2, 3], [3, 1]], better=x),
    "rank pairs": lambda x: vc.rank([[1, 2], [2, 3], [3, 1]], pairs=x),
    "score_matrix": vc.score_matrix,
    "score_matrix learners": lambda x: vc.score_matrix([[1, 2], [2, 3]], learners=x),
    "split_scores": lambda x: vc.split_scores(x, train=9, test=1),
    "split_scores train": lambda x: vc.split_scores({"a": [1, 2], "b": [2, 1]}, train=x, test=1),
    "split_scores k": lambda x: vc.split_scores({"a": [1, 2], "b": [2, 1]}, train=9, test=1, k=x),
    "adjust": vc.adjust,
    "adjust using": lambda x: vc.adjust([0.1, 0.2], x),
    "curve": lambda x: vc.curve(x, "roc"),
    "curve kind": lambda x: vc.curve(P, x),
    "curve bins": lambda x: vc.curve(P, "calibration", bins=x),
    "plot": lambda x: vc.plot(x, "roc"),
    "best_threshold": lambda x: vc.best_threshold(x, "youden"),
    "best_threshold score": lambda x: vc.best_threshold(P, x),
    "best_threshold costs": lambda x: vc.best_threshold(P, costs=x),
    "dominance": lambda x: vc.dominance(P, x),
    "worst": vc.worst,
    "worst rows": lambda x: vc.worst(P, x),
    "optimism": vc.optimism,
    "report": vc.report,
    "report scores": lambda x: vc.report(P, x).html,
    "power test": lambda x: vc.power(x, power=0.8),
    "power": lambda x: vc.power("mcnemar", difference=0.03, discordant=0.1, power=x),
    "power difference": lambda x: vc.power("mcnemar", difference=x, discordant=0.1, power=0.8),
    "power discordant": lambda x: vc.power("mcnemar", difference=0.03, discordant=x, power=0.8),
    "power rows": lambda x: vc.power("mcnemar", difference=0.03, discordant=0.1, rows=x),
    "explain": vc.explain,
    "catalogue": vc.catalogue,
    "catalogue needs": lambda x: vc.catalogue("scores", needs=x),
    "counts classes": lambda x: vc.Counts([[1, 2], [3, 4]], classes=x),
    "counts positive": lambda x: vc.Counts([[1, 2], [3, 4]], positive=x),
    "predictions positive": lambda x: vc.predictions([0, 1], label=[0, 1], positive=x),
    "predictions classes": lambda x: vc.predictions([0, 1], label=[0, 1], classes=x),
    "predictions prior": lambda x: vc.predictions([0, 1], label=[0, 1], prior=x),
    "predictions threshold": lambda x: vc.predictions([0, 1], value=[0, 1], positive=1, threshold=x),
    "predictions train_mean": lambda x: vc.score(vc.predictions([0, 1], number=[0, 1], train_mean=x), "mse"),
    "predictions name": lambda x: vc.estimate(vc.predictions([0, 1], label=[0, 1], name=x), "error").to_json(),
    "read_predictions": lambda x: vc.read_predictions(x, truth="y", label="l"),
    "read_predictions truth": lambda x: vc.read_predictions({"y": [0, 1], "l": [0, 1]}, truth=x, label="l"),
    "read_scores": vc.read_scores,
    "read_runs": vc.read_runs,
    "ordering": lambda x: vc.score(vc.Ordering.of(x, [0, 1, 0, 1, 1, 0]), "auc"),
    "evaluate by": lambda x: vc.evaluate({}, [[0], [1]], [0, 1], by=x),
    "evaluate y": lambda x: vc.evaluate({}, [[0], [1]], x),
    "evaluate learners": lambda x: vc.evaluate(x, [[0], [1]], [0, 1]),
    "plan": vc.plan,
}


def strangers(random: Random) -> Case:
    """Something else in the place of one argument."""
    verb = random.choice(list(STRANGERS))
    name = random.choice(list(STRANGE_ITEMS | STRANGE_CONTAINERS))
    make = STRANGE_CONTAINERS.get(name)
    argument = STRANGE_ITEMS[name] if make is None else make(list(range(6)))
    return Case(f"{verb} of {name}", lambda: STRANGERS[verb](argument))
