"""What the command line says is in its own words, and in sentences that are true of what was asked."""

import re

import pytest

PYTHON = re.compile(r"\b(by|using|then|interval|control|pairs|score|labelled|missing|level|side|seed)=")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("explain", "five_by_two_f"), "--by five_by_two"),
        (("explain", "corrected_kfold"), "--by kfold with the same k"),
        (("explain", "calibration_error"), "--interval delta"),
        (("explain", "confidence_interval"), "--level 0.95"),
        (("list", "defaults"), "--by kfold with the same k"),
        (("list", "topics"), "--labelled positives"),
    ],
)
def test_pages_and_lists_name_options_as_they_are_typed(run, words, says):
    shown = " ".join(run(*words).stdout.split())
    assert says in shown and not PYTHON.search(shown)


def test_the_same_in_python_is_in_its_words():
    import veracity as vc

    assert "by='five_by_two'" in " ".join(repr(vc.explain("five_by_two_f")).split())
    assert "interval='delta'" in str(vc.catalogue("defaults"))


def test_advice_speaks_the_language_of_who_asks(run, here):
    import veracity as vc

    rows = "\n".join(f"d{i},{i % 7 / 10},{i % 5 / 10 + 0.3},{i % 3 / 10}" for i in range(20))
    (here / "scores.csv").write_text(f"data,a,b,c\n{rows}\n")
    typed, printed = run("advise", "scores.csv").stdout, str(vc.advise(vc.read_scores("scores.csv")))
    assert "--pairs wilcoxon" in typed and "pairs='wilcoxon'" in printed and "--pairs" not in printed
    assert "assumes independent data sets" in typed and "assumes DSI" not in typed
    assert "independent data sets (DSI): data sets are independent of each other" in " ".join(typed.split())


def test_what_a_width_is_planned_of_is_named(run):
    refused = run("interval_width", "wilson", "--value", "0.1", "--rows", "20")
    assert refused.exit_code == 2
    assert "planned of one of auc, mean, share, not of 'wilson': for this one of a share, share --interval wilson" in (
        refused.stderr
    )
    assert "level=None" not in run("interval_width", "share", "--value", "0.1").stderr


def test_an_unknown_score_is_answered_by_what_is_near_and_where_all_are(run, here):
    (here / "p.csv").write_text("y,p\n1,0.9\n0,0.2\n1,0.7\n0,0.6\n")
    words = ("score", "p.csv", "--truth", "y", "--proba", "p", "--positive", "1")
    near, far = (run(*words, score).stderr for score in ("specificty", "zzzz"))
    assert re.search(r"did you mean specificity\? veracity list scores shows all \d+$", near.strip())
    assert re.search(r"'zzzz': veracity list scores shows all \d+; veracity explain zzzz looks", far)
    assert "youden" not in near + far


def test_one_difference_of_zero_is_told_as_one(run, here):
    rows = "\n".join(f"d{i},{(10 + i) / 100},{(10 + 2 * i) / 100},{(90 - i) / 100}" for i in range(12))
    (here / "scores.csv").write_text(f"data,a,b,c\n{rows}\n")
    shown = " ".join(run("rank", "scores.csv").stdout.split())
    assert "one difference is 0: left out (zeros='split')" in shown


def test_where_nothing_failed_no_empty_table_is_shown_and_learners_that_tune_are_told_as_in_study_files(run, here):
    learner = '[learners]\nnb = "sklearn.naive_bayes:GaussianNB"\n'
    (here / "s.toml").write_text(f'by = "kfold(k=3)"\n[data]\niris = "sklearn:load_iris"\n{learner}')
    assert run("run", "s.toml").exit_code == 0
    shown = run("failures", "s.toml").stdout
    assert "None of 3 fits failed." in shown and "data sets" not in shown
    assert "in a study file, { tune = 'MODULE:CLASS'" in run("optimism", "s.toml").stderr


def test_a_test_of_pairs_that_is_named_for_all_is_told_where_it_goes(run, here):
    rows = "\n".join(f"d{i},0.{i + 1},0.{i + 2},0.{i + 3}" for i in range(6))
    (here / "scores.csv").write_text(f"data,a,b,c\n{rows}\n")
    assert "pairs are tested by it with --pairs wilcoxon" in run("rank", "scores.csv", "--using", "wilcoxon").stderr
    assert "did you mean" in run("rank", "scores.csv", "--using", "t-test").stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("score", "p.csv", "--target", "y"), "'--target': did you mean --truth?"),
        (("score", "p.csv", "--pred", "p"), "'--pred': did you mean --label or --proba?"),
        (("score", "p.csv", "--metric", "auc"), "'--metric': scores are named behind the file"),
        (("score", "p.csv", "--by", "site"), "'--by': did you mean --slices?"),
        (("rank", "s.csv", "--alpha", "0.1"), "'--alpha': --level is 1 - alpha, as in --level 0.95"),
        (("estimate", "d.csv", "--y", "t"), "'--y': did you mean --target?"),
        (("roc", "p.csv"), "No such command 'roc'. It is a curve, --kind roc"),
        (("slices", "p.csv"), "It is explained by veracity explain slices"),
    ],
)
def test_words_of_other_programs_lead_to_what_is_meant(run, words, says):
    done = run(*words)
    assert done.exit_code == 2 and says in done.stderr and done.stderr.count("\n") == 1
