"""A study file: all mistakes in one go, each with its place."""

import pytest

import veracity as vc
from veracity.core.errors import Mistakes

GOOD = """
seed = 7
by = "kfold(k=3)"
scores = ["error", "log_loss"]
checks = ["baseline"]
timeout = 60

[data]
iris = "sklearn:load_iris"
credit = { file = "credit.csv", target = "class", positive = "bad", groups = "customer", leave_out = ["id"] }

[learners]
nb = "sklearn.naive_bayes:GaussianNB"
knn = { use = "sklearn.neighbors:KNeighborsClassifier", n_neighbors = 5 }
own = "my_learners:Own"

[questions]
rank = { score = "error", using = "iman_davenport", then = "shaffer" }
compare = { score = "error", using = "corrected_t", pairs = [["nb", "knn"]] }
"""
OWN = "from sklearn.naive_bayes import GaussianNB\n\n\nclass Own(GaussianNB):\n    pass\n"


@pytest.fixture
def write(tmp_path):
    """A study file with a data file and a module of learners beside it."""
    rows = "".join(
        f"{i},{i % 7},{'red' if i % 2 else 'blue'},{'bad' if i % 3 else 'good'},{i // 4}\n" for i in range(60)
    )
    (tmp_path / "credit.csv").write_text("id,size,colour,class,customer\n" + rows)
    (tmp_path / "my_learners.py").write_text(OWN)

    def write(text):
        (tmp_path / "study.toml").write_text(text)
        return tmp_path / "study.toml"

    return write


def mistakes(path):
    with pytest.raises(Mistakes) as why:
        vc.Study.read(path, trust_here=True)
    return {mistake.path: mistake.says for mistake in why.value.mistakes}


def test_a_study_is_what_its_file_says(write):
    study = vc.Study.read(write(GOOD), trust_here=True)
    assert (study.seed, study.by, study.scores, study.timeout) == (7, ("kfold(k=3)",), ("error", "log_loss"), 60)
    credit = study.data["credit"]
    assert credit.columns == ("size", "colour") and credit.classes[credit.positive] == "bad"
    assert credit.groups is not None and len(credit) == 60
    assert study.learners["knn"].n_neighbors == 5
    assert type(study.learners["own"]).__name__ == "Own"
    assert study.questions["compare"]["pairs"] == [["nb", "knn"]] and study.questions["compare"]["score"] == "error"
    assert len(study.plan()) == 2 * 3 * 3


def test_a_comparison_may_be_of_several_scores(write):
    several = GOOD.replace('compare = { score = "error"', 'compare = { score = ["error", "brier"]')
    study = vc.Study.read(write(several), trust_here=True)
    assert study.questions["compare"]["score"] == ["error", "brier"]
    wrong = mistakes(write(several.replace('"brier"', '"brierr"')))
    assert list(wrong) == ["questions.compare.score[1]"] and "brier" in wrong["questions.compare.score[1]"]
    assert mistakes(write(several.replace('["error", "brier"]', "[]"))) == {
        "questions.compare.score": "name at least one"
    }
    assert len(study.plan().plan.extra) == 2 * 3


def test_every_mistake_is_told_with_its_path(write):
    found = mistakes(
        write("""
sead = 7
by = ["kfold(k=3)", "kfld"]
scores = ["eror", "auc"]
final = "yes"
[data]
iris = "sklearn:load_irs"
gone = { file = "gone.csv", target = "y" }
credit = { file = "credit.csv", target = "klass", positiv = "bad" }
[learners]
nb = "sklearn.naive_bayes:GausianNB"
knn = { use = "sklearn.neighbors:KNeighborsClassifier", n_neighbours = 5 }
logit = { tune = "sklearn.linear_model:LogisticRegression", grid = { C = [1] }, rule = "one_se" }
[questions]
compare = { score = "errr", pairs = [["nb", "kn"]] }
""")
    )
    assert set(found) == {
        "sead",
        "by[1]",
        "scores[0]",
        "final",
        "data.iris",
        "data.gone",
        "data.credit",
        "data.credit.positiv",
        "learners.nb",
        "learners.knn",
        "learners.logit",
        "questions.compare.score",
        "questions.compare.pairs[0]",
    }
    assert found["sead"] == "there is no such key: did you mean seed?"
    assert found["final"] == "this must be true or false, not 'yes'"
    assert "did you mean kfold?" in found["by[1]"]
    assert "did you mean n_neighbors" in found["learners.knn"]
    assert "there is no rule called 'one_se': did you mean one_standard_error?" in found["learners.logit"]
    assert "'klass'" in found["data.credit"]


def test_words_of_a_ranking_that_contradict_each_other(write):
    found = mistakes(write(GOOD.replace('then = "shaffer"', 'then = "nemenyi", pairs = "wilcoxon"')))
    assert list(found) == ["questions.rank"]
    assert "by their mean ranks, not by wilcoxon: leave out `pairs=`" in found["questions.rank"]


def test_five_mistakes_are_five_lines(write):
    path = write(
        'seed = "x"\nby = "kfold(k=3)"\nscores = "eror"\n[data]\na = 1\n[learners]\nnb = "sklearn.svm"\nb = 2\n'
    )
    with pytest.raises(Mistakes) as why:
        vc.Study.read(path)
    lines = str(why.value).splitlines()
    assert len(lines) == 5
    assert all(line.startswith(f"{path}: ") for line in lines)
    assert [line.removeprefix(f"{path}: ").split(":")[0] for line in lines] == [
        "seed",
        "scores",
        "data.a",
        "learners.b",
        "learners.nb",
    ]


def test_what_is_missing_is_told_with_an_example(write):
    found = mistakes(write(""))
    assert set(found) == {"by", "data", "learners"}
    assert 'by = "kfold(k=10)"' in found["by"]
    assert mistakes(write('by = "kfold"\n[data]\n[learners]\n')) == dict.fromkeys(
        ("data", "learners"), "name at least one"
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[data]\ncredit = { target = 'class' }", "no file is named"),
        ("[data]\ncredit = 'credit.csv'", "the column to be predicted is not named"),
        ("[data]\niris = { file = 'sklearn:load_iris', target = 'x' }", "is built in"),
        ("timeout = 0", "this must be larger than 0, not 0"),
        ("prepare = 3", "a transformer such as"),
        ("checks = ['everything']", "there is no check called 'everything': there are baseline, deterministic"),
    ],
)
def test_single_mistakes(write, text, says):
    head = 'by = "kfold(k=3)"\n' + text
    data = "" if "[data]" in text else '\n[data]\niris = "sklearn:load_iris"'
    found = mistakes(write(f'{head}{data}\n[learners]\nnb = "sklearn.naive_bayes:GaussianNB"\n'))
    assert len(found) == 1
    assert says in next(iter(found.values()))


def test_no_file_and_no_toml(tmp_path):
    with pytest.raises(vc.BadInput, match="there is no study file"):
        vc.Study.read(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_text("by = [")
    with pytest.raises(vc.BadInput, match=r"bad\.toml is not TOML"):
        vc.Study.read(tmp_path / "bad.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(vc.BadInput, match="it is not text"):
        vc.Study.read(tmp_path / "bytes.toml")


def test_a_preparation_of_ones_own(write):
    tail = '\n[data]\ncredit = { file = "credit.csv", target = "class" }'
    tail += '\n[learners]\nnb = "sklearn.naive_bayes:GaussianNB"\n'
    study = vc.Study.read(write('by = "kfold(k=3)"\nprepare = "sklearn.preprocessing:OrdinalEncoder"' + tail))
    assert type(study.data["credit"].prepare).__name__ == "OrdinalEncoder"
    assert vc.Study.read(write('by = "kfold(k=3)"\nprepare = "none"' + tail)).data["credit"].prepare is None


@pytest.mark.parametrize(
    ("learner", "says"),
    [
        ('tune = "sklearn.naive_bayes:GaussianNB"', "grid is not there"),
        ('tune = "sklearn.naive_bayes:GaussianNB", grid = {}', "the grid is empty"),
        ('tune = "sklearn.naive_bayes:GaussianNB", grid = { smoothing = [1] }', "did you mean var_smoothing?"),
        ('tune = "sklearn.naive_bayes:GaussianNB", grid = { priors = [1] }, score = "brir"', "did you mean brier"),
        ('tune = "sklearn.naive_bayes:GaussNB", grid = { priors = [1] }', "did you mean GaussianNB?"),
        ("tune = 3, grid = {}", "this must be a text in quotes"),
    ],
)
def test_mistakes_of_a_tuned_learner(write, learner, says):
    found = mistakes(write(f'by = "kfold(k=3)"\n[data]\niris = "sklearn:load_iris"\n[learners]\nl = {{ {learner} }}\n'))
    assert any(says in text for text in found.values()), found


PIPELINE = """
by = "kfold(k=3)"
[data]
iris = "sklearn:load_iris"
[learners.l]
grid = { nb__var_smoothing = [1e-9, 0.1] }
[learners.l.tune]
use = "sklearn.pipeline:Pipeline"
steps = [
  ["scale", { use = "sklearn.preprocessing:StandardScaler" }],
  ["nb", { use = "sklearn.naive_bayes:GaussianNB" }],
]
"""


def test_what_is_tuned_may_be_a_pipeline(write):
    tuned = vc.Study.read(write(PIPELINE)).learners["l"]
    assert tuned.learner.steps[1][0] == "nb" and tuned.by is None and tuned.rule == "best"


def test_verdicts_on_single_data_sets_may_be_adjusted_and_have_no_test_of_pairs(write):
    asked = GOOD.replace('using = "iman_davenport", then = "shaffer"', 'using = "corrected_t", then = "holm"')
    assert vc.Study.read(write(asked)).questions["rank"]["then"] == "holm"
    found = mistakes(write(asked.replace('then = "holm"', 'pairs = "sign"')))
    assert list(found) == ["questions.rank"] and "uses no `pairs=`: leave it out" in found["questions.rank"]
