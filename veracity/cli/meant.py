"""Which option is meant by one that a verb does not have: what other programs call it, or nearly its own name."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import click

from veracity.core.index import whereabouts
from veracity.core.spelling import fold
from veracity.core.suggest import nearest
from veracity.core.words import for_command_line

NAMES = {  # options that take a column, a class, a method or a file, by what people call them who know other programs
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
ALIKE = 0.6  # how alike names of options must be
NEGATIVE = re.compile(r"-(\.?\d|inf|nan)", re.IGNORECASE)
SHORTEST = 3  # letters of a word that can be told from others that are spelled alike


def option_meant(typed: str, params: Sequence[click.Parameter]) -> str:
    """What to say of an option that is not there; nothing where no other is likely."""
    word, number = fold(typed.lstrip("-")), (click.INT, click.FLOAT)
    known = {name: one.type in number for one in params for name in one.opts if name[0] == "-"}
    if word == "alpha" and "--level" in known:
        return ALPHA
    for table in (NAMES, NUMBERS):
        for options, words in table.items():
            meant = [each for each in options.split() if known.get(each) is (table is NUMBERS)]
            if meant and word in map(fold, words.split()):
                return f"did you mean {' or '.join(meant)}?"
    scored = any("SCORE" in (one.metavar or "") for one in params)
    if scored and word in map(fold, NAMES["--score"].split()):
        return SCORES
    methods = _method_meant(word, {*known, "a score,"} if scored else known)
    return methods or _nearly_so_called(typed, known) or _method_meant(word, ["explained by"])


def verbs_meant(typed: str, known: Collection[str]) -> list[str]:
    """The verbs that somebody may mean who typed another word: by what other programs call them, or nearly so."""
    called = [verb for verb, words in VERBS.items() if verb in known and fold(typed) in map(fold, words.split())]
    return called or nearest(typed, known, 0.6)


def refuse_strange_options(words: Sequence[str]) -> None:
    """Refuse what begins as an option does and is neither a number nor standard input, where numbers are typed."""
    for word in words:
        if word[:1] == "-" and word != "-" and not NEGATIVE.match(word):
            raise click.NoSuchOption(word.partition("=")[0], ctx=click.get_current_context())


def _nearly_so_called(typed: str, known: Collection[str]) -> str:
    """Options whose names are spelled alike; the dashes, which all of them have, make none alike."""
    names = {name.lstrip("-").replace("-", "_"): name for name in known}
    near = nearest(typed.lstrip("-"), names, ALIKE) if len(fold(typed)) >= SHORTEST else []
    return f"did you mean {' or '.join(names[each] for each in near)}?" if near else ""


def _method_meant(word: str, known: Collection[str]) -> str:
    """Where a method is named whose name was typed as an option: `--mcnemar` is `--using mcnemar`."""
    places = [for_command_line(place) for place in whereabouts(word)]
    here = [place for place in places if any(f"{each} " in f"{place} " for each in known)]
    return f"it is {', and '.join(here)}" if here else ""
