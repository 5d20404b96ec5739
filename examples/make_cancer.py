"""Make cancer.csv: two models' predictions of held-out rows of scikit-learn's breast cancer data (Wisconsin).

The models see only mean texture and mean smoothness, so that they make mistakes worth looking at.
"""

from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

data = load_breast_cancer()
features = data.data[:, [1, 4]]
rows = np.arange(len(data.target))
train, test = train_test_split(rows, test_size=0.5, random_state=0, stratify=data.target)
models = {
    "p_logit": make_pipeline(StandardScaler(), LogisticRegression()),
    "p_tree": DecisionTreeClassifier(max_depth=4, random_state=0),
}
chances = {
    name: model.fit(features[train], data.target[train]).predict_proba(features[test])[:, 0]
    for name, model in models.items()
}
texture = np.where(data.data[test, 1] > np.median(data.data[:, 1]), "coarse", "smooth")
truth = data.target_names[data.target[test]]
lines = ["row,y,p_logit,p_tree,texture"]
for k in np.argsort(test):
    lines.append(f"{test[k]},{truth[k]},{chances['p_logit'][k]:.6f},{chances['p_tree'][k]:.6f},{texture[k]}")
(Path(__file__).parent / "cancer.csv").write_text("\n".join(lines) + "\n")
