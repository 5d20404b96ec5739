"""Which option or command is meant by one that is not there: what other programs call it, or one spelled alike."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import click

from veracity.core.index import whereabouts
from veracity.core.spelling import fold
from veracity.core.suggest import nearest
from veracity.core.words import for_command_line

NAMES = {  # options that take a column, a class, a method or a file, by what other programs call them
    "--truth --target": "target y y_true actual gold class outcome reference_column ground_truth",
    "--label --proba": "pred preds prediction predictions predicted y_pred",
    "--proba": "prob probs probability probabilities y_prob y_score",
    "--slices": "by slice group_by groupby subgroup subgroups strata",
    "--groups": "group cluster clusters patient subject",
    "--rows": "id ids index row key",
    "--using": "test method stat statistic",
    "--then": "adjust adjustment correction posthoc post_hoc p_adjust",
    "--control": "reference baseline base ref",
    "--out": "output o save file export plot figure",
    "--by": "cv folds design resampling splits",
    "--positive": "pos_label pos positive_class event",
    "--learner": "model estimator classifier learners",
    "--missing": "na na_rm dropna",
    "--json --out": "fmt format output_format",
    "--better": "direction ascending descending maximise minimise higher_is_better lower_is_better",
    "--side --alternative": "alternative tail tails one-sided",
    "--score": "metric metrics measure scoring scorer",
}
NUMBERS = {
    "--level": "ci confidence conf_level confidence_level",
    "--workers": "n_jobs jobs threads cores",
    "--seed": "random_state rng",
    "--size-h": "hypotheses size classifiers",
    "--rows --groups --datasets --splits": "n nobs n_obs observations n_samples samples sample_size size",
    "--difference --effect": "d delta effect effectsize mde margin",
    "--sd": "s std stdev sigma standard_deviation",
    "--draws --trials": "b n_boot n_bootstrap n_permutations n_sim nsim simulations replications iterations",
}
VERBS = {
    "score": "metric metrics measure eval evaluate evaluation",
    "estimate": "evaluate evaluation validate cv cross_validate cross_val_score",
    "compare": "test ttest significance diff versus vs",
    "curve": "plot draw figure chart",
    "rank": "ranking leaderboard",
    "run": "fit train experiment benchmark bench start",
    "explain": "help man describe info doc docs search find",
    "list": "ls show",
    "report": "page html summary",
    "power": "sample_size samplesize n",
    "adjust": "correct p_adjust multipletests",
}
SCORES = "scores are named behind the file, as in veracity score preds.csv auc"
ALPHA = "--level is 1 - alpha, as in --level 0.95 for an alpha of 0.05"
MIN_LIKENESS = 0.6  # of the names of options
NEGATIVE = re.compile(r"-(\.?\d|inf|nan)", re.IGNORECASE)
MIN_LETTERS = 3  # of a word that can be told from others that are spelled alike


def suggest_option(typed: str, params: Sequence[click.Parameter]) -> str:
    """Return what to say of an option that a command does not have; an empty text where no other is likely."""
    word, number = fold(typed.lstrip("-")), (click.INT, click.FLOAT)
    is_number = {name: one.type in number for one in params for name in one.opts if name[0] == "-"}
    if word == "alpha" and "--level" in is_number:
        return ALPHA
    for table in (NAMES, NUMBERS):
        for options, words in table.items():
            meant = [name for name in options.split() if is_number.get(name) is (table is NUMBERS)]
            if meant and word in map(fold, words.split()):
                return f"did you mean {' or '.join(meant)}?"
    takes_scores = any("SCORE" in (one.metavar or "") for one in params)
    if takes_scores and word in map(fold, NAMES["--score"].split()):
        return SCORES
    # `--mcnemar` is `--using mcnemar`
    places = [for_command_line(place) for place in whereabouts(word)]
    known = [*is_number, *(["a score,"] if takes_scores else [])]
    here = [place for place in places if any(f"{name} " in f"{place} " for name in known)]
    if here:
        return f"it is {', and '.join(here)}"
    # the dashes, which all of them have, make none alike
    names = {name.lstrip("-").replace("-", "_"): name for name in is_number}
    near = nearest(typed.lstrip("-"), names, MIN_LIKENESS) if len(fold(typed)) >= MIN_LETTERS else []
    if near:
        return f"did you mean {' or '.join(names[name] for name in near)}?"
    explained = [place for place in places if "explained by" in place]
    return f"it is {', and '.join(explained)}" if explained else ""


def suggest_commands(typed: str, known: Collection[str]) -> list[str]:
    """Return the commands that another program calls by this word, or that are spelled alike."""
    called = [verb for verb, words in VERBS.items() if verb in known and fold(typed) in map(fold, words.split())]
    return called or nearest(typed, known, 0.6)


def refuse_unknown_options(words: Sequence[str]) -> None:
    """Refuse words that begin as an option does, where numbers are typed, which may be negative."""
    for word in words:
        if word[:1] == "-" and word != "-" and not NEGATIVE.match(word):
            raise click.NoSuchOption(word.partition("=")[0], ctx=click.get_current_context())
