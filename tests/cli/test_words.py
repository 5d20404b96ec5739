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
    assert "planned of one of auc, mean, share, not of 'wilson': for this one of a share, " in refused.stderr
    assert "share, veracity interval_width share --interval wilson" in refused.stderr
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
    assert "make one with { tune = 'MODULE:CLASS'" in run("optimism", "s.toml").stderr


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
        (("power", "--n", "100"), "'--n': did you mean --rows or --groups or --datasets or --splits?"),
        (("power", "mcnemar", "--effect", "0.1"), "'--effect': did you mean --difference?"),
        (("lab", "coverage", "--n", "40"), "'--n': did you mean --rows?"),
        (
            ("lab", "coverage", "--id", "3"),
            "No such option '--id' (see veracity lab coverage --help)",
        ),  # rows are counted
        (("score", "p.csv", "--id", "row"), "'--id': did you mean --rows?"),  # and named here
        (("score", "p.csv", "--n", "3"), "No such option '--n' (see veracity score --help)"),
        (("score", "p.csv", "--wilson"), "'--wilson': it is an interval, --interval wilson"),
        (("score", "p.csv", "--auc"), "'--auc': it is a score, auc"),
        (("rank", "s.csv", "--holm"), "'--holm': it is an adjustment of p-values, --then holm"),
        (("bbc_cv", "p.csv", "--tresh", "1"), "'--tresh': did you mean --threshold"),
        (("list", "jack-knifed estimate"), "; veracity explain 'jack-knifed estimate' finds jackknife, estimate"),
        (("list", "trimmed mean of folds"), ", and no method here is: veracity explain out_of_scope tells"),
    ],
)
def test_words_of_other_programs_lead_to_what_is_meant(run, words, says):
    done = run(*words)
    assert done.exit_code == 2 and says in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.parametrize("word", ["t-test", "ttest", "t", "T test"])
def test_a_t_test_is_answered_by_those_of_each_kind_of_evidence(run, word):
    refused = run(
        "compare", "preds.csv", "--truth", "y", "--label", "yhat", "--label", "other", "error", "--using", word
    )
    assert refused.exit_code == 2 and refused.stderr.count("\n") == 1
    assert "did you mean paired_t (scores of learners on several data sets), " in refused.stderr
    assert "paired_loss_t or paired_delta (two models' predictions of the same rows)" in refused.stderr
    assert "conservative_t" in refused.stderr and "corrected_t" in refused.stderr
    assert "tost" not in refused.stderr and "resampled_t" not in refused.stderr  # which is refused wherever it is asked


def test_a_test_that_needs_other_evidence_names_first_those_that_people_call_the_same(run):
    words = ("compare", "preds.csv", "--truth", "y", "--label", "yhat", "--label", "other", "error")
    refused = run(*words, "--using", "paired t-test")
    assert "use mcnemar_midp, paired_blocks_t, paired_delta, paired_loss_t, " in refused.stderr
    assert run(*words, "--using", "paired_loss_t").exit_code == 0


def test_what_is_not_here_is_said_to_be_so_and_words_that_no_page_has_are_named(run, said):
    shown = run("explain", "trimmed mean of folds").stdout
    assert shown.startswith("'trimmed mean of folds' is not here") and "kfold" not in shown
    assert [row["name"] for row in said("explain", "trimmed mean of folds")["found"]] == ["out_of_scope"]
    found = said("explain", "winsorized variance")
    assert found["unknown"] == ["winsorized"] and "unknown" not in said("explain", "jack-knifed estimate")
    assert run("explain", "winsorized variance").stdout.startswith(
        "found for 'winsorized variance', though no page has 'winsorized'\n"
    )


def test_a_pattern_is_a_list_of_tables_and_nowhere_a_guess(run, here):
    import veracity as vc

    for learner, scores in {"a": ".1 .2 .3 .4", "b": ".2 .3 .1 .6", "c": ".7 .1 .5 .3"}.items():
        lines = "".join(f"d{i},{score}\n" for i, score in enumerate(scores.split()))
        (here / f"of_{learner}.csv").write_text(f"data,error\n{lines}")
    (here / ".of_d.csv").write_text("hidden, as a shell has it")
    assert vc.read_scores("of_*.csv").learners == vc.read_scores(["of_a.csv", "of_b.csv", "of_c.csv"]).learners
    assert str(vc.rank("*of_[abcd].csv")) == str(vc.rank(["of_a.csv", "of_b.csv", "of_c.csv"]))
    for pattern in ("none*.csv", "a**b.csv", "z" * 300 + "*"):
        with pytest.raises(vc.BadInput, match="no file matches"):
            vc.rank(pattern)
    with pytest.raises(
        vc.BadInput, match=r"a pattern of 3 files: .* read each of glob\.glob\('of_\*\.csv'\) by itself"
    ):
        vc.read_predictions("of_*.csv", truth="data", label="error")
    assert "a pattern of 3 files: name one of them, such as of_a.csv" in run("adjust", "of_*.csv").stderr
    assert "perhaps: veracity score 'pre*.csv' --truth y" in run("score", "pre*.csv").stderr
    with pytest.raises(vc.BadInput, match=r"not str: read_predictions\(\.\.\.\) or read_scores"):
        vc.compare("of_*.csv")


LABELS = ("score", "preds.csv", "--truth", "y", "--label", "yhat")
LEARNER = ("estimate", "preds.csv", "--target", "y", "--learner")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            ("score", "preds.csv", "y", "yhat"),
            "'y' is a column of preds.csv and no score: name it by an option, such as --t",
        ),
        (("estimate", "preds.csv", "country"), "and no score: name it by an option, such as --target"),
        (
            (*LABELS, "balanced", "accuracy"),
            "'balanced accuracy' is one score: write balanced_accuracy, or put it in q",
        ),
        ((*LABELS, "accuracy", "roc", "auc"), "'roc auc' is one score: write auc"),
        ((*LABELS, "accuracy,acu"), "there is no score called 'acu'"),
        ((*LABELS, "--interval", "bootstrap"), "did you mean percentile or basic or bca or studentised ("),
        ((*LABELS, "--interval", "normal"), "did you mean wald ("),
        ((*LABELS, "--level", "0.05"), "--level is 1 - alpha, as in --level 0.95"),
        ((*LABELS, "--level", "95%"), "'95%' is not a valid float: write 0.95 (see veracity score --help)"),
        ((*LABELS, "--threshold", "0,5"), "'0,5' is not a valid float: write 0.5"),
        ((*LABELS, "--out"), "'--out' requires an argument (see veracity score --help)"),
        (("lab", "coverage", "--world"), "'--world' requires an argument (see veracity lab coverage --help)"),
        (
            ("power", "wilcoxon", "100"),
            "extra argument (100): is the name of an option missing, or are there no quotes",
        ),
        (("power", "t-test"), "did you mean paired_t or paired_loss_t or corrected_t or conservative_t?"),
        (("compare", "preds.csv", "--using", "student"), "did you mean paired_t ("),
        (("estimate", "preds.csv"), "a table: to try learners on it, name --target COLUMN and --learner"),
        (
            (*LEARNER, "sklearn.tree.DecisionTreeClassifier(max_depth=2)"),
            "here sklearn.tree:DecisionTreeClassifier(max_d",
        ),
        ((*LEARNER, "GaussianNB"), "write module:Class, such as sklearn.naive_bayes:GaussianNB"),
        ((*LEARNER, "sklearn.naive_bayes:GaussianNB", "--by", "5"), "did you mean kfold(k=5)?"),
        ((*LEARNER, "sklearn.naive_bayes:GaussianNB", "--by", "cv10"), "did you mean kfold(k=10)?"),
        (("status", "none.db"), "none.db: veracity run STUDY.toml makes one"),
        (("score", "https://example.com/preds.csv"), "what is on the web is downloaded first"),
        (("train", "study.toml"), "No such command 'train'. Did you mean 'run'?"),
        (("evaluate", "p.csv"), "No such command 'evaluate'. Did you mean one of: 'score', 'estimate'?"),
        (("cross-validate", "p.csv"), "No such command 'cross-validate'. Did you mean 'estimate'?"),
        (("metrics", "preds.csv"), "Did you mean 'score'?"),
        (("help",), "Did you mean 'explain'?"),
        ((*LABELS, "--format", "json"), "'--format': did you mean --json or --out?"),
        ((*LABELS, "--average", "macro"), "'--average': it is explained by veracity explain average"),
        (("rank", "preds.csv", "--ascending"), "'--ascending': did you mean --better?"),
        ((*LABELS, "precision@10"), "cannot read 'precision@10': write name or name(param=value)"),
        (("score", "preds", *LABELS[2:]), "'preds' is neither a file here nor a score; did you mean preds.csv?"),
        (("run", "preds.toml"), "there is no study file preds.toml: did you mean preds.csv?"),
        (("interval_width", "accuracy", "--width", "0.1"), "such as error or recall, is a share"),
        (("rank", "preds.csv", "--using", "kruskal"), "did you mean friedman ("),
    ],
)
def test_slips_of_who_comes_from_elsewhere_are_answered_by_a_way_out(run, words, says):
    done = run(*words)
    assert done.exit_code == 2 and says in done.stderr and done.stderr.count("\n") == 1


def test_costs_that_are_no_file_are_told_how_they_are_typed(run):
    words = ("best_threshold", "preds.csv", "--truth", "y", "--proba", "p", "--positive", "spam", "--costs")
    assert "--costs is FP=1 and FN=5, once for each kind, or the file of a cost matrix, and there is no file 1,5" in (
        run(*words, "1,5").stderr
    )
