"""Names for what users hand over, which say more than Any; what it is, is checked where it enters."""

from __future__ import annotations

from typing import Any, TypeAlias

Column: TypeAlias = Any  # one value per row: a list, an array, a column of a frame
Table: TypeAlias = Any  # rows x columns: an array, lists, a frame of pandas, polars or Arrow, a mapping of columns
Label: TypeAlias = Any  # a class as it comes in the truth: a text, a number, a truth value
Learner: TypeAlias = Any  # an object with fit and predict
Learners: TypeAlias = Any  # one learner, or a mapping of names to learners
DesignLike: TypeAlias = Any  # the name of a design or estimator, a splitter of scikit-learn, or several of them
Numbers: TypeAlias = Any  # one number, or several in a list or array
Grid: TypeAlias = Any  # a mapping of parameters to their values, or a list of settings
Preparation: TypeAlias = Any  # "default", None, or a transformer of scikit-learn
Words: TypeAlias = Any  # one text or several
Advised: TypeAlias = Any  # evidence, runs, a study or its plan
