"""A store is told of splits and plan while the first fits are made, and gets no outcome of what it was not told."""

from concurrent.futures import wait
from contextlib import closing

import pytest

import veracity as vc
from veracity.core.errors import BadInput
from veracity.running.engines import Local
from veracity.running.runner import Runner
from veracity.stores.open_store import open_store


@pytest.fixture
def store(tmp_path):
    with open_store(tmp_path / "results.db") as opened:
        yield opened


@pytest.fixture
def make_runner(small, store):
    """A run of a small study with one worker."""
    study = small()
    with closing(Local(1)) as engine:
        yield lambda: Runner(study.plan().plan, study.data, study.learners, store, engine)


def test_it_is_told_while_the_first_fits_are_made_and_before_any_outcome(small, store, make_runner):
    seen = []

    def register(runner):
        wait(runner.in_flight)
        seen.append((len(runner.in_flight) > 0, store.finished().keys()))
        small().register(store)
        yield

    for _ in range(2):  # the second finds nothing to fit
        runner = make_runner()
        assert runner.run(register=register(runner)).left == 0
    assert seen == [(True, set()), (False, store.finished().keys())]


@pytest.mark.parametrize("why", [BadInput("another study"), KeyboardInterrupt()])
def test_one_that_refuses_gets_no_outcome_and_no_claim(small, store, make_runner, why):
    runner = make_runner()

    def refuse():
        yield
        wait(runner.in_flight)
        raise why

    with pytest.raises(type(why)):
        runner.run(register=refuse())
    assert not store.finished() and not store.owners()
    small().run(store, progress=False)
    assert not store.problems()


def test_fits_that_were_launched_before_an_interrupt_are_not_stored_either(store, make_runner, monkeypatch):
    runner, submit = make_runner(), Local.submit

    def second(engine, *arguments):
        if runner.in_flight:
            wait(runner.in_flight)
            raise KeyboardInterrupt
        return submit(engine, *arguments)

    monkeypatch.setattr(Local, "submit", second)
    with pytest.raises(KeyboardInterrupt):
        runner.run()
    assert not store.finished() and not store.owners()


def other_splits(study, other):
    """The study whose last design has splits that it does not make, as when another version deals rows otherwise."""
    for name, designs in study.designs.items():
        vars(designs[-1])["splits"] = other.designs[name][-1].splits
    return study


def test_a_design_of_other_splits_is_refused_and_nothing_of_it_is_kept(small, store, content):
    small().run(store, progress=False)
    before, study = content(store.where), other_splits(small(), small(seed=8))
    assert study.plan().against(store).left == 20
    with pytest.raises(BadInput, match="changed since"):
        study.run(store, progress=False)
    assert content(store.where) == before


def test_failures_are_forgotten_only_when_nothing_is_refused(small, bad, store):
    given = {"learners": {"bad": bad("raises")}, "by": ["kfold(k=5)", "kfold(k=3)"]}
    small(**given).run(store, progress=False)
    assert (before := [one.key for one in store.failures()])
    with pytest.raises(BadInput, match="changed since"):
        other_splits(small(**given), small(**given, seed=8)).run(store, retry="failed", progress=False)
    assert [one.key for one in store.failures()] == before


def test_a_check_meanwhile_finds_nothing_wrong_and_takes_nothing_away(small, store, make_runner):
    runner = make_runner()

    def register():
        store.save_study(small().description())
        yield
        assert store.owners() and not vc.check_store(store.where, repair=True).problems
        small().register(store)

    assert runner.run(register=register()).left == 0
    assert not store.problems()
