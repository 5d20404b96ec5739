"""Pages for what is neither a method nor a verb, named as one would type them."""

from __future__ import annotations

from collections.abc import Iterator

from veracity.methods.articles import Article
from veracity.methods.sought import OUTSIDE, Topic, split_words
from veracity.methods.topics_of_data import TOPICS_OF_DATA
from veracity.tables.manual import ManualSection

TOPICS = TOPICS_OF_DATA | {
    "averages": Topic(
        "Averages over classes",
        "A score of one class becomes one number for several classes by average=. 'none' is the positive"
        " class alone, 'macro' the mean over classes, 'prior' the mean weighed by the classes' shares of the"
        " rows (others call it weighted), 'micro' the score of all classes' decisions together. Scores of"
        " orderings, such as auc, hold each class against the rest ('macro_ovr', 'prior_ovr') or each pair of"
        " classes ('ovo'). Unless said, it is the class that was named positive, also of three or more, against"
        " all others; where none was named, the macro average. per_class shows every class by itself.",
        "per_class, precision, recall, fbeta, auc",
        aliases="macro_average, micro_average, macro, micro, weighted_average, average",
        keywords="macro averaging, micro averaging, multi-class, multiclass, one versus rest, one-vs-rest, ovr, ovo,"
        " weighted mean over classes, mean of scores per class",
    ),
    "baseline": Topic(
        "Baselines",
        "A score means something beside that of naming the majority class, or the mean. In a study checks ="
        ' ["baseline"] fits such a rule beside the learners; relative errors, kb_information and'
        " sf_entropy_gain measure against it; one_sample tests a model against a value; permutation_test asks"
        " whether there is anything to learn.",
        "relative_absolute_error, kb_information, one_sample, permutation_test",
        aliases="zeror, dummy_classifier, majority_class, null_model, no_information_rate",
        keywords="majority vote, trivial classifier, chance level, random guessing, DummyRegressor, constant predictor,"
        " featureless learner, one rule, OneR",
    ),
    "confidence_interval": Topic(
        "How sure a number is",
        "Every estimate has an interval: `level=0.95` holds in 95 of 100 samples of new rows, or of new"
        " training sets where it is that of a learner. list defaults shows which method is taken for what and why,"
        " `interval=` names another, `side=` makes a bound of it, and explain tells how often each"
        " held where the truth is known.",
        "estimate, wilson, hall_t, conservative_t, interval_width",
        aliases="confidence_intervals, interval, error_bar, error_bars, confidence_level",
        keywords="standard error, uncertainty, confidence limits, confidence bound, standard deviation of accuracy",
    ),
    "conformal": Topic(
        "Conformal prediction",
        "Sets or intervals for single predictions are out of scope: veracity tells how good predictions are"
        " and how sure that is, and makes none. calibration_error and the calibration curve tell whether"
        " probabilities can be trusted.",
        "calibration, calibration_error",
        aliases="conformal_prediction, prediction_intervals, prediction_sets",
    ),
    "confusion_matrix": Topic(
        "Confusion matrix",
        "Counts of rows by true class (rows) and predicted class (columns), in the order of the classes."
        " score prints it, p.confusion(threshold=0.5) gives it as Counts, and every score of labels is a"
        " function of it.",
        "score, precision, recall, kappa, mcc, cost",
        aliases="contingency_table, error_matrix, confusion",
        keywords="true positives, false positives, false negatives, true negatives, TP, FP, FN, TN, number of true"
        " positives, num true positives, four-fold table, two by two table",
    ),
    "critical_difference": Topic(
        "Critical difference diagram",
        "Learners on an axis of mean ranks, joined by bars where they cannot be told apart, with the critical"
        " difference where the test has one: plot of a ranking, or rank --out cd.png. The test is nemenyi,"
        " with a control bonferroni_dunn; other tests draw the same picture without that length.",
        "nemenyi, bonferroni_dunn, rank, plot",
        aliases="critical_difference_diagram, cd_diagram, cd_plot, critical_distance",
    ),
    "early_stopping": Topic(
        "Early stopping",
        "stopped(learner) trains round by round until validation rows, cut from its own training rows, stop"
        " improving. It is a learner, so evaluate tells its risk; the validation score at the round it chose"
        " is too good.",
        "stopped, tuned, three_way",
        keywords="number of epochs, boosting rounds, patience",
    ),
    "effect_size": Topic(
        "Effect sizes",
        "How large a difference is, apart from how sure it is. The difference of two scores is one, in the score's own"
        " unit, and often all that is needed. compare and rank add standardised ones by `effect=`: cohens_d"
        " (beside how much differences vary), cliffs_delta and a12 (how often one is higher). None is small or"
        " large by itself. Of scores of splits, which are correlated, they have no interval.",
        "cohens_d, cliffs_delta, a12, compare, rank",
        aliases="effect_sizes, standardised_effect_size, standardized_effect_size, magnitude_of_effect",
        keywords="practical significance, small medium large effect",
    ),
    "generalisation_error": Topic(
        "Generalisation error",
        "The expected loss on new rows: of one fixed model, which a hold-out estimates, or of a learner"
        " trained on so many rows, on average over training sets, which cross-validation estimates. Each"
        " estimate says in `answers` which of the two it is. list estimators shows the ways to it.",
        "holdout, kfold, boot632plus, estimate",
        aliases="true_error, true_risk, expected_risk, risk, out_of_sample_error, prediction_error, expected_loss",
        keywords="expected prediction error, unseen data, no free lunch, Bayes error, irreducible error,"
        " extra-sample error, conditional test error, expected test error, noise ceiling",
    ),
    "multiple_testing": Topic(
        "Several tests at once",
        "Of twenty true hypotheses one is rejected at 5 % by chance. compare of more than two adjusts its"
        " p-values by holm unless `then=` names another; adjust does so for any p-values. bonferroni, holm,"
        " hochberg and hommel bound the chance of any false rejection; benjamini_hochberg bounds their"
        " expected share.",
        "adjust, holm, bonferroni, benjamini_hochberg",
        aliases="multiple_comparisons, multiplicity, p_value_adjustment",
        keywords="p-hacking, peeking, optional stopping, sequential testing, publication bias, HARKing, pairwise t"
        " test, alpha inflation, per-comparison error rate, multiple hypothesis testing",
    ),
    "normality": Topic(
        "Is it normal?",
        "Tests of means over few data sets lean on differences being near normal: paired_t, averaged_t, two_level,"
        " anova, tukey and dunnett, and the interval of cohens_d. From eight numbers on Shapiro and Wilk's test looks"
        " at them, and a caution tells a clear departure and how far out the furthest lies. That nothing is told proves"
        " nothing: few numbers hardly show it. wilcoxon, sign and friedman do not lean on it; paired_loss_t and"
        " intervals of losses tell skewness.",
        "paired_t, wilcoxon, sign, anova, friedman, cohens_d",
        aliases="shapiro_wilk, shapiro, normality_test, test_of_normality, normal_distribution",
        keywords="Gaussian, outlier, skewed differences, nonparametric",
    ),
    "one_standard_error": Topic(
        "One-standard-error rule",
        "tuned(..., rule='one_standard_error') takes the simplest setting that is no more than one standard"
        " error of the best worse than the best. The first of the grid is the simplest, unless order= says"
        " otherwise.",
        "tuned, validation_curve",
        aliases="1se, one_se, 1_se_rule, one_se_rule, lambda_1se, one_standard_error_rule",
        keywords="simplest model",
    ),
    "overfitting": Topic(
        "Overfitting",
        "A model that fits its training rows better than new ones. Compare resubstitution with kfold;"
        " learning_curve and validation_curve draw both against rows and complexity; optimism tells how much"
        " too good the score of a tuned learner's best setting is.",
        "learning_curve, validation_curve, optimism, resubstitution",
        aliases="overfit, underfitting, overtraining",
        keywords="regression to the mean",
    ),
    "out_of_scope": Topic(
        "What is not here",
        "veracity makes no predictions and mends none: no calibration of probabilities (Platt scaling, isotonic"
        " regression), no rebalancing of classes. It explains no model (feature importance, SHAP) and has no criteria"
        " of training rows (AIC, MDL). It has no scores of clusters (silhouette), of several labels of one row, of"
        " rankings of items (NDCG), of agreement of several raters, or of texts and pictures (BLEU). A loss that is a"
        " mean over rows, such as hinge, Huber or top-k, is a score of one's own in eight lines (per_row), one of"
        " a confusion matrix, such as G-mean, in three (per_counts); or losses are read ready-made, `loss=`.",
        "per_row, per_counts, mean, calibration, conformal",
        keywords=OUTSIDE,
    ),
    "p_value": Topic(
        "p-value",
        "The chance, if nothing differs, of a result at least as extreme as the one seen. It is not the"
        " chance that nothing differs (posteriors tell such), and a large one is no sign of equality (tost and"
        " non_inferiority show that). `level=0.95` concludes below 0.05.",
        "compare, correlated_t_posterior, tost",
        aliases="significance, significance_level, statistical_significance, null_hypothesis, type_i_error",
        keywords="type I error, NHST, hypothesis test, null hypothesis significance testing, alpha level, critical"
        " value, degrees of freedom, one-tailed, two-tailed, one-sided, two-sided, t statistic, z score,"
        " test statistic, critical region, rejection region, type S error, type M error",
    ),
    "percentage_errors": Topic(
        "Percentage errors",
        "There is no mean absolute percentage error: it has no value where the target is 0 and punishes"
        " predicting too much more than too little. relative_absolute_error compares with always naming the"
        " mean; a score of one's own is eight lines, per_row.",
        "relative_absolute_error, mae, per_row",
        aliases="mape, mean_absolute_percentage_error, smape",
        keywords="per cent error",
    ),
    "rank_intervals": Topic(
        "Intervals of ranks",
        "`intervals='marginal'` of rank adds an interval of each learner's expected rank on a data set,"
        " 'simultaneous' one for all learners at once, and the places that the adjusted pairs leave it: behind all that"
        " are concluded to be better, before all that are concluded to be worse.",
        "rank, nemenyi, critical_difference",
        aliases="intervals_for_ranks, rank_interval, confidence_intervals_for_ranks, rank_uncertainty",
    ),
    "rope": Topic(
        "Region of practical equivalence",
        "Differences between -rope and rope count as none. Posteriors take it, as in"
        " correlated_t_posterior(rope=0.01), and give three probabilities: lower, practically equal, higher."
        " tost tests the same with a margin.",
        "correlated_t_posterior, signed_rank_posterior, hierarchical_posterior, sign_posterior, tost",
        aliases="region_of_practical_equivalence, practical_equivalence, smallest_effect_of_interest, bayes_factor",
    ),
    "seed": Topic(
        "Seeds",
        "Every random draw follows from `seed=`, and so do splits and learners that take a random_state: the"
        " same seed gives the same numbers whatever the number of workers, their order or the engine. Results name"
        " their seed.",
        "evaluate, run, estimate",
        aliases="random_seed, random_state, reproducibility, reproducible, determinism",
        keywords="randomness, repeatability",
    ),
    "threshold_of_labels": Topic(
        "The threshold of labels",
        "A row is predicted to be of its most probable class, the first among equals, as scikit-learn's predict says;"
        " with `threshold=` it is predicted positive when its probability is at least that."
        " best_threshold chooses one by costs or by a score on validation rows and reports it on test rows;"
        " the threshold curve shows scores at all of them.",
        "best_threshold, threshold, roc_hull",
        aliases="cutoff, cut_off, decision_threshold, cutpoint",
    ),
}


def topic_articles() -> Iterator[Article]:
    """The pages, in order of their names."""
    for name, topic in sorted(TOPICS.items()):
        aliases, keywords = map(split_words, (topic.aliases, topic.keywords))
        says = topic.says
        facts = {"name": name, "kind": "topic", "title": topic.title, "says": says, "see": topic.see.split(", ")}
        sections = (ManualSection("", (says,)), ManualSection("See", (topic.see,)))
        yield Article("topic", name, topic.title, sections, {**facts, "aliases": aliases}, aliases, keywords)
