"""Numbers are estimated, compared and ranked without a word about the score."""

STUDY = """
by = "kfold(k=3)"
[data]
one = "sklearn:load_diabetes"
two = { file = "two.csv", target = "y" }
[learners]
line = "sklearn.linear_model:LinearRegression"
mean = "sklearn.dummy:DummyRegressor"
ridge = "sklearn.linear_model:Ridge"
"""


def test_every_verb_takes_the_same_score(here, run, said):
    rows = "\n".join(f"{k % 7},{k % 5},{k % 7 + k % 5 + k / 100}" for k in range(40))
    (here / "two.csv").write_text(f"a,b,y\n{rows}\n")
    (here / "study.toml").write_text(STUDY)
    assert run("run", "study.toml", "--store", "kept.db", "--json").exit_code == 0
    assert set(said("estimate", "kept.db")["estimates"]["one"]["line"]) == {"rmse"}
    assert said("compare", "kept.db", "--data", "two", "--pair", "line,mean")["score"] == "rmse"
    assert said("rank", "kept.db") == said("rank", "kept.db", "--score", "rmse")
    assert set(said("report", "kept.db")["estimates"]["two"]["mean"]) == {"rmse"}


def test_columns_of_numbers(here, said):
    rows = "\n".join(f"{k},{k + k % 3},{k + k % 4}" for k in range(40))
    (here / "p.csv").write_text(f"y,a,b\n{rows}\n")
    assert said("compare", "p.csv", "--truth", "y", "--number", "a", "--number", "b")["score"] == "rmse"
