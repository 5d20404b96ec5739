"""Whatever is done to a table of a store is found, and repaired or told."""

from dataclasses import replace

import pytest

import veracity as vc
from tests.stores.spoil_store import ONE, PLACE, codes, make_study, spoil
from veracity.stores.open_store import open_store

B = "select arrays from veracity_data where name = 'b'"
CONTENT = "fingerprint, described, arrays, checksum"
ROWS = "update veracity_designs set described = replace(described, '\"rows\": 60', ?)"
OTHER = f"select key from veracity_splits where {PLACE.replace('nb', 'tree')} and split = 0"
FIRST = f"where {PLACE} and split = 0"
NAME, FIT = "where name", "update veracity_fits set"
CODED = [  # what is done to a store, and the problem that is found
    ("study", f"delete from veracity_about {NAME} = 'study'", "study-lost"),
    ("study text", f"update veracity_about set value = '{{' {NAME} = 'study'", "study-damaged"),
    ("study in part", f"""update veracity_about set value = '{{"seed": 7}}' {NAME} = 'study'""", "study-damaged"),
    ("data", f"delete from veracity_data {NAME} = 'a'", "data-lost"),
    ("data text", f"update veracity_data set described = '[]' {NAME} = 'a'", "data-damaged"),
    ("data arrays", f"update veracity_data set arrays = x'0102' {NAME} = 'a'", "data-damaged"),
    ("data type", f"update veracity_data set arrays = 7 {NAME} = 'a'", "data-damaged"),
    ("data swapped", f"update veracity_data set arrays = ({B})", "data-damaged"),
    ("data mark", f"update veracity_data set fingerprint = 'x' {NAME} = 'a'", "data-damaged"),
    ("data more", f"insert into veracity_data select 'z', {CONTENT} from veracity_data {NAME} = 'a'", "data-damaged"),
    ("data checksum", f"update veracity_data set checksum = 7 {NAME} = 'a'", "data-damaged"),
    ("design", "delete from veracity_designs where data = 'a'", "design-lost"),
    ("design text", "update veracity_designs set described = 'null' where data = 'a'", "design-damaged"),
    ("design arrays", "update veracity_designs set arrays = x'00' where data = 'a'", "design-damaged"),
    ("design rows", (ROWS, '"rows": 61'), "design-damaged"),
    ("design fewer rows", (ROWS, '"rows": 6'), "design-damaged"),
    ("design mark", "update veracity_designs set fingerprint = 'x' where data = 'a'", "design-damaged"),
    ("split", f"delete from veracity_splits {FIRST}", "plan-lost"),
    ("split bytes", f"update veracity_splits set key = x'00' {FIRST}", "plan-damaged"),
    ("split key", f"update veracity_splits set key = 'x' {FIRST}", "plan-damaged"),
    ("split of another learner", f"update veracity_splits set key = ({OTHER}) {FIRST}", "plan-damaged"),
    ("split of another design", f"update veracity_splits set design = 'z' {FIRST}", "plan-damaged"),
    ("split number", f"update veracity_splits set split = 77 {FIRST}", "plan-damaged"),
    ("fit bytes", f"{FIT} payload = x'0001' {ONE}", "fit-damaged"),
    ("fit type", f"{FIT} payload = 'text' {ONE}", "fit-damaged"),
    ("fit number", f"{FIT} payload = 7 {ONE}", "fit-damaged"),
    ("fit seconds", f"{FIT} seconds = 'long' {ONE}", "fit-damaged"),
    ("fit status", f"{FIT} status = 'failed' {ONE}", "fit-damaged"),
    ("fit chosen", f"{FIT} chosen = '?'", "fit-damaged"),
    ("fit libraries", f"{FIT} libraries = 7", "fit-damaged"),
    ("fit key", f"{FIT} key = 'ffff' {ONE}", "fit-damaged"),
    ("ledger", "update veracity_questions set times = 9", "ledger"),
    ("libraries", "update veracity_libraries set versions = '{}'", "versions-damaged"),
    ("table", "drop table veracity_questions", "table"),
    ("column", "alter table veracity_owners rename column seen to heard", "table"),
    ("schema", f"update veracity_about set value = '0' {NAME} = 'schema'", "damaged"),
    ("text", f"update veracity_about set value = cast(x'ff' as text) {NAME} = 'study'", "damaged"),
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


def test_predictions_of_other_rows_are_found(where):
    """Whoever writes a fit of other rows with a right checksum is told all the same."""
    with open_store(where) as store:
        first, second, _ = store.cells("a", "nb", "kfold(k=3)")
        (other,) = store.outcomes([second])
        store.write([replace(other, key=first)], again={first})
    assert codes(where) == {"fit-wrong"}
    vc.check_store(where, repair=True)
    make_study().run(where, progress=False)
    assert codes(where) == set()
