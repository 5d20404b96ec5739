"""Models or learners against each other.

A source becomes a contest (`make_contest`, `of_models`, `of_learners`), runs on several data sets a matrix of scores
(`matrix_of_runs`). `judge` judges a pair, `pair_plan` and `judge_family` all pairs of a ranking or a comparison,
`weka_table` every pair on every data set. The verbs are `compare` and `rank`.
"""
