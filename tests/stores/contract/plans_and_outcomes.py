"""What was planned comes back as it was, may grow and does not change; what came of it comes back bit for bit."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace

import numpy as np

from tests.stores.contract.examples import (
    STUDY,
    OpensStores,
    example_data,
    example_design,
    expect_refusal,
    failure,
    random_outcome,
    same_bits,
    same_outcome,
)
from veracity.records.data import Data
from veracity.records.design import Design
from veracity.records.fit import Outcome
from veracity.records.plan import PlannedSplit
from veracity.stores.store import Store


class KeepsPlans(OpensStores):
    """Tests of the study, its data sets, designs and cells."""

    def test_a_study_may_grow(self, store: Store) -> None:
        more = {"seed": 7, "data": {"iris": {"fingerprint": "a1"}, "wine": "c"}, "learners": {"tree": "d"}, "by": []}
        assert store.save_study(STUDY) == STUDY
        study = store.save_study(more)
        assert study == store.study()
        assert list(study["data"]) == ["iris", "wine"] and study["learners"] == {"nb": "b2", "tree": "d"}
        assert study["by"] == []

    def test_designs_and_final_fits_that_go_by_name_are_added(self, store: Store) -> None:
        first = {**STUDY, "by": {"kfold(k=10)": "kfold"}, "final": {"iris": {"nb": "k1"}}, "scores": ["auc"]}
        more = {**STUDY, "by": {"holdout": "holdout"}, "final": {"iris": {"tree": "k2"}}, "scores": ["error"]}
        store.save_study(first)
        study = store.save_study(more)
        assert study["by"] == {"kfold(k=10)": "kfold", "holdout": "holdout"}
        assert study["final"] == {"iris": {"nb": "k1", "tree": "k2"}} and study["scores"] == ["error"]
        assert study == store.study()

    def test_another_study_is_refused_and_changes_nothing(self, store: Store) -> None:
        store.save_study(STUDY)
        with expect_refusal("seed 7", "not 8"):
            store.save_study({**STUDY, "seed": 8})
        with expect_refusal("iris", "changed"):
            store.save_study({**STUDY, "data": {"iris": {"fingerprint": "zz"}}})
        with expect_refusal("nb", "changed"):
            store.save_study({**STUDY, "learners": {"nb": "zz"}})
        with expect_refusal("another study", "iris"):
            store.save_study({**STUDY, "data": {"wine": "c"}})
        assert store.study() == STUDY

    def test_data_come_back_without_features(self, store: Store) -> None:
        data = example_data()
        store.save_data(data)
        store.save_data(data)
        table = store.data("wine")
        assert table.features is None and table.fingerprint == data.fingerprint
        for name in ("truth", "weights", "groups", "time"):
            assert same_bits(getattr(table, name), getattr(data, name)), name
        for name in ("name", "kind", "classes", "positive", "columns", "categorical", "incomplete"):
            assert getattr(table, name) == getattr(data, name), name
        assert [type(label) for label in table.classes] == [str, int, float]

    def test_numbers_to_predict_come_back(self, store: Store) -> None:
        store.save_data(Data("n", np.zeros((2, 1)), "numbers", np.array([0.1, -np.inf])))
        table = store.data("n")
        assert table.truth.tolist() == [0.1, -np.inf] and table.weights is None and table.positive is None

    def test_data_that_changed_are_refused(self, store: Store) -> None:
        store.save_data(example_data(rows=30))
        with expect_refusal("wine", "changed"):
            store.save_data(example_data(rows=33))
        with expect_refusal("beer", "wine"):
            store.data("beer")

    def test_every_split_of_a_design_comes_back(self, store: Store, reader: Store) -> None:
        design = example_design()
        store.save_designs("wine", [design])
        store.save_designs("wine", [design])
        stored = reader.design("wine", design.name)
        assert stored.fingerprint == design.fingerprint
        assert (stored.name, stored.seed, stored.rows, stored.inner) == (design.name, 7, 30, "kfold(k=3)")
        assert stored.notes == design.notes
        for one, other in zip(stored.splits, design.splits, strict=True):
            assert all(same_bits(getattr(one, role), getattr(other, role)) for role in ("train", "test", "validation"))
            assert (one.repeat, one.fold, one.part) == (other.repeat, other.fold, other.part)

    def test_a_design_that_changed_is_refused(self, store: Store) -> None:
        store.save_designs("wine", [example_design(seed=1)])
        store.save_designs("iris", [example_design(seed=2)])
        with expect_refusal("mixed(k=5)", "changed"):
            store.save_designs("wine", [example_design(seed=2)])
        with expect_refusal("kfold(k=2)", "mixed(k=5)"):
            store.design("wine", "kfold(k=2)")

    def test_a_design_stays_as_it_was_stored_first(self, store: Store, reader: Store) -> None:
        """The same splits by another seed: what was told of them first stays."""
        first = example_design()
        store.save_designs("wine", [first])
        reader.save_designs("wine", [replace(first, seed=8, notes=())])
        for each in (store, reader):
            assert (each.design("wine", first.name).seed, each.design("wine", first.name).notes) == (7, first.notes)

    def test_cells_are_added_and_do_not_change(self, store: Store, reader: Store) -> None:
        first = [PlannedSplit("d", "nb", "kfold", split, f"k{split}") for split in range(3)]
        second = [PlannedSplit("d", "tree", "kfold", split, f"t{split}") for split in range(3)]
        store.save_cells(reversed(first))
        store.save_cells(first + second)
        assert store.status().planned == 6
        with expect_refusal("tree", "changed"):
            store.save_cells([cell._replace(key="x") for cell in second])
        for each in (store, reader):
            assert each.cells("d", "nb", "kfold") == ("k0", "k1", "k2")
            assert each.cells_of("d", "kfold", ["tree", "nb"])["tree"] == ("t0", "t1", "t2")
            with expect_refusal("knn"):
                each.cells_of("d", "kfold", ["nb", "knn"])

    def test_an_empty_design_has_no_cells(self, store: Store, reader: Store) -> None:
        store.save_designs("d", [Design("none", 0, 3, ())])
        assert len(reader.design("d", "none")) == 0


class KeepsOutcomes(OpensStores):
    """Tests of outcomes, failures, counts and the ledger."""

    def test_predictions_come_back_bit_for_bit(self, store: Store, reader: Store) -> None:
        odd = np.array([np.nan, -0.0, 5e-324, -np.inf, np.nextafter(1, 0)])
        odd.view(np.uint64)[0] |= 12345  # a NaN with a message
        batch = [
            random_outcome("many", 3000),
            random_outcome("few", 1),
            Outcome("number", "done", np.arange(5), number=odd, seconds=1e-9),
            Outcome("value", "done", np.arange(5), np.array([0, 1, 1, 0, 1], np.int8), value=odd[::-1].astype("f4")),
            Outcome("nothing", "done", np.empty(0, np.int64), proba=np.empty((0, 3))),
            failure("bad", "ein Fehler: ∞ ≠ 0"),
        ]
        store.write(batch)
        stored = list(reader.outcomes([outcome.key for outcome in batch]))
        assert all(same_outcome(one, other) for one, other in zip(stored, batch, strict=True))

    def test_outcomes_come_in_the_order_asked_for(self, store: Store, reader: Store) -> None:
        keys = [f"k{number}" for number in range(100)]
        store.write(map(random_outcome, keys))
        wanted = [*reversed(keys), "missing", "k3"]
        for each in (store, reader, reader):
            assert [outcome.key for outcome in each.outcomes(wanted)] == keys[::-1]
            assert sorted(outcome.key for outcome in each.outcomes()) == sorted(keys)

    def test_what_came_first_stays(self, store: Store, reader: Store) -> None:
        """Who comes second has its own answer, and must not believe that it is there."""
        first, second = random_outcome("k"), replace(random_outcome("other"), key="k")
        reader.write([first])
        store.write([second, random_outcome("new")])
        for _ in range(2):
            for each in (store, reader):
                (there,) = each.outcomes(["k"])
                assert same_outcome(there, first) and not same_outcome(there, second)
                assert not any(array.flags.writeable for array in there.arrays)

    def test_what_was_written_comes_back_row_by_row_and_read_only(self, store: Store, reader: Store) -> None:
        """Sums over columns that lie one after the other may round differently, and whoever writes keeps its arrays."""
        written = random_outcome("k")
        mine = replace(written, proba=np.asfortranarray(written.proba), chosen="a\0b")
        store.write([mine])
        assert all(array.flags.writeable for array in mine.arrays)
        mine.proba[:] = 0.5
        (kept,), (stored,) = store.outcomes(["k"]), reader.outcomes(["k"])
        assert same_outcome(kept, stored) and kept.chosen == stored.chosen and same_bits(kept.proba, written.proba)
        assert all(
            array.flags.c_contiguous and not array.flags.writeable for each in (kept, stored) for array in each.arrays
        )

    def test_a_failure_that_another_process_mended_is_read_anew(self, store: Store, reader: Store) -> None:
        store.write([failure("k")])
        assert next(store.outcomes(["k"])).status == next(reader.outcomes(["k"])).status == "failed"
        reader.write([random_outcome("k")])
        assert same_outcome(next(store.outcomes(["k"])), random_outcome("k"))

    def test_a_success_is_never_lost(self, store: Store, reader: Store) -> None:
        store.write([random_outcome("k")])
        store.write([failure("k")])
        store.write([Outcome("k", "done", np.arange(2))])
        assert store.finished() == {"k": "done"} and store.failures() == []
        assert all(same_outcome(next(each.outcomes(["k"])), random_outcome("k")) for each in (store, reader))

    def test_a_success_replaces_a_failure_and_a_failure_does_not(self, store: Store) -> None:
        store.write([failure("k", "first")])
        store.write([failure("k", "second")])
        assert [outcome.reason for outcome in store.failures()] == ["first"]
        store.write([random_outcome("k")])
        assert store.finished() == {"k": "done"} and store.failures() == []

    def test_a_batch_is_written_whole_or_not_at_all(self, store: Store) -> None:
        with expect_refusal("object"):
            store.write([random_outcome("k"), Outcome("o", "done", np.array([None]))])
        assert store.finished() == {}

    def test_failures_are_told_and_replaced_when_a_fit_was_made_again(self, store: Store) -> None:
        store.write([failure("a", "no memory"), failure("b", "nul \0 and \ud800"), failure("c"), random_outcome("d")])
        failures = {outcome.key: outcome for outcome in store.failures()}
        assert failures["a"].reason == "no memory" and failures["a"].traceback.startswith("Traceback")
        assert failures["b"].reason == "nul \\x00 and \\ud800"
        again = [failure("a", "still none"), random_outcome("b"), failure("c", "later"), failure("d", "upgraded")]
        store.write(again, again={"a", "b", "d"})
        assert store.finished() == {"a": "failed", "b": "done", "c": "failed", "d": "failed"}
        reasons = {outcome.key: outcome.reason for outcome in store.failures()}
        assert reasons == {"a": "still none", "c": failures["c"].reason, "d": "upgraded"}

    def test_status_counts_splits_and_extra_fits(self, store: Store) -> None:
        planned = [PlannedSplit("d", "nb", "kfold", split, f"k{split}") for split in range(4)]
        both = [PlannedSplit("d", "nb", "corrected", split, f"k{split}") for split in range(2)]  # k0 and k1 again
        store.save_cells(planned + both)
        assert tuple(store.status()) == (6, 0, 0, 0, 0, 0)
        store.write([random_outcome("k0"), random_outcome("k2"), failure("k1"), random_outcome("all")])
        store.claim(["k3"], "me")
        assert tuple(store.status()) == (6, 3, 2, 1, 1, 0)
        assert tuple(store.status(["k0", "k1", "k3", "k0"])) == (3, 1, 1, 1, 0, 0)
        store.save_cells([PlannedSplit("d", "nb", "resubstitution", 0, "all")])
        assert tuple(store.status()) == (7, 4, 2, 1, 0, 0)

    def test_memory_stays_small_while_streaming(self, store: Store, reader: Store) -> None:
        one, keys = random_outcome("any", rows=200), [f"key {number}" for number in range(6000)]
        store.write([Outcome(key, "done", one.rows, proba=one.proba) for key in keys])
        tracemalloc.start()
        read = sum(outcome.proba.nbytes for outcome in reader.outcomes(keys) if outcome.proba is not None)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert read == 28_800_000 and peak < read / 2

    def test_every_question_is_counted(self, store: Store) -> None:
        assert store.asked("r1") == {}
        assert [store.ask(question, "r1") for question in ("error", "auc", "error")] == [1, 2, 3]
        assert store.ask("error", "r2") == 1
        assert store.asked("r1") == {"error": 2, "auc": 1}
