"""The score where none is named, and which side of a score is better where its name tells."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veracity.evidence.runs import Runs
from veracity.scores import scores


def default_score(*kinds: str) -> str:
    """The score for targets of these kinds: error, unless all of them are of numbers, or losses or grades already."""
    usual = {"numbers": "rmse", "loss": "mean", "grades": "mean"}
    return usual.get(kinds[0], "error") if len(set(kinds)) == 1 else "error"


def default_score_of(runs: Runs, data: str | None = None) -> str:
    """The score of runs on all their data sets, or on one of them."""
    return default_score(*(runs.kind(name) for name in runs.names if data in (None, name)))


LOWER_WORDS = (
    "error errors err errs loss losses logloss nll brier ece ce rmse rmses mse mses mae maes mape smape rmsle"
    " perplexity wer cer fid fpr fnr eer regret deviance misclassification mistakes misses incorrect unclassified"
    " time times seconds runtime latency"
)
HIGHER_WORDS = (
    "accuracy accuracies acc accs auc aucs auroc auprc roc f1 fscore kappa kappas mcc precision recall sensitivity"
    " specificity tpr tnr dice iou jaccard bleu rouge r2 rsquared ndcg mrr correct correlation"
)
LOWER, HIGHER = (frozenset(words.split()) for words in (LOWER_WORDS, HIGHER_WORDS))


def better_by_name(score: str) -> str | None:
    """Return "higher" or "lower" where the name of a score tells which of it is better, else None."""
    plain = score.partition("(")[0]
    return scores[plain].better if plain in scores else _better_by_words(score)


def better_by_names(names: Sequence[str]) -> str | None:
    """Return what words in the names of files, or of all columns of scores, tell alike, else None."""
    sides = {_better_by_words(name) for name in names}
    return sides.pop() if len(sides) == 1 else None


def _better_by_words(name: str) -> str | None:
    words = set(re.findall(r"[a-z]+\d*", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()))
    if words & {"neg", "negative"}:  # as scikit-learn turns losses around
        return "higher" if words & LOWER else None
    found = {side for side, of_side in (("lower", LOWER), ("higher", HIGHER)) if words & of_side}
    return found.pop() if len(found) == 1 else None


def different_scores(names: Sequence[str]) -> list[str]:
    """Return the names, if all of them are those of scores and there are several, so that none is a learner's."""
    own = {one.name for one in scores}  # without aliases: nb is net benefit, and naive Bayes
    words = {name: re.sub(r"[^a-z0-9]", "", name.lower()) for name in names}
    known = [name for name in names if name in own or words[name] in LOWER | HIGHER]
    return known if len(known) == len(names) > 1 else []
