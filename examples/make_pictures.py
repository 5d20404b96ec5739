"""Make the pictures that README and the manual show, from cancer.csv and accuracies.csv."""

from pathlib import Path

import veracity as vc

HERE = Path(__file__).parent
PICTURES = HERE.parent / "docs" / "pictures"

models = {
    name: vc.read_predictions(HERE / "cancer.csv", truth="y", proba=column, positive="malignant")
    for name, column in {"logistic regression": "p_logit", "tree": "p_tree"}.items()
}
for file, kind in {"roc.png": "roc_hull(cost_fn=5)", "calibration.png": "calibration(bins=5)"}.items():
    vc.plot(models, kind).savefig(PICTURES / file, dpi=200, bbox_inches="tight")

ranking = vc.rank(HERE / "accuracies.csv", "accuracy")
vc.plot(ranking, "critical_difference").savefig(PICTURES / "critical_difference.png", dpi=150)
