"""`compare` and `rank`: from predictions, runs or scores to tests of pairs with adjusted p-values.

`sources` and `score_sources` turn what a user gives into what can be compared. `compare` tests single pairs and
families of them, `rank` all pairs over data sets, `per_dataset` every pair on every data set. The public functions are
`compare`, `rank`, `replicability` and `ledger`.
"""
