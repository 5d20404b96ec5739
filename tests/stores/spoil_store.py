"""A study whose store tests may spoil, and how they do so."""

import sqlite3

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import veracity as vc

K3, R2 = "kfold(k=3)", "repeated_kfold(k=3, repeats=2)"
ONE = "where key = (select min(key) from veracity_fits)"
PLACE = "data = 'a' and learner = 'nb' and design = 'kfold(k=3)'"


def make_study():
    draw = np.random.default_rng(5)
    features = draw.normal(size=(60, 2))
    target = np.where(features[:, 0] + draw.normal(size=60) > 0, "yes", "no")
    data = {"a": (features[:40], target[:40]), "b": (features, target)}
    tuned = vc.tuned(LogisticRegression(), grid={"C": [0.1, 1.0]}, by="kfold(k=2)", score="error")
    learners = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2), "tuned": tuned}
    return vc.Study(data, learners, [K3, R2], seed=1, checks=["baseline"], final=True)


def spoil(where, *statements):
    with sqlite3.connect(where) as other:
        for statement, *values in statements:
            other.execute(statement, values)
    other.close()


def codes(where):
    return {problem.code for problem in vc.check_store(where).problems}
