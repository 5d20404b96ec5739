"""The closed table of assumptions that methods cite by code."""

ASSUMPTIONS = {
    "IID": "rows are independent and drawn from the population that is meant",
    "FIX": "the model was fixed before the test rows were looked at",
    "PAIR": "both models were tried on the same rows",
    "NORM": "the statistic is close to normal",
    "BND": "the loss lies in a known range",
    "EXCH": "rows are exchangeable under the null hypothesis",
    "RHO": "the correlation between results of two splits equals the share of rows tested",
    "STAB": "the learner is stable: one row changes the model little",
    "DSI": "data sets are independent of each other",
    "SYM": "differences are symmetric about their centre",
    "COMM": "scores can be compared in size across data sets",
    "SPH": "sphericity: differences between any two learners vary equally",
    "SIMES": "p-values are independent or positively dependent",
    "LOGIC": "equality is transitive: if A equals B and B equals C then A equals C",
    "PRIOR": "the result depends on a stated prior",
    "BIG": "asymptotic: the number of rows is large",
}
