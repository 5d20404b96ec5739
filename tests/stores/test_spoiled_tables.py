"""Whatever is done to a table of a store is found, and repaired or told."""

import numpy as np
import pytest

import veracity as vc
from tests.stores.spoil_store import ONE, PLACE, codes, make_study, spoil
from veracity.stores.open_store import open_store
from veracity.stores.packing import pack, pack_text

PLANNED = "where key not in (select key from veracity_shared where splits = 0)"
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
    ("data swapped", f"update veracity_data set arrays = ({B})", "data-damaged"),
    ("data mark", "update veracity_data set fingerprint = 'x' where name = 'a'", "data-damaged"),
    (
        "data more",
        f"insert into veracity_data select 'z', {CONTENT} from veracity_data where name = 'a'",
        "data-damaged",
    ),
    ("design", "delete from veracity_designs where data = 'a'", "design-lost"),
    ("design text", "update veracity_designs set described = 'null' where data = 'a'", "design-damaged"),
    ("design arrays", "update veracity_designs set arrays = x'00' where data = 'a'", "design-damaged"),
    ("design rows", (ROWS, '"rows": 61'), "design-damaged"),
    ("design fewer rows", (ROWS, '"rows": 6'), "design-damaged"),
    ("design mark", "update veracity_designs set fingerprint = 'x' where data = 'a'", "design-damaged"),
    (
        "design more",
        f"insert into veracity_designs select 'a', 'z', {CONTENT} from veracity_designs where data = 'a' limit 1",
        "design-damaged",
    ),
    ("cells", f"delete from veracity_cells {PLACE}", "plan-lost"),
    ("cells bytes", f"update veracity_cells set keys = x'00' {PLACE}", "plan-damaged"),
    ("cells type", f"update veracity_cells set keys = 7 {PLACE}", "plan-damaged"),
    ("cells length", (f"update veracity_cells set keys = ? {PLACE}", SHORT), "plan-damaged"),
    ("cells no keys", (f"update veracity_cells set keys = ? {PLACE}", pack_text("x\ny\nz")), "plan-damaged"),
    ("cells other learner", f"update veracity_cells set keys = {OTHER} {PLACE}", "plan-damaged"),
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
    ("outcome chosen", f"update veracity_outcomes set chosen = '?' {PLANNED}", "fit-damaged"),
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
