"""`compare` and `rank`: from predictions, runs or scores to tests of pairs with adjusted p-values.

`make_source` turns what a user gives into what can be compared, `score_matrices` runs on several data sets into a
matrix of scores. `compare_pair` tests one pair, `pairwise` all pairs of a ranking, `per_dataset` every pair on every
data set. The public functions are `compare`, `rank`, `replicability` and `ledger`.
"""
