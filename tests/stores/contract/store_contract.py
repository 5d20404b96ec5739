"""All tests that a store must pass: its plans and outcomes, and several processes of which some are killed."""

from __future__ import annotations

import multiprocessing
import time

from tests.stores.contract import examples
from tests.stores.contract.examples import (
    STUDY,
    OpensStores,
    example_data,
    example_design,
    failure,
    process,
    random_outcome,
    same_outcome,
)
from tests.stores.contract.plans_and_outcomes import KeepsOutcomes, KeepsPlans
from veracity.records.plan import PlannedSplit
from veracity.stores.store import Store


class SharedByProcesses(OpensStores):
    """Tests of claims and of writing at once."""

    def test_two_owners_never_claim_the_same_fit(self, store: Store) -> None:
        store.write([random_outcome("done"), failure("failed")])
        assert store.claim(["a", "b", "done", "failed"], "one") == ["a", "b"]
        assert store.claim(["b", "c"], "two") == ["c"]
        assert store.claim(["b", "c"], "two") == ["c"]
        assert store.status().running == 3
        store.write([random_outcome("a")])
        assert store.status().running == 2
        store.release("one")
        assert store.status().running == 1
        store.beat("two")
        assert store.claim(["b"], "two") == ["b"]

    def test_what_an_owner_lets_go_others_may_take(self, store: Store) -> None:
        assert store.claim(["a", "b", "c"], "one") == ["a", "b", "c"]
        store.let_go(["b"], "two")
        assert store.claim(["b"], "two") == []
        store.let_go(["b", "c"], "one")
        assert store.claim(["a", "b"], "two") == ["b"]
        assert store.claim(["c"], "one") == ["c"]

    def test_a_killed_owner_has_no_claims(self, where: str) -> None:
        ready = multiprocessing.get_context("spawn").Event()
        with self.opened(where) as store:
            other = process(examples.claim_and_wait, self.opened, where, ["a", "b"], ready)
            assert ready.wait(60)
            assert store.status().running == 2
            assert store.claim(["a"], "me") == []
            other.kill()
            other.join()
            assert store.status().running == 0
            assert store.claim(["a", "b"], "me") == ["a", "b"]

    def test_two_processes_that_write_at_once_lose_nothing(self, where: str) -> None:
        keys = [f"k{number}" for number in range(400)]
        first = process(examples.write_all, self.opened, where, keys[:300], 7)  # both make the store, too
        second = process(examples.write_all, self.opened, where, keys[:99:-1], 5)
        for writer in (first, second):
            writer.join()
            assert writer.exitcode == 0
        with self.opened(where) as store:
            assert store.finished() == dict.fromkeys(keys, "done")
            assert all(same_outcome(outcome, random_outcome(outcome.key)) for outcome in store.outcomes())

    def test_a_writer_killed_at_work_leaves_a_sound_store(self, where: str) -> None:
        with self.opened(where) as store:
            for _ in range(3):
                before = len(store.finished())
                writer = process(examples.write_for_ever, self.opened, where, 20)
                while len(store.finished()) == before and writer.is_alive():
                    time.sleep(0.005)
                writer.kill()
                writer.join()
                store.write([random_outcome(f"after {before}")])
                numbers = [key for key in store.finished() if "-" in key]
                assert len(numbers) % 20 == 0  # batches are whole
        with self.opened(where) as store:
            assert all(same_outcome(outcome, random_outcome(outcome.key)) for outcome in store.outcomes())


class StoreContract(KeepsPlans, KeepsOutcomes, SharedByProcesses):
    """Subclass it beside a pytest fixture `where`: the address of a place where no store is yet."""

    def test_a_new_store_is_empty(self, store: Store) -> None:
        assert store.study() == {}
        assert store.finished() == {} and list(store.outcomes()) == [] and store.failures() == []
        assert tuple(store.status()) == (0, 0, 0, 0, 0, 0)

    def test_everything_is_there_when_it_is_opened_again(self, where: str) -> None:
        with self.opened(where) as store:
            store.save_study(STUDY)
            store.save_data(example_data())
            store.save_designs("wine", [example_design()])
            store.save_cells([PlannedSplit("wine", "nb", "mixed(k=5)", split, f"k{split}") for split in range(5)])
            store.write([random_outcome("k0"), failure("k1")])
            store.ask("error", "rows")
        with self.opened(where) as store:
            assert store.study() == STUDY
            assert len(store.data("wine")) == 30 and len(store.design("wine", "mixed(k=5)")) == 5
            assert store.cells("wine", "nb", "mixed(k=5)") == ("k0", "k1", "k2", "k3", "k4")
            assert store.finished() == {"k0": "done", "k1": "failed"}
            assert store.ask("error", "rows") == 2
