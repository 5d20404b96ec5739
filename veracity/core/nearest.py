"""What a name that is not there may have meant: other spellings, names that others use, the start of a name."""

from __future__ import annotations

import difflib
from collections.abc import Collection

ELSEWHERE = {  # what scores are called elsewhere
    "ap": "average_precision",
    "average_accuracy": "balanced_accuracy",
    "cross_entropy": "log_loss",
    "crossentropy": "log_loss",
    "ece": "calibration_error",
    "eer": "equal_error_rate",
    "f1": "fbeta",
    "f1_score": "fbeta",
    "f2": "fbeta",
    "f_measure": "fbeta",
    "fdr": "false_discovery_proportion",
    "fnr": "false_negative_rate",
    "for": "false_omission_rate",
    "fpr": "false_positive_rate",
    "hit_rate": "recall",
    "informedness": "youden",
    "iou": "jaccard",
    "matthews": "mcc",
    "matthews_corrcoef": "mcc",
    "mean_absolute_error": "mae",
    "mean_squared_error": "mse",
    "misclassification": "error",
    "npv": "negative_predictive_value",
    "pearson": "correlation",
    "positive_predictive_value": "precision",
    "ppv": "precision",
    "pr_auc": "average_precision",
    "root_mean_squared_error": "rmse",
    "sensitivity": "recall",
    "tnr": "specificity",
    "tpr": "recall",
    "true_negative_rate": "specificity",
    "true_positive_rate": "recall",
    "zero_one_loss": "error",
}


def nearest(name: str, names: Collection[str]) -> list[str]:
    """The few names that come closest, the most likely first."""
    plain = name.strip().lower().replace("-", "_")
    meant = ELSEWHERE.get(plain, plain)
    if meant in names:
        return [meant]
    begun = [each for each in names if len(plain) > 2 and each.startswith(plain)]
    alike = difflib.get_close_matches(plain, names, n=3, cutoff=0.5)
    return list(dict.fromkeys(begun + alike))[:3]
