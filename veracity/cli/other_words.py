"""What people type who know other programs: the option or the verb that is meant here."""

from __future__ import annotations

from collections.abc import Collection

from veracity.core.spelling import fold

MEANT = {  # options by what else they are called
    "--truth --target": "target y y_true actual gold class outcome reference_column ground_truth",
    "--label --proba": "pred preds prediction predictions predicted y_pred",
    "--proba": "prob probs probability probabilities y_prob y_score",
    "--slices": "by slice group_by groupby subgroup subgroups strata",
    "--groups": "group cluster clusters patient subject",
    "--rows": "id ids index row key",
    "--level": "ci alpha confidence conf_level confidence_level",
    "--using": "test method stat statistic",
    "--then": "adjust adjustment correction posthoc post_hoc p_adjust",
    "--control": "reference baseline base ref",
    "--workers": "n_jobs jobs threads cores",
    "--out": "output o save file export plot figure",
    "--by": "cv folds design resampling splits",
    "--seed": "random_state rng",
    "--positive": "pos_label pos positive_class event",
    "--learner": "model estimator classifier learners",
    "--missing": "na na_rm dropna",
    "--score": "metric metrics measure scoring scorer",
}
SCORES = "scores are named behind the file, as in veracity score preds.csv auc"


def options_meant(typed: str, known: Collection[str]) -> str:
    """The options of a verb that somebody may mean by another word; nothing where there is none."""
    word = fold(typed.lstrip("-"))
    for options, words in MEANT.items():
        if word in map(fold, words.split()):
            meant = [option for option in options.split() if option in known]
            if meant:
                return f"did you mean {' or '.join(meant)}?"
            if options == "--score":
                return SCORES
    return ""
