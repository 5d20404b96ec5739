"""Pages for what is neither a method nor a verb, named as one would type them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from veracity.methods.articles import Article
from veracity.tables.manual import ManualSection


class Topic(NamedTuple):
    """A title, what is to be said, where to read on, and the words by which it is sought."""

    title: str
    says: str
    see: str  # names of methods, verbs and topics, with commas between
    aliases: str = ""
    keywords: str = ""


TOPICS = {
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
        keywords="macro averaging, micro averaging, multi-class, multiclass, one versus rest, one-vs-rest, ovr, ovo",
    ),
    "baseline": Topic(
        "Baselines",
        "A score means something beside that of naming the majority class, or the mean. In a study checks ="
        ' ["baseline"] fits such a rule beside the learners; relative errors, kb_information and'
        " sf_entropy_gain measure against it; one_sample tests a model against a value; permutation_test asks"
        " whether there is anything to learn.",
        "relative_absolute_error, kb_information, one_sample, permutation_test",
        aliases="zeror, dummy_classifier, majority_class, null_model, no_information_rate",
        keywords="majority vote, trivial classifier, chance level, random guessing",
    ),
    "class_imbalance": Topic(
        "Rare classes",
        "Where one class is rare, error and accuracy hardly move: balanced_accuracy, mcc, average_precision and cost"
        " do. Designs keep the shares of classes in all parts (stratified='auto'); intervals count the rows of the"
        " rare class, and a caution tells when these are few. prevalence is the share of positive rows.",
        "balanced_accuracy, average_precision, cost, prevalence, stratified",
        aliases="imbalanced_data, imbalance, rare_class, skewed_classes, class_skew",
        keywords="minority class, accuracy paradox, oversampling, SMOTE",
    ),
    "confidence_interval": Topic(
        "How sure a number is",
        "Every estimate has an interval: level=0.95 holds in 95 of 100 samples of new rows, or of new training sets"
        " where it is that of a learner. list defaults shows which method is taken for what and why, interval= names"
        " another, side= makes a bound of it, and explain tells how often each held where the truth is known.",
        "estimate, wilson, hall_t, conservative_t, interval_width",
        aliases="confidence_intervals, interval, error_bar, error_bars, confidence_level",
        keywords="standard error, uncertainty, confidence limits, confidence bound",
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
        keywords="true positives, false positives, false negatives, true negatives, TP, FP, FN, TN",
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
        " unit, and often all that is needed. compare and rank add standardised ones by effect=: cohens_d (beside how"
        " much differences vary), cliffs_delta and a12 (how often one is higher). None is small or large by itself. Of"
        " scores of splits, which are correlated, they have no interval.",
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
        keywords="expected prediction error, unseen data, no free lunch, Bayes error, irreducible error",
    ),
    "groups": Topic(
        "Rows that belong together",
        "groups= names the cluster of each row, such as the patient of a visit. Intervals and tests then"
        " count groups, not rows, and designs keep a group on one side of every split (grouped='auto')."
        " Without it intervals are too narrow and estimates too good.",
        "clustered_mcnemar, kfold, predictions, slices",
        aliases="clusters, clustered_rows, grouped",
        keywords="dependent rows, repeated measurements, patients, leakage by groups, pseudo-replication,"
        " leave-one-group-out, group k-fold, leave-one-subject-out, clustered data, hierarchical data",
    ),
    "leakage": Topic(
        "Leakage",
        "What is chosen or fitted on all rows (scaling, features, parameters) has seen the test rows. Put it"
        " into the learner, as a pipeline or by tuned, and it is done anew inside each training part. Groups"
        " and time belong in the design; duplicate rows on both sides are told of.",
        "groups, tuned, nested, time_order",
        aliases="data_leakage, target_leakage, contamination, train_test_contamination",
        keywords="feature selection outside the loop",
    ),
    "multiple_testing": Topic(
        "Several tests at once",
        "Of twenty true hypotheses one is rejected at 5 % by chance. compare of more than two adjusts its"
        " p-values by holm unless then= names another; adjust does so for any p-values. bonferroni, holm,"
        " hochberg and hommel bound the chance of any false rejection; benjamini_hochberg bounds their"
        " expected share.",
        "adjust, holm, bonferroni, benjamini_hochberg",
        aliases="multiple_comparisons, multiplicity, p_value_adjustment",
        keywords="p-hacking, peeking, optional stopping, sequential testing, publication bias, HARKing",
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
        " regression), no rebalancing of classes. It has no scores of clusters (silhouette), of several labels of one"
        " row, of rankings of items, or of texts and pictures (BLEU). A loss that is a mean over rows, such as hinge,"
        " Huber or top-k, is a score of one's own in eight lines (per_row), or is read ready-made, loss=.",
        "per_row, per_counts, mean, calibration, conformal",
        keywords="hinge loss, Huber loss, hamming loss, multi-label, top-5 accuracy, top-k, BLEU, ROUGE, silhouette,"
        " clustering, NDCG, ranking loss, RMSLE, max error, concordance correlation, Platt scaling, pass at k, SAR,"
        " isotonic regression, temperature scaling, spherical score, Spearman, Kendall, rank correlation, AIC, BIC,"
        " information criterion, H-measure, G-mean",
    ),
    "p_value": Topic(
        "p-value",
        "The chance, if nothing differs, of a result at least as extreme as the one seen. It is not the"
        " chance that nothing differs (posteriors tell such), and a large one is no sign of equality (tost and"
        " non_inferiority show that). level=0.95 concludes below 0.05.",
        "compare, correlated_t_posterior, tost",
        aliases="significance, significance_level, statistical_significance, null_hypothesis, type_i_error",
        keywords="type I error, NHST, hypothesis test, null hypothesis significance testing, alpha level,"
        " critical value, degrees of freedom",
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
    "positives_only": Topic(
        "Positives only",
        "predictions(..., labelled='positives'), or --labelled positives, says that rows not labelled positive are"
        " unknown, not negative; their labels may be empty, or such rows may be missing altogether. What needs no true"
        " negatives can then be had: recall, false_negative_rate (with their intervals) and positive_rate, of positives"
        " like the labelled ones. Precision, error and all else are undefined or refused, with the reason.",
        "false_negative_rate, recall, positive_rate, unlabelled, predictions",
        aliases="positive_unlabelled, positive_unlabeled, pu_learning, only_positives",
        keywords="positive-unlabelled learning, misses among known positives",
    ),
    "rank_intervals": Topic(
        "Intervals of ranks",
        "rank(..., intervals='marginal') adds an interval of each learner's expected rank on a data set,"
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
        "Every random draw follows from seed=, and so do splits and learners that take a random_state: the same seed"
        " gives the same numbers whatever the number of workers, their order or the engine. Results name their seed.",
        "evaluate, run, estimate",
        aliases="random_seed, random_state, reproducibility, reproducible, determinism",
        keywords="randomness, repeatability",
    ),
    "stratified": Topic(
        "Stratification",
        "Designs spread each class evenly over their parts where the target is of classes"
        " (stratified='auto'); stratified=False draws rows regardless of class. With groups known, whole"
        " groups are dealt out.",
        "kfold, repeated_kfold, holdout",
        aliases="stratification, stratified_sampling, stratify",
        keywords="stratified folds",
    ),
    "threshold_of_labels": Topic(
        "The threshold of labels",
        "Of two classes a row is predicted positive when its probability is at least 0.5, or threshold=."
        " best_threshold chooses one by costs or by a score on validation rows and reports it on test rows;"
        " the threshold curve shows scores at all of them.",
        "best_threshold, threshold, roc_hull",
        aliases="cutoff, cut_off, decision_threshold, cutpoint",
    ),
    "time_order": Topic(
        "Rows in time",
        "With time known (time=), designs train on what comes before what they test (ordered='auto'); gap="
        " leaves rows out between the two.",
        "kfold, holdout",
        aliases="time_series, temporal_split, walk_forward, time_series_cross_validation, time_series_split",
        keywords="forecasting, backtesting, concept drift, covariate shift, autocorrelation, blocked cross-validation",
    ),
    "undefined": Topic(
        "Undefined scores",
        "A score that the rows do not determine, such as the precision of a model that predicts no row"
        " positive, is Undefined: a float that is NaN and has a .reason, null in JSON with a note, never 0.",
        "precision, score",
        aliases="zero_division, not_a_number, nan",
        keywords="division by zero",
    ),
    "unlabelled": Topic(
        "Rows without a label",
        "predictions(..., labelled='some'), or --labelled some, sets rows without a label aside: scores are of the"
        " others. posterior_fdr reads probabilities alone and tells how many of the unlabelled rows can be called"
        " discoveries before more than a share alpha of them is expected to be false; no truth is needed at all"
        " (predictions(None, proba=..., labelled='some'); curve without --truth). The probabilities must be calibrated:"
        " labelled rows that reach the threshold tell whether they are, as far as rows were labelled at random.",
        "posterior_fdr, calibration, positives_only, predictions",
        aliases="unlabelled_rows, unlabeled, unlabeled_rows, no_labels, semi_supervised, missing_labels",
        keywords="rows without truth, false discoveries among new rows",
    ),
    "weights": Topic(
        "Weights and repeats",
        "weights= are sampling weights: values as of repeated rows, intervals as of single ones. counts= are repeats.",
        "predictions, groups",
        aliases="sample_weight, sample_weights, case_weights, sampling_weights, class_weights, importance_weighting",
    ),
}


def topic_articles() -> Iterator[Article]:
    """The pages, in order of their names."""
    for name, topic in sorted(TOPICS.items()):
        aliases, keywords = (
            tuple(word.strip() for word in words.split(",") if word.strip())
            for words in (topic.aliases, topic.keywords)
        )
        facts = {"name": name, "kind": "topic", "title": topic.title, "says": topic.says, "see": topic.see.split(", ")}
        sections = (ManualSection("", (topic.says,)), ManualSection("See", (topic.see,)))
        yield Article("topic", name, topic.title, sections, {**facts, "aliases": aliases}, aliases, keywords)
