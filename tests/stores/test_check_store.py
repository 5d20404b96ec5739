"""A sound store has no problem; whatever is done to one of its tables is found, and repaired or told."""

import json
import os
import socket
import sqlite3
import subprocess
import sys

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import veracity as vc
from veracity.cli.main import cli
from veracity.core.errors import BadInput
from veracity.stores.open_store import open_store
from veracity.stores.packing import pack, pack_text

K3, R2 = "kfold(k=3)", "repeated_kfold(k=3, repeats=2)"


def make_study():
    draw = np.random.default_rng(5)
    features = draw.normal(size=(60, 2))
    target = np.where(features[:, 0] + draw.normal(size=60) > 0, "yes", "no")
    data = {"a": (features[:40], target[:40]), "b": (features, target)}
    tuned = vc.tuned(LogisticRegression(), grid={"C": [0.1, 1.0]}, by="kfold(k=2)", score="error")
    learners = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2), "tuned": tuned}
    return vc.Study(data, learners, [K3, R2], seed=1, checks=["baseline"], final=True)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    where = tmp_path_factory.mktemp("whole") / "results.db"
    store = make_study().run(where, progress=False).store
    store.ask("error", "rows")
    store.ask("auc", "rows")
    store.close()
    return where


@pytest.fixture
def where(whole, tmp_path):
    copy = tmp_path / "results.db"
    copy.write_bytes(whole.read_bytes())
    return copy


def spoil(where, *statements):
    with sqlite3.connect(where) as other:
        for statement, *values in statements:
            other.execute(statement, values)
    other.close()


def codes(where):
    return {problem.code for problem in vc.check_store(where).problems}


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


PLANNED = "where key not in (select key from veracity_shared where splits = 0)"
ONE = "where key = (select min(key) from veracity_outcomes)"
PLACE = "where data = 'a' and learner = 'nb' and design = 'kfold(k=3)'"
OTHER = "(select keys from veracity_cells where data = 'a' and learner = 'tree' and design = 'kfold(k=3)')"
REVERSED = pack_text("\n".join(["0" * 32] * 3))
SHORT = pack_text("0" * 32)
WIDE = pack(np.arange(3), np.arange(3) % 2, np.ones((3, 5)) / 5, None, None)
B = "select arrays from veracity_data where name = 'b'"
CONTENT, SAID, BROKE = "fingerprint, described, arrays", "seconds, chosen, arrays", "0.5, 'it broke', ?"
ROWS = "update veracity_designs set described = replace(described, '\"rows\": 60', ?)"
ALONE = "where key not in (select key from veracity_shared)"
CODED = [  # what is done to a store, and the problem that is found
    ("study", "delete from veracity_about where name = 'study'", "study-lost"),
    ("study text", "update veracity_about set value = '{' where name = 'study'", "study-damaged"),
    ("study in part", """update veracity_about set value = '{"seed": 7}' where name = 'study'""", "study-damaged"),
    ("designs of a study", """update veracity_about set value = '{"by": 3}' where name = 'study'""", "study-damaged"),
    ("planned", "delete from veracity_about where name = 'planned'", "count-splits"),
    ("planned text", "update veracity_about set value = 'x' where name = 'planned'", "count-splits"),
    ("planned number", "update veracity_about set value = '7' where name = 'planned'", "count-splits"),
    ("places", "delete from veracity_about where name = 'places'", "list-lost"),
    ("places text", "update veracity_about set value = '[3]' where name = 'places'", "list-lost"),
    (
        "places fewer",
        ("update veracity_about set value = ? where name = 'places'", '[[["a"], ["nb"], ["kfold(k=3)"]]]'),
        "plan-unlisted",
    ),
    ("asked", "update veracity_about set value = '9' where name = 'asked'", "ledger"),
    ("data", "delete from veracity_data where name = 'a'", "data-lost"),
    ("data text", "update veracity_data set described = '[]' where name = 'a'", "data-damaged"),
    ("data arrays", "update veracity_data set arrays = x'0102' where name = 'a'", "data-damaged"),
    ("data swapped", f"update veracity_data set arrays = ({B})", "data-changed"),
    ("data mark", "update veracity_data set fingerprint = 'x' where name = 'a'", "data-changed"),
    (
        "data more",
        f"insert into veracity_data select 'z', {CONTENT} from veracity_data where name = 'a'",
        "data-orphan",
    ),
    ("design", "delete from veracity_designs where data = 'a'", "design-lost"),
    ("design text", "update veracity_designs set described = 'null' where data = 'a'", "design-damaged"),
    ("design arrays", "update veracity_designs set arrays = x'00' where data = 'a'", "design-damaged"),
    ("design rows", (ROWS, '"rows": 61'), "design-changed"),
    ("design fewer rows", (ROWS, '"rows": 6'), "design-damaged"),
    ("design mark", "update veracity_designs set fingerprint = 'x' where data = 'a'", "design-changed"),
    (
        "design more",
        f"insert into veracity_designs select 'a', 'z', {CONTENT} from veracity_designs where data = 'a' limit 1",
        "design-orphan",
    ),
    ("cells", f"delete from veracity_cells {PLACE}", "plan-lost"),
    ("cells bytes", f"update veracity_cells set keys = x'00' {PLACE}", "plan-damaged"),
    ("cells type", f"update veracity_cells set keys = 7 {PLACE}", "plan-damaged"),
    ("cells length", (f"update veracity_cells set keys = ? {PLACE}", SHORT), "plan-damaged"),
    ("cells no keys", (f"update veracity_cells set keys = ? {PLACE}", pack_text("x\ny\nz")), "plan-damaged"),
    ("cells other learner", f"update veracity_cells set keys = {OTHER} {PLACE}", "plan-misplaced"),
    ("cells other design", f"update veracity_cells set design = 'z' {PLACE}", "plan-orphan"),
    ("cells unknown fits", (f"update veracity_cells set keys = ? {PLACE}", REVERSED), "plan-misplaced"),
    ("shared", "delete from veracity_shared where splits > 1", "count-shared"),
    ("shared number", "update veracity_shared set splits = 5", "count-shared"),
    ("shared extra", "delete from veracity_shared where splits = 0", "count-shared"),
    (
        "shared more",
        f"insert into veracity_shared select key, 2 from veracity_outcomes {ALONE} limit 1",
        "count-shared",
    ),
    ("outcome bytes", f"update veracity_outcomes set arrays = x'0001' {ONE}", "fit-damaged"),
    ("outcome type", f"update veracity_outcomes set arrays = 'text' {ONE}", "fit-damaged"),
    ("outcome number", f"update veracity_outcomes set arrays = 7 {ONE}", "fit-damaged"),
    ("outcome seconds", f"update veracity_outcomes set seconds = 'long' {ONE}", "fit-damaged"),
    ("outcome chosen", f"update veracity_outcomes set chosen = '?' {PLANNED}", "fit-wrong"),
    ("outcome wide", (f"update veracity_outcomes set arrays = ? {PLANNED}", WIDE), "fit-wrong"),
    (
        "outcome more",
        f"insert into veracity_outcomes select 'ffff', {SAID} from veracity_outcomes limit 1",
        "fit-orphan",
    ),
    ("failure more", (f"insert into veracity_failures values ('ffff', {BROKE})", pack_text("t")), "fit-orphan"),
    (
        "failure twice",
        (f"insert into veracity_failures select key, {BROKE} from veracity_outcomes", pack_text("t")),
        "fit-twice",
    ),
    ("failure bytes", "insert into veracity_failures select 'ffff', 0.5, 'it broke', x'00'", "fit-damaged"),
    ("claim nobody", "insert into veracity_claims values ('ffff', 'nobody')", "claim-dead"),
    (
        "claim finished",
        "insert into veracity_claims select key, 'nobody' from veracity_outcomes limit 1",
        "claim-finished",
    ),
    ("claim orphan", "insert into veracity_claims values ('ffff', 'nobody')", "claim-orphan"),
    ("ledger", "delete from veracity_ledger where entry = 2", "ledger"),
    ("table", "drop table veracity_ledger", "table"),
    ("column", "alter table veracity_owners rename column seen to heard", "table"),
    ("schema", "update veracity_about set value = '0' where name = 'schema'", "damaged"),
    ("text", "update veracity_about set value = cast(x'ff' as text) where name = 'study'", "damaged"),
]


@pytest.mark.parametrize(("statement", "code"), [case[1:] for case in CODED], ids=[case[0] for case in CODED])
def test_whatever_is_done_to_a_table_is_found_and_put_right(where, content, statement, code):
    before = content(where)
    spoil(where, statement if isinstance(statement, tuple) else (statement,))
    found = vc.check_store(where)
    assert code in {problem.code for problem in found.problems}, found
    for problem in found.problems:
        assert any(way in problem.says for way in ("run the study", "repair", "restore a copy")), problem
        assert "\ue000" not in problem.says and "\n" not in problem.says
    if code in ("table", "damaged"):
        return  # nothing but a copy helps
    vc.check_store(where, repair=True)
    make_study().run(where, progress=False)
    vc.check_store(where, repair=True)  # fits that may have been those of a lost plan
    left = codes(where)
    assert left == set(), vc.check_store(where)
    assert content(where) == before


@pytest.fixture
def content():
    """Everything that a store says of finished fits, to the last bit, but how long they took."""

    def read(where):
        with open_store(where, create=False) as store:
            arrays = ("rows", "label", "proba", "value", "number")
            return {
                outcome.key: (outcome.status, outcome.chosen, *(repr(getattr(outcome, name)) for name in arrays))
                for outcome in store.outcomes()
            }

    return read


def test_claims_of_a_process_that_has_ended_are_told(where):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    with open_store(where) as store:
        key = store.cells("a", "nb", K3)[0]
        with store._writing() as connection:
            connection.exec_driver_sql(f"delete from veracity_outcomes where key = '{key}'")
        store.claim([key], f"{socket.gethostname()}:{os.getpid()}:me")
        assert store.problems() == ()
        store.release(f"{socket.gethostname()}:{os.getpid()}:me")
        store.claim([key], f"{socket.gethostname()}:{ended.pid}:gone")
        assert [problem.code for problem in store.problems()] == ["claim-dead"]
    assert codes(where) == {"claim-dead"} and vc.check_store(where, repair=True).problems == ()


def test_fits_of_a_lost_plan_are_not_taken_away(where):
    spoil(where, ("delete from veracity_cells where learner = 'tree'",))
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
    spoil(where, (f"delete from veracity_cells {PLACE}",), (f"update veracity_outcomes set arrays = x'00' {ONE}",))
    done = CliRunner().invoke(cli, ["check", str(where), "--json"])
    assert done.exit_code == 1
    assert [set(problem) for problem in json.loads(done.stdout)["problems"]] == [{"code", "says"}] * 2
    done = CliRunner().invoke(cli, ["check", str(where)])
    assert done.exit_code == 1 and "veracity check --repair takes that away" in done.stdout
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
        connection.exec_driver_sql("update veracity_outcomes set arrays = decode('00', 'hex')")
        connection.exec_driver_sql("update veracity_about set value = 'x' where name = 'planned'")
        connection.exec_driver_sql("delete from veracity_designs")
    assert codes(schema) == {"fit-damaged", "count-splits", "design-lost"}
    vc.check_store(schema, repair=True)
    study.run(schema, progress=False)
    assert codes(schema) == set()
    store.close()


@pytest.mark.parametrize("text", ["{", "[]", "7", '{"params": 3, "inner": 1, "score": "x"}'])
def test_a_choice_that_cannot_be_read_is_damage(where, text):
    spoil(where, ("update veracity_outcomes set chosen = ? where chosen != ''", text))
    with pytest.raises(vc.VeracityError, match=r"is damaged \(what tuned chose on a cannot be read\): vc.check_store"):
        vc.read_runs(where).chosen("tuned", "a", K3)


def test_what_somebody_else_repairs_is_read_anew(where):
    """Who has read predictions of other rows must not be convinced of them for ever."""
    before = vc.estimate(vc.read_runs(where), "error").to_json()
    runs = vc.read_runs(where)
    first, second, _ = runs.store.cells("a", "nb", K3)
    other = "(select arrays from veracity_outcomes where key = ?)"
    spoil(where, (f"update veracity_outcomes set arrays = {other} where key = ?", second, first))
    with pytest.raises(vc.VeracityError, match=r"predictions of nb on a are of other rows"):
        vc.estimate(runs, "error")
    vc.check_store(where, repair=True)
    make_study().run(where, progress=False)
    assert vc.estimate(runs, "error").to_json() == before
