"""What Weka's Experimenter does on its tabs Run and Analyse, function by function, in a real browser."""

import json
import re
import shlex

import pytest
from click.testing import CliRunner
from selenium.webdriver.common.by import By

from tests.web.test_wekas_setup_functions import place, server, visitor  # noqa: F401
from veracity.cli.main import cli

pytestmark = pytest.mark.slow
ANALYSE = "/study/small.toml/analyse"
RUNS = """seed = 1
by = "repeated_kfold(k=5, repeats=8)"
[data]
moons = "sklearn:make_moons(n_samples=200, noise=0.3, random_state=0)"
[learners]
forest = { use = "sklearn.ensemble:RandomForestClassifier", n_estimators = 240 }
nb = "sklearn.naive_bayes:GaussianNB"
broken = { use = "sklearn.naive_bayes:GaussianNB", var_smoothing = -1 }
"""


def test_10_and_19_to_22_a_run_is_started_watched_stopped_resumed_and_grows(visitor, place):  # noqa: F811
    (place / "runs.toml").write_text(RUNS)
    visitor.go("/study/runs.toml/run").fill(workers="1", timeout="60").press("Run")
    visitor.see(" running").see("fits done")
    visitor.wait(lambda: not visitor.text.count("\n0 of 120"))
    visitor.press("Stop").see("It ended with status")
    done = int(re.search(r"(\d+) of 120 fits done", visitor.text)[1])
    assert done < 120
    visitor.go(f"{ANALYSE.replace('small', 'runs')}").see("The study is not finished")  # 23: also while it runs
    visitor.go("/study/runs.toml/run").press("Go on").see("80 of 120 fits done, 40 failed. Finished.").see("It ended")
    assert "40 × fit raised InvalidParameterError" in visitor.text  # 20: an error ends nothing
    visitor.browser.find_element(By.CSS_SELECTOR, "#failures ~ details summary").click()
    assert "Traceback (most recent call last)" in visitor.text
    visitor.press("Retry the 40 that failed").see("80 of 120 fits done, 40 failed. Finished.")
    visitor.see("It ended with status").fill(repeats="9").press("Add repeats and run the new fits")
    visitor.see("170 of 255 fits done, 85 failed. Finished.")  # 10: both designs are counted, which share their fits
    assert float(visitor.table("Fits done by data set and learner")[-1].split()[-1]) > 0  # 22: seconds of a fit


def test_14_costs_and_thresholds_are_explored(visitor):  # noqa: F811
    visitor.go(f"{ANALYSE}?view=curves&data=moons")
    explorer = visitor.browser.find_element(By.CSS_SELECTOR, ".explorer, [data-explorer]")
    before = explorer.text
    for label in explorer.find_elements(By.TAG_NAME, "label"):
        if "false negative" in label.text:
            field = label.find_element(By.TAG_NAME, "input")
            field.clear()
            field.send_keys("9")
            break
    assert "expected cost" in explorer.text and explorer.text != before


def test_15_and_16_every_prediction_is_kept_and_every_split_can_be_had(visitor):  # noqa: F811
    visitor.go(f"{ANALYSE}?view=curves&only=nb&kind=precision_recall")
    assert "Precision-recall" in visitor.text
    visitor.go(f"{ANALYSE}?view=splits")
    assert "72 rows" in visitor.text and visitor.said("csv")


def test_17_a_cluster_is_named_and_one_that_is_not_there_is_told(visitor, place):  # noqa: F811
    (place / "far.toml").write_text(RUNS)
    visitor.go("/study/far.toml/run").fill(address="tcp://127.0.0.1:9").press("Run")
    visitor.see("It ended with status 1").see("127.0.0.1:9")


def test_23_results_come_from_stores_tables_and_weka_files(visitor):  # noqa: F811
    visitor.go("/study/small.db/analyse").see("ranks best")
    visitor.go("/score?file=scores.csv").see("Nothing is ranked yet").fill(better="higher").press("Ask").see(
        "ranks best"
    )
    visitor.go("/score?file=weka.csv.gz&view=ranking&score=Percent_correct").see("mean rank")


def test_24_and_27_testers_and_level_are_picked(visitor):  # noqa: F811
    visitor.go(f"{ANALYSE}?view=pairs").ask("using", "corrected_t").see("corrected resampled t")
    visitor.ask("level", "0.9").see("at 0.1")
    assert "using=corrected_t" in visitor.browser.current_url and "level=0.9" in visitor.browser.current_url
    offered = visitor.browser.find_elements(By.CSS_SELECTOR, "[name=using] option")
    assert len(offered) > 15 and all(one.get_attribute("textContent") for one in offered)
    greyed = [one for one in offered if not one.is_enabled()]
    assert greyed and all("cannot answer here: " in one.get_attribute("textContent") for one in greyed)


def test_25_rows_and_columns_are_swapped(visitor):  # noqa: F811
    visitor.go(f"{ANALYSE}?view=verdicts")
    assert visitor.table_headed("data set")[1].startswith("moons")
    visitor.ask("swap", "1")
    assert visitor.table_headed("learner moons")[1].startswith("(1) nb")


def test_26_any_score_is_compared_and_sorted_by(visitor):  # noqa: F811
    visitor.go(f"{ANALYSE}?view=ranking").ask("score", "log_loss").see("log loss")
    visitor.go(f"{ANALYSE}?view=verdicts").ask("sort", "-stump")
    rows = [row.split() for row in visitor.table_headed("data set")]
    stumps = [float(row[3]) for row in rows if row[0] in ("moons", "circles", "blobs")]
    assert stumps == sorted(stumps, reverse=True) and len(stumps) == 3


def test_28_base_summary_and_ranking(visitor):  # noqa: F811
    visitor.go(f"{ANALYSE}?view=verdicts").ask("control", "stump").see("* below stump")
    assert visitor.table_headed("learner wins")[1].startswith("(1) ") and visitor.table_headed("than")[1].startswith(
        "(1) "
    )
    visitor.press("Ranking").see("mean rank")
    assert "control=stump" in visitor.browser.current_url


def test_29_columns_deviations_digits_averages_and_numbers(visitor):  # noqa: F811
    visitor.go(f"{ANALYSE}?view=verdicts&control=nb")
    for word, value in (("deviations", "1"), ("average", "1"), ("counts", "1"), ("columns", "stump")):
        visitor.ask(word, value)
    visitor.ask("digits", "2").see("standard deviations in brackets")
    table = visitor.table_headed("data set")
    assert "(1) nb" in table[0] and "majority" not in table[0]  # learners are numbered, and picked
    assert re.search(r"moons.* 0\.\d\d\(0\.\d\d\)", " ".join(table)) and any("verage" in row for row in table)
    visitor.ask("significance_only", "1")


def test_30_outputs_are_one_click_away(visitor):  # noqa: F811
    visitor.go(f"{ANALYSE}?view=verdicts")
    group = visitor.browser.find_element(By.CSS_SELECTOR, "[aria-label='Save this view as']")
    endings = [one.text for one in group.find_elements(By.TAG_NAME, "a")]
    assert endings == ["json", "csv", "md", "tex", "html", "svg", "png", "pdf", "Pin this view"]
    own = visitor.browser.current_window_handle
    visitor.said("json").click()  # which opens a tab of its own
    visitor.wait(lambda: len(visitor.browser.window_handles) == 2)
    visitor.browser.switch_to.window(next(one for one in visitor.browser.window_handles if one != own))
    visitor.wait(lambda: "analyse.json" in visitor.browser.current_url)
    shown = json.loads(visitor.browser.find_element(By.TAG_NAME, "pre").text)
    visitor.browser.close()
    visitor.browser.switch_to.window(own)
    words = shlex.split(visitor.hidden_text("as-command"))
    assert json.loads(CliRunner().invoke(cli, [*words[1:], "--json"]).stdout) == shown


def test_31_earlier_answers_are_kept_by_back_and_by_pins(visitor):  # noqa: F811
    visitor.go(f"{ANALYSE}?view=ranking").press("Pin this view").ask("score", "brier").press("Pin this view")
    assert visitor.text.count("\nUnpin\n") + visitor.text.count(" Unpin\n") == 2, visitor.text
    visitor.press("Ranking").see("Ranking, score brier")
    visitor.browser.back()
    visitor.press("Unpin Ranking")
    assert "Ranking, score brier" in visitor.text and visitor.text.count("Unpin") == 1


def test_32_what_weka_has_not(visitor):  # noqa: F811
    visitor.go(f"{ANALYSE}?view=ranking").see("omnibus").see("adjusted p")
    assert "critical-difference diagram" in visitor.browser.page_source
    visitor.go(f"{ANALYSE}?view=estimates").see("low").see("high")
    visitor.go(f"{ANALYSE}?view=ledger").see("asked")
