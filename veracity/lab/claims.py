"""What a test claims of one sample of a world: a difference, pairs of learners that differ, hypotheses rejected."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from veracity.adjustments import adjustments
from veracity.adjustments.adjust import adjust
from veracity.comparisons import comparisons
from veracity.comparisons.entry import TestResult
from veracity.contests.compare import compare
from veracity.contests.rank import judge_family, plan_pairs
from veracity.contests.score_sources import from_runs
from veracity.core.confidence import Confidence, rejects
from veracity.core.entry import Choice
from veracity.core.errors import BadInput
from veracity.core.notes import Note, check
from veracity.core.seeds import derive
from veracity.core.spelling import read
from veracity.evidence.run import Run
from veracity.evidence.same_rows import Correctness
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.findings.comparison import Comparison, Comparisons
from veracity.lab.measuring import Task
from veracity.lab.pair_worlds import PValues
from veracity.lab.worlds import EvidenceWorld, FamilyWorld, PairWorld, names_of_learners
from veracity.posthoc import posthocs
from veracity.scores import scores

THEN = " then "  # between the test of pairs and the adjustment, in the name of a procedure


class Claim(NamedTuple):
    """What one sample gave: a share of false or true claims, 0 or 1 for a single test, and whether with a caution."""

    share: float
    cautioned: bool = False


@dataclass(frozen=True)
class Asked:
    """A method in a world: what its claims are called there, whether they are true, and how a sample is asked."""

    method: str
    what: str
    true: bool  # whether what it would claim is so
    ask: Callable[[Any, int], Claim]  # of a sample and a seed
    reads: type | None = None  # the evidence of a comparison


def asked_of(world: Any, method: str, score: str | None, level: float, power: bool, anyway: bool) -> Asked:
    """Return how a method is asked in a world, for its size or its power."""
    if isinstance(world, PValues):
        return _adjustment(world, method, level, power)
    if isinstance(world, FamilyWorld) and len(world.levels) > 2:
        family = THEN in method or read(method).name not in comparisons
        return _family(world, method, level, power, anyway) if family else _omnibus(world, method, level, anyway)
    return _comparison(world, method, score, level, anyway)


def _comparison(world: Any, method: str, score: str | None, level: float, anyway: bool) -> Asked:
    """A test of two models or learners, of one against a value, or of several models of the same rows."""
    test = comparisons.choose(method)
    named = score or getattr(world, "score", None)

    def ask(sample: Any, seed: int) -> Claim:
        found: Any = compare(sample, named, using=test, level=level, seed=seed, anyway=anyway)
        if isinstance(found, Comparisons):
            assert found.omnibus is not None
            return Claim(float(rejects(found.omnibus.p_value, level)), _cautions(found.omnibus.notes))
        return claim_of_pair(found, level, found.all_notes)

    together = test.reads is Correctness
    return Asked(test.spelling, "", claim_is_true(world, test, named), ask, None if together else test.reads)


def claim_of_pair(found: Comparison | TestResult, level: float, notes: Iterable[Note]) -> Claim:
    """Return whether a test rejects, or a posterior gives one side more than the level."""
    if found.p_value is not None:
        return Claim(float(rejects(found.p_value, level)), _cautions(notes))
    left, *_, right = found.probabilities or (0.0, 0.0)
    return Claim(float(max(left, right) > level), _cautions(notes))


def claim_is_true(world: Any, test: Choice, score: str | None) -> bool:
    """Whether what a test claims when it rejects is so in this world."""
    if isinstance(world, EvidenceWorld):
        if test.compares != 1 or not isinstance(test.value("value"), (int, float)):
            raise BadInput(f"this world is of one model: ask one_sample(value=...), not {test}")
        ahead = world.truth(str(score)) - float(test.value("value"))
        return ahead < 0 if scores.choose(str(score)).better == "lower" else ahead > 0
    effect = world.levels[0] - world.levels[1] if isinstance(world, FamilyWorld) else world.effect
    margin = test.value("margin")
    if margin is None:
        return bool(effect)
    if test.is_one_of("tost"):
        return bool(abs(effect) < margin)
    worse = effect if isinstance(world, PairWorld) and world.better == "lower" else -effect
    return bool(worse < margin)


def _omnibus(world: FamilyWorld, method: str, level: float, anyway: bool) -> Asked:
    """A test of all learners over data sets; of a posterior, the chance of one learner to be the best."""
    test = comparisons.choose(method)
    if test.reads is not ScoreMatrix or test.compares:
        raise BadInput(f"this world is of {len(world.levels)} learners over data sets, which {test} does not compare")

    def ask(sample: ScoreMatrix, seed: int) -> Claim:
        notes = check(test.limits, sample, anyway)
        found: TestResult = test.with_seed(seed)(sample)
        cautioned = _cautions(notes + found.notes)
        if found.p_value is None:
            return Claim(float(max(found.probabilities or (0.0,)) > level), cautioned)
        return Claim(float(rejects(found.p_value, level)), cautioned)

    return Asked(test.spelling, "", len(set(world.levels)) > 1, ask)


def _family(world: FamilyWorld, method: str, level: float, power: bool, anyway: bool) -> Asked:
    """All pairs of learners, each tested and all adjusted: false claims are of pairs that are equal."""
    test, _, then = method.rpartition(THEN)
    alone = not test and read(then).name in posthocs
    if not test and not alone and read(then).name not in adjustments:
        raise BadInput(
            f"{method!r} is no test of learners over data sets, post hoc test or adjustment: see veracity list"
        )
    names = names_of_learners(len(world.levels))
    control = names[-1] if alone and posthocs.choose(then).asks == "control" else None
    controls = "family-wise error" if alone else adjustments.choose(then).controls
    differ = [world.differ(a, b) for i, a in enumerate(names) for b in names[i + 1 :] if control in (None, a, b)]

    def ask(sample: ScoreMatrix, seed: int) -> Claim:
        plan = plan_pairs(sample, test or None, then, control, anyway)
        judged = judge_family(sample, plan, Confidence(level), seed, anyway, concludes=True)
        claimed = np.array([pair.rejected for pair in judged.pairs])
        real = np.array([world.differ(pair.a, pair.b) for pair in judged.pairs])
        return Claim(share_of_claims(claimed, real, controls, power), _cautions(judged.notes))

    return Asked(method, *_family_words(differ, controls, power), ask)


def _adjustment(world: PValues, method: str, level: float, power: bool) -> Asked:
    then = adjustments.choose(method)
    if then.pairs:
        raise BadInput(f"{then.name} reads the pairs of learners: ask it in a world such as 'data_sets(learners=4)'")

    def ask(sample: Any, seed: int) -> Claim:
        claimed = rejects(np.asarray(adjust(sample, then)), level)
        return Claim(share_of_claims(claimed, ~world.null, then.controls, power))

    return Asked(then.spelling, *_family_words((~world.null).tolist(), then.controls, power), ask)


def share_of_claims(claimed: Any, real: Any, controls: str, power: bool) -> float:
    """Of power the share of what is real that is claimed; else whether, or for how large a share, claims are false."""
    if power:
        return float(claimed[real].mean())
    false = int((claimed & ~real).sum())
    return false / max(int(claimed.sum()), 1) if controls == "false discovery rate" else float(false > 0)


def _family_words(differ: list[bool], controls: str, power: bool) -> tuple[str, bool]:
    """What the share is called, and whether there is something real to claim, or nothing else."""
    return ("power", any(differ)) if power else (controls, all(differ))


def _cautions(notes: Iterable[Note]) -> bool:
    return any(note.weight == "caution" for note in notes)


def claim_of_evidence(task: Task, method: str) -> Callable[[Any, int], Claim]:
    """Return what a method claims of a sample of a world without learners."""
    asked = asked_of(task.world, method, task.score, task.level, task.power, task.anyway)
    return lambda sample, number: asked.ask(sample, derive(task.seed, "trial", number))


def claim_of_learners(task: Task, method: str) -> Callable[[tuple[Run, Run], int], Claim]:
    """Return what a test of two learners claims of their runs on the same splits, as `compare` would judge them."""
    test, score = comparisons.choose(method), scores.choose(task.world.score)

    def ask(runs: tuple[Run, Run], number: int) -> Claim:
        source = from_runs(dict(zip("ab", runs, strict=True)), score, str(score))
        evidence = source.evidence[test.reads]("a", "b")
        notes = check(test.limits, evidence, task.anyway)
        found: TestResult = test.with_seed(derive(task.seed, "trial", number))(evidence)
        return claim_of_pair(found, task.level, notes + found.notes)

    return ask
