"""All tests that a store must pass."""

from __future__ import annotations

from veracity.records.plan import Cell
from veracity.stores.contract.examples import STUDY, example_data, example_design, failure, random_outcome
from veracity.stores.contract.outcomes import KeepsOutcomes
from veracity.stores.contract.plans import KeepsPlans
from veracity.stores.contract.processes import SharedByProcesses


class StoreContract(KeepsPlans, KeepsOutcomes, SharedByProcesses):
    """Subclass it beside a pytest fixture `where`: the address of a place where no store is yet."""

    def test_a_new_store_is_empty(self, where: str) -> None:
        with self.opened(where) as store:
            assert store.study() == {}
            assert store.finished() == {} and list(store.outcomes()) == [] and store.failures() == []
            assert tuple(store.status()) == (0, 0, 0, 0, 0)

    def test_everything_is_there_when_it_is_opened_again(self, where: str) -> None:
        with self.opened(where) as store:
            store.save_study(STUDY)
            store.save_data(example_data())
            store.save_design("wine", example_design())
            store.save_cells([Cell("wine", "nb", "mixed(k=5)", split, f"k{split}") for split in range(5)])
            store.write([random_outcome("k0"), failure("k1")])
            store.ask("error", "rows")
        with self.opened(where) as store:
            assert store.study() == STUDY
            assert len(store.data("wine")) == 30 and len(store.design("wine", "mixed(k=5)")) == 5
            assert store.cells("wine", "nb", "mixed(k=5)") == ("k0", "k1", "k2", "k3", "k4")
            assert store.finished() == {"k0": "done", "k1": "failed"}
            assert store.ask("error", "rows") == 2
