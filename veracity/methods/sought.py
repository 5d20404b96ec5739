"""The words by which verbs, what is not here, and things in other languages are sought."""

from typing import NamedTuple


class Topic(NamedTuple):
    """A title, what is to be said, where to read on, and the words by which it is sought."""

    title: str
    says: str
    see: str  # names of methods, verbs and topics, with commas between
    aliases: str = ""
    keywords: str = ""


class Sought(NamedTuple):
    """What a verb is also called, and the words by which it is sought."""

    aliases: str = ""
    keywords: str = ""


SOUGHT = {
    "run": Sought(keywords="resume a stopped run, continue, restart"),
    "advise": Sought(
        keywords="which test should I use, choose a test, choose an interval, recommend, choice of method"
    ),
    "predictions": Sought(
        keywords="pos_label, positive class, predict_proba, decision_function, gold standard, ground truth"
    ),
    "scorecard": Sought(
        keywords="yardstick, MLmetrics, twoClassSummary, multiClassSummary, defaultSummary, prSummary, postResample,"
        "  sklearn.metrics, performance measures, evaluation metrics, binary"
        " classification metrics, regression metrics"
    ),
    "per_row": Sought(keywords="make_scorer, custom metric, own score, scorer"),
    "adjust": Sought(aliases="p_adjust, multipletests", keywords="adjusted p-values"),
    "best_threshold": Sought(
        aliases="optimal_threshold, threshold_tuning",
        keywords="optimal cut-off, decision threshold, cost-optimal threshold, TunedThresholdClassifierCV,"
        " FixedThresholdClassifier, Neyman-Pearson, cutpointr, coords, closest to the top left corner, closest.topleft,"
        " ci.thresholds",
    ),
    "bias_variance": Sought(
        aliases="bias_variance_decomposition, bias_variance_tradeoff",
        keywords="bias variance, mlxtend bias_variance_decomp",
    ),
    "compare": Sought(
        keywords="is the difference real, significance test, A/B test of models, ablation, compare two classifiers,"
        " compare classifiers"
    ),
    "dominance": Sought(keywords="ROC dominance, Pareto dominance, one curve above the other, area between curves"),
    "evaluate": Sought(
        aliases="cross_validate, cross_val_score, cross_val_predict",
        keywords="trainControl, rsmp, resample, fit_resamples, benchmark_grid, benchmark of learners",
    ),
    "explain": Sought(keywords="help"),
    "lab": Sought(keywords="coverage, coverage probability, bias of an estimator, simulation study, Monte Carlo study"),
    "ledger": Sought(keywords="researcher degrees of freedom, garden of forking paths, test set reuse"),
    "learning_curve": Sought(
        aliases="sample_size_curve",
        keywords="more data, would more rows help, underfitting, training set size, should I collect more data",
    ),
    "optimism": Sought(
        keywords="generalisation gap, overfitting of the validation score, tuning bias, optimistic bias"
    ),
    "per_class": Sought(
        aliases="classification_report, scores_per_class, class_report",
        keywords="precision recall F1 support table, each class, detailed accuracy by class",
    ),
    "permutation_test": Sought(
        aliases="permutation_test_score",
        keywords="permutation, y-randomisation, is there any signal, better than chance",
    ),
    "power": Sought(
        aliases="sample_size",
        keywords="statistical power, power analysis, type II error, how many rows do I need, minimum detectable"
        " effect, beta error, power.prop.test, power.t.test, pwr, how much data do I need",
    ),
    "rank": Sought(
        aliases="autorank",
        keywords="several classifiers on several data sets, Demsar, benchmark, average rank, scmamp, statistical"
        " comparison of classifiers over multiple data sets",
    ),
    "report": Sought(keywords="HTML page"),
    "slices": Sought(
        aliases="subgroups",
        keywords="fairness, score per group, performance by subgroup, Simpson's paradox,"
        " statistical parity, equalized odds",
    ),
    "bbc_cv": Sought(
        aliases="bbc, bootstrap_bias_corrected_cv, bootstrap_bias_corrected_cross_validation, bias_corrected_cv",
        keywords="Tsamardinos, best of many configurations, winner's curse, selection bias, nested cross-validation"
        " without nesting, best of several models",
    ),
    "finite_class": Sought(
        aliases="pac_sample_size, sample_complexity",
        keywords="PAC, union bound, number of hypotheses, epsilon, delta, rows needed",
    ),
    "interval_width": Sought(
        aliases="rows_needed, sample_size_for_width, margin_of_error",
        keywords="how many rows, how many test cases, test set size, width of an interval, precision of an"
        " estimate, planning, required number of test examples",
    ),
    "replicability": Sought(
        aliases="replicability_analysis, partial_conjunction, how_many_data_sets",
        keywords="Dror, Benjamini, Heller, replication, better on how many data sets, generality",
    ),
    "stopped": Sought(aliases="early_stopper", keywords="early stopping"),
    "tuned": Sought(
        aliases="grid_search, gridsearchcv, hyperparameter_tuning, model_selection",
        keywords="tuning, hyperparameter search, RandomizedSearchCV, random search, successive halving, Optuna,"
        " adaptive_cv, racing",
    ),
    "validation_curve": Sought(
        aliases="complexity_curve", keywords="elbow, overfitting, underfitting, model complexity, regularisation path"
    ),
    "worst": Sought(keywords="hardest rows, largest losses, error analysis"),
}
OUTSIDE = (  # what is asked for and is not here
    "hinge loss, Huber loss, hamming loss, multi-label, top-5 accuracy, top-k, BLEU, ROUGE, silhouette,"
    " clustering, NDCG, ranking loss, RMSLE, max error, concordance correlation, Platt scaling, pass at k,"
    " SAR, isotonic regression, temperature scaling, spherical score, Spearman, Kendall, rank correlation,"
    " AIC, BIC, information criterion, H-measure, G-mean, discounted cumulative gain, DCG, mean reciprocal"
    " rank, MRR, CRPS, continuous ranked probability score, Laplace correction, generalised cross-validation,"
    " GCV, minimum description length, MDL, Cp statistic, Mallows, bolstered error, smoothed error, geometric"
    " mean, optimised precision, optimisation precision, weighted kappa, Fleiss kappa, Scott's pi,"
    " Krippendorff's alpha, coverage of cases, coverage of cases (0.95 level), margin curve, margin of a"
    " classifier, Venkatraman test, attributable risk, Spiegelhalter z, Cohen's h, epsilon insensitive loss,"
    " Poisson deviance, gamma deviance, Tweedie, trimmed mean, Games-Howell, Student-Newman-Keuls, Duncan,"
    " Page trend test, Jonckheere, minimax risk, population stability index, PSI, covering numbers, inductive"
    " bias, algorithmic stability, Fowlkes-Mallows, prevalence threshold,  verification bias, spectrum bias,"
    " net reclassification improvement, NRI, IDI, TRIPOD, bpref, feature importance, SHAP, explainability,"
    " LIME"
)
OTHER_LANGUAGES = {  # what lectures in German, French and Spanish call things
    "error": "fehlerrate, klassifikationsfehler",
    "accuracy": "genauigkeit, korrektklassifikationsrate, exactitude, exactitud",
    "recall": "trefferquote, sensitivität, sensibilité, sensibilidad, rappel",
    "specificity": "spezifität, spécificité, especificidad",
    "precision": "relevanz, précision, precisión",
    "roc": "roc-kurve, courbe roc, curva roc",
    "false_positive_rate": "falsch-positiv-rate",
    "false_negative_rate": "falsch-negativ-rate",
    "cost": "kostenmatrix",
    "confusion_matrix": "konfusionsmatrix, wahrheitsmatrix, matrice de confusion, matriz de confusión",
    "kfold": "kreuzvalidierung, kreuzvalidation, gekreuzte Validierung, validation croisée, validación cruzada",
    "stratified": "schichtung",
    "holdout": "testmenge",
    "resubstitution": "trainingsfehler",
    "generalisation_error": "generalisierungsfehler",
    "overfitting": "überanpassung, surapprentissage, sobreajuste",
    "learning_curve": "lernkurve",
    "confidence_interval": "konfidenzintervall, vertrauensintervall, intervalle de confiance, intervalo de confianza",
    "p_value": "signifikanz",
    "compare": "signifikanztest",
    "effect_size": "effektstärke",
    "power": "stichprobengröße",
    "sign": "vorzeichentest",
    "wilcoxon": "vorzeichenrangtest",
    "permutation_test": "permutationstest",
    "threshold_of_labels": "schwellenwert",
    "mse": "mittlerer quadratischer fehler",
    "mae": "mittlerer absoluter fehler",
    "r2": "bestimmtheitsmaß",
}


def split_words(text: str) -> tuple[str, ...]:
    """What stands between the commas of a text."""
    return tuple(word.strip() for word in text.split(",") if word.strip())
