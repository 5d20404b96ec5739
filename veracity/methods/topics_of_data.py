"""Pages for what rows may be like: in groups, in time, without labels, with weights."""

from veracity.methods.sought import Topic

NO_TRUTH = "`vc.predictions(None, proba=..., labelled='some')`"
TOPICS_OF_DATA = {
    "class_imbalance": Topic(
        "Rare classes",
        "Where one class is rare, error and accuracy hardly move: balanced_accuracy, mcc, average_precision and cost"
        " do. Designs keep the shares of classes in all parts (stratified='auto'); intervals count the rows of the"
        " rare class, and a caution tells when these are few. prevalence is the share of positive rows.",
        "balanced_accuracy, average_precision, cost, prevalence, stratified",
        aliases="imbalanced_data, imbalance, rare_class, skewed_classes, class_skew",
        keywords="minority class, accuracy paradox, oversampling, SMOTE, skew-insensitive measure, insensitive to"
        " skew, few positives, false positive paradox",
    ),
    "groups": Topic(
        "Rows that belong together",
        "`groups=` names the cluster of each row, such as the patient of a visit. Intervals and tests then"
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
        keywords="feature selection outside the loop, wrapper, test set contamination, data snooping",
    ),
    "missing": Topic(
        "Missing values",
        "A cell without a value is refused, with the first line that has one. `missing='drop'` leaves"
        " out rows with such cells in a column that is read, and of several models rows that not all have; what was"
        " left out is counted and told. Nothing is ever filled in. Where labels are missing because nobody knows them,"
        " use `labelled=` instead.",
        "read_predictions, unlabelled, positives_only, undefined",
        aliases="missing_values, missing_data, incomplete_rows",
        keywords="NaN, NA, null cells, na_rm, na.omit, dropna, imputation",
    ),
    "positives_only": Topic(
        "Positives only",
        "`labelled='positives'` says that rows not labelled positive are"
        " unknown, not negative; their labels may be empty, or such rows may be missing altogether. What needs no true"
        " negatives can then be had: recall, false_negative_rate (with their intervals) and positive_rate, of positives"
        " like the labelled ones. Precision, error and all else are undefined or refused, with the reason.",
        "false_negative_rate, recall, positive_rate, unlabelled, predictions",
        aliases="positive_unlabelled, positive_unlabeled, pu_learning, only_positives",
        keywords="positive-unlabelled learning, misses among known positives",
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
    "time_order": Topic(
        "Rows in time",
        "With time known (time=), designs train on what comes before what they test (ordered='auto'); gap="
        " leaves rows out between the two.",
        "kfold, holdout",
        aliases="time_series, temporal_split, walk_forward, time_series_cross_validation, time_series_split",
        keywords="forecasting, backtesting, concept drift, covariate shift, autocorrelation, blocked"
        " cross-validation, blocked CV, expanding window, rolling window, forward chaining,"
        " createTimeSlices, h-block, model staleness, model decay",
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
        f"`labelled='some'` sets rows without a label aside: scores are of the"
        " others. posterior_fdr reads probabilities alone and tells how many of the unlabelled rows can be called"
        " discoveries before more than a share alpha of them is expected to be false; no truth is needed at all"
        f" ({NO_TRUTH}). The probabilities must be calibrated:"
        " labelled rows that reach the threshold tell whether they are, as far as rows were labelled at random.",
        "posterior_fdr, calibration, positives_only, predictions",
        aliases="unlabelled_rows, unlabeled, unlabeled_rows, no_labels, semi_supervised, missing_labels",
        keywords="rows without truth, false discoveries among new rows",
    ),
    "weights": Topic(
        "Weights and repeats",
        "`weights=` are sampling weights: values as of repeated rows, intervals as of single ones."
        " `counts=` are repeats.",
        "predictions, groups",
        aliases="sample_weight, sample_weights, case_weights, sampling_weights, class_weights, importance_weighting",
    ),
}
