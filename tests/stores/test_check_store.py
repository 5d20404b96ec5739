"""A sound store has no problem; what has happened to another is told, and who looks again reads what was repaired."""

import json

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.naive_bayes import GaussianNB

import veracity as vc
from tests.stores.spoil_store import K3, ONE, codes, make_study, spoil
from veracity.cli.main import cli
from veracity.core.errors import BadInput
from veracity.stores.open_store import open_store


def test_a_sound_store_has_no_problem(where):
    before = where.read_bytes()
    found = vc.check_store(where)
    assert (
        found.problems == ()
        and found.to_json() == {"problems": []}
        and repr(found).endswith(": no problem: everything is as it was written")
    )
    assert vc.check_store(where, repair=True).problems == ()
    assert where.read_bytes() == before


def test_a_store_that_is_new_or_half_done_has_no_problem(tmp_path):
    open_store(tmp_path / "new.db").close()
    assert codes(tmp_path / "new.db") == set()
    with open_store(tmp_path / "half.db") as store:
        make_study().register(store)
        assert store.problems() == ()


def test_fits_of_a_lost_plan_are_not_taken_away(where):
    spoil(where, ("delete from veracity_splits where learner = 'tree' and split = 1",))
    with open_store(where) as store:
        before = store.finished()
    assert {problem.code for problem in vc.check_store(where, repair=True).problems} == {"plan-lost"}
    with open_store(where) as store:
        assert store.finished() == before


def test_a_damaged_file_is_a_problem_and_not_an_error(where):
    content = bytearray(where.read_bytes())
    content[8192:] = bytes([0xA5]) * (len(content) - 8192)
    where.write_bytes(content)
    assert codes(where) <= {"damaged", "file"} and codes(where)


def test_the_command_line_says_so_by_its_status(where):
    done = CliRunner().invoke(cli, ["check", str(where), "--json"])
    assert (done.exit_code, json.loads(done.stdout)) == (0, {"problems": []})
    spoil(where, ("delete from veracity_designs",), (f"update veracity_fits set payload = x'00' {ONE}",))
    done = CliRunner().invoke(cli, ["check", str(where), "--json"])
    assert done.exit_code == 1
    assert [set(problem) for problem in json.loads(done.stdout)["problems"]] == [{"code", "says"}] * 2
    done = CliRunner().invoke(cli, ["check", str(where)])
    assert done.exit_code == 1 and "veracity status --check --repair takes that away" in done.stdout
    done = CliRunner().invoke(cli, ["check", str(where), "--repair", "--json"])
    assert done.exit_code == 1 and [one["code"] for one in json.loads(done.stdout)["repaired"]] == ["fit-damaged"]


def test_what_is_no_store_is_told(tmp_path):
    (tmp_path / "x.csv").write_text("a,b\n" * 1000)
    for where in (tmp_path / "x.csv", tmp_path / "nothing.db"):
        with pytest.raises(BadInput):
            vc.check_store(where)


def test_a_store_in_postgresql_is_looked_at_too(schema):
    draw = np.random.default_rng(5)
    features = draw.normal(size=(40, 2))
    study = vc.Study({"a": (features, (features[:, 0] > 0).astype(int))}, {"nb": GaussianNB()}, K3, seed=1)
    store = study.run(schema, progress=False).store
    assert store.problems() == ()
    with store._writing() as connection:
        connection.exec_driver_sql("update veracity_fits set payload = decode('00', 'hex')")
        connection.exec_driver_sql("delete from veracity_designs")
    assert codes(schema) == {"fit-damaged", "design-lost"}
    vc.check_store(schema, repair=True)
    study.run(schema, progress=False)
    assert codes(schema) == set()
    store.close()


@pytest.mark.parametrize("text", ["{", "[]", "7", '{"params": 3, "inner": 1, "score": "x"}'])
def test_a_choice_that_cannot_be_read_is_damage(where, text):
    spoil(where, ("update veracity_fits set chosen = ? where chosen != ''", text))
    with pytest.raises(vc.VeracityError, match=r"is damaged \(predictions of fit \w+\): `vc.check_store`"):
        vc.read_runs(where).chosen("tuned", "a", K3)


def test_what_somebody_else_repairs_is_read_anew(where):
    """Who has read predictions of other rows must not be convinced of them for ever."""
    before = vc.estimate(vc.read_runs(where), "error").to_json()
    runs = vc.read_runs(where)
    first, second, _ = runs.store.cells("a", "nb", K3)
    other = "(select payload from veracity_fits where key = ?)"
    spoil(where, (f"update veracity_fits set payload = {other} where key = ?", second, first))
    with pytest.raises(vc.VeracityError, match=r"is damaged \(predictions of fit \w+\)"):
        vc.estimate(runs, "error")
    vc.check_store(where, repair=True)
    make_study().run(where, progress=False)
    assert vc.estimate(runs, "error").to_json() == before
