"""`veracity compare --alternative`: the library's answer, and a test without a direction refused."""

import veracity as vc

ASKED = ("compare", "preds.csv", "--truth", "y", "--label", "yhat", "--label", "other", "error")


def test_the_command_line_asks_one_side(said, here):
    truth, yhat, other = columns(here)
    models = {name: vc.predictions(truth, label=label) for name, label in (("yhat", yhat), ("other", other))}
    for alternative in ("less", "greater"):
        found = vc.compare(models, "error", alternative=alternative)
        answer = said(*ASKED, "--alternative", alternative)
        assert answer["p_value"] == found.p_value and answer["alternative"] == alternative
        assert answer["low" if alternative == "less" else "high"] is None


def columns(here):
    lines = [line.split(",") for line in (here / "preds.csv").read_text().splitlines()[1:]]
    return [[line[place] for line in lines] for place in (1, 3, 4)]


def test_a_test_without_a_direction_is_refused(run):
    result = run(*ASKED, "--alternative", "less", "--using", "cochran_q")
    assert result.exit_code == 2 and "leave out --alternative less" in result.stderr
