"""`veracity run` of designs that are typed, and of data that learners cannot read."""

STUDY = """
by = "{}"
scores = ["error"]
[data]
iris = "sklearn:load_iris"
[learners]
nb = "sklearn.naive_bayes:GaussianNB"
"""
GROUPED = "sklearn.model_selection:StratifiedGroupKFold(n_splits=3)"


def grouped(here):
    rows = "".join(f"{i % 11},{'yes' if i % 12 < 4 else 'no'},{i % 12}\n" for i in range(72))
    (here / "grouped.csv").write_text("a,y,g\n" + rows)
    return "grouped.csv", "--target", "y", "--positive", "yes", "--groups", "g"


def test_the_design_that_is_advised_for_groups_can_be_typed(here, run, said):
    call = (*grouped(here), "--learner", "sklearn.naive_bayes:GaussianNB", "auc")
    refused = run("estimate", *call, "--by", "kfold(k=3, stratified=True)")
    assert refused.exit_code == 2 and GROUPED.replace("3", "5") in refused.stderr
    found = said("estimate", *call, "--by", GROUPED)["estimates"]["grouped"]["sklearn.naive_bayes:GaussianNB"]["auc"]
    assert found["low"] is not None and found["by"].startswith("StratifiedGroupKFold(n_splits=3")
    (here / "study.toml").write_text(STUDY.format(GROUPED.replace("Group", "")))
    assert run("run", "study.toml", "--store", "r.db").exit_code == 0
    assert said("estimate", "r.db", "error")["estimates"]["iris"]["nb"]["error"]["by"].startswith("StratifiedKFold(")


def test_a_text_that_names_no_splitter_is_no_design(here, run):
    call = (*grouped(here), "--learner", "sklearn.naive_bayes:GaussianNB", "error")
    result = run("estimate", *call, "--by", "sklearn.naive_bayes:GaussianNB")
    assert result.exit_code == 2 and "is a GaussianNB, which has no split: split is needed" in result.stderr


def test_a_learner_that_wants_numbers_and_meets_texts_is_told_the_way_out(here, run):
    rows = "".join(f"{i % 7},{'yes' if i % 2 else 'no'}\n" for i in range(40))
    (here / "words.csv").write_text("a,y\n" + rows)
    words = ("estimate", "words.csv", "--target", "y", "--kind", "classes", "--by", "kfold(k=2)", "error")
    told = run(*words, "--learner", "sklearn.linear_model:LinearRegression")
    assert told.exit_code == 1
    assert "its classes are texts and this learner wants numbers: encode them before" in told.stderr
