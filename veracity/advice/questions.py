"""Try the methods of a question on what was seen: intervals of an estimate, tests of two, rankings of many."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Any

from veracity.adjustments import adjustments
from veracity.advice.detectable import smallest_detectable, with_smallest_detectable
from veracity.advice.trials import Situation, make_advice, try_method
from veracity.comparisons import comparisons
from veracity.comparisons.entry import Test
from veracity.comparisons.stated_value import Effect
from veracity.contests.compare import ADJUSTMENT, ComparisonSpec, compare_pair, run_test
from veracity.contests.rank import OF_ALL_LEARNERS, PAIR_TEST, rank
from veracity.contests.score_sources import from_matrix, make_source
from veracity.contests.sources import DISCORDANT_ROWS, FIXED_MODELS, MATRIX, RUNS, SPLIT_SCORES, ComparisonSource
from veracity.core.confidence import Confidence
from veracity.core.entry import Choice, MethodLike, first_fit
from veracity.core.errors import Refused
from veracity.core.notes import Note
from veracity.evidence.looks import uncounted
from veracity.evidence.predictions import Predictions
from veracity.evidence.run import Run
from veracity.evidence.runs import Runs
from veracity.evidence.same_rows import Correctness
from veracity.evidence.score_matrix import ScoreMatrix, SplitScores
from veracity.findings.advice import Advice
from veracity.findings.estimates import Estimate
from veracity.intervals import intervals
from veracity.posthoc import posthocs
from veracity.risk.estimate_run import EstimateRequest, estimate_run
from veracity.risk.estimates import estimate_source, score_source

MAX_MODELS = 6  # or runs, on which intervals are tried
MAX_PAIRS = 3  # on which tests are tried
INTERVAL_EXAMPLES: dict[str, Any] = {"size_h": 1000, "vc_dim": 10}  # of what must be told
MARGIN = 0.01  # a difference that does not matter, where nobody says
COUNTING = ("mcnemar_midp",)  # default tests without a standard error
STATED_VALUE = 0.5  # against which one model is held
ONE_MODEL = (
    "there is one model, and nothing to compare it with: predict the same rows with another, or hold it against a"
    " known value, `using='one_sample(value=0.5)'`"
)
ONE_DATA_SET = (
    "one data set says nothing about others: run the learners on several, six or more for a test of two, or compare"
    " them on the splits of this one"
)
MIN_DATA_SETS = 6  # from which tests over them come before tests over the splits of one


def advise_on_estimates(source: Any, score: Choice, at: Confidence, seed: int) -> Advice:
    """Try every interval of one model's or learner's score."""
    subjects: list[Callable[[EstimateRequest], Estimate]]
    if isinstance(source, Runs):
        what, number = "runs", len(list(source.places()))
        runs = list(islice(uncounted(source), MAX_MODELS))
        subjects = [partial(estimate_run, run) for run in runs]
        here, of_all = situation_of_run(runs[0], score), source.notes
    else:
        models = dict(source) if isinstance(source, Mapping) else {"": source}
        what, number, of_all = "models", len(models), ()
        some = list(islice(models.items(), MAX_MODELS))
        subjects = [_estimate_of_model(name, model, score) for name, model in some]
        here = _situation_of_model(some[0][1], score)
    request = partial(EstimateRequest, score, score.spelling, at, seed=seed)
    default = ""
    for subject in subjects:
        usual = subject(request()).interval
        default = default or ("" if usual is None else usual.method.partition("(")[0])

    def notes_of(subject: Callable[[EstimateRequest], Estimate], choice: Choice) -> tuple[Note, ...]:
        row = subject(request(interval=choice))
        if row.interval is None:
            missing = (note.says for note in row.notes if note.code == "no-interval")
            raise Refused(next(missing, f"{row.asked} has no interval here"), "no-interval")
        return of_all + row.all_notes

    rows = []
    for entry in intervals:
        if entry.answers != "difference":
            choice = entry.choose(**{one.name: INTERVAL_EXAMPLES[one.name] for one in entry.parameters if one.required})
            tries = [partial(notes_of, subject, choice) for subject in subjects]
            rows.append(try_method(choice, tries, here, entry.name == default))
    return make_advice(
        "estimate", rows, f"the usual interval of {score.spelling} here", _first(MAX_MODELS, number, what)
    )


def _estimate_of_model(name: str, model: Any, score: Choice) -> Callable[[EstimateRequest], Estimate]:
    """Return a function that estimates the score of a model, which is measured once for all methods."""
    is_fixed = not isinstance(model, Predictions) or model.provenance == "one model"
    scored = score_source(model, score) if is_fixed else None
    return lambda request: estimate_source(model, request, name, scored)


def _situation_of_model(model: Any, score: Choice) -> Situation:
    if isinstance(model, Predictions) and model.provenance != "one model":
        return Situation(model.different_rows, score.spelling, model.origin.design.name if model.origin else "")
    evidence = score_source(model, score).evidence
    return Situation(int(evidence.rows), score.spelling, grouped=evidence.sampling is not None)


def situation_of_run(run: Run, score: Choice) -> Situation:
    """Return the rows and the design of a run; a hold-out is one fixed model."""
    if len(run.design) == 1:
        return Situation(len(run.design.splits[0].test), score.spelling)
    return Situation(run.design.rows, score.spelling, run.design.name)


def _first(most: int, number: int, what: str) -> tuple[Note, ...]:
    message = f"tried on the first {most} of {number} {what}"
    return (Note("first-few", "remark", message),) if number > most else ()


def advise_on_comparisons(
    source: Any, score: MethodLike | None, at: Confidence, seed: int, difference: float | None, by: str | None
) -> Advice:
    """Try every test of two models or learners, and of one against a stated value."""
    sources = _sources(source, score, by)
    first = sources[0]
    pairs = first.pairs(None) if len(first.names) > 1 else [(first.names[0], first.names[0])]
    is_alone = len(first.names) < 2
    rows = []
    for choice in _tests(first, is_alone, difference):
        entry: Test = choice.entry
        has_evidence = next((one for one in sources if entry.reads in one.evidence), first)
        spec = ComparisonSpec(choice, at=at, seed=seed)
        some = pairs[: MAX_PAIRS if entry.compares else 1]
        tries = [partial(_notes_of_test, has_evidence, spec, *pair) for pair in some]
        is_default = entry.name == first.default and not is_alone
        rows.append(try_method(choice, tries, situation_of_source(has_evidence), is_default))
    notes = _first(MAX_PAIRS, len(pairs), "pairs")
    advice = make_advice("compare", rows, first.default_rule.why, notes, ONE_MODEL if is_alone else "")
    if is_alone:
        return advice
    return with_smallest_detectable(advice, smallest_detectable(first, *pairs[0], at), difference)


def _sources(source: Any, score: MethodLike | None, by: str | None) -> list[ComparisonSource]:
    """Return one source, or of several data sets two: their scores together, and the splits of the first."""
    if not isinstance(source, Runs):
        return [make_source(source, score, None, None, by)]
    runs = uncounted(source)
    if len(source.names) == 1:
        return [make_source(runs, score, None, None, by)]
    found: list[ComparisonSource] = []
    for using, data in ((None, None), ("corrected_t", runs.names[0])):
        try:
            found.append(make_source(runs, score, using, data, by))
        except Refused:
            if using is not None and not found:
                raise
    return found if len(source.names) >= MIN_DATA_SETS else found[::-1]


def _tests(source: ComparisonSource, is_alone: bool, difference: float | None) -> Iterator[Choice]:
    """Yield the tests of this question, with an example of what each must be told."""
    margin = MARGIN if difference is None else abs(difference)
    for entry in comparisons:
        if entry.compares == 1:
            if is_alone:
                yield entry.choose(value=STATED_VALUE)
        elif entry.compares == 0:
            if entry.reads is Correctness and len(source.names) > 2:
                yield entry.choose()
        elif entry.reads is Effect:
            inner = "paired_loss_t" if source.default in COUNTING else source.default  # which has a standard error
            yield entry.choose(margin=margin, of=inner)
        elif not is_alone:
            yield entry.choose()


def _notes_of_test(source: ComparisonSource, spec: ComparisonSpec, a: str, b: str) -> tuple[Note, ...]:
    """Return the notes of the comparison of two models, or of a test of all of them."""
    test = spec.test_for(source)
    if test.entry.compares:
        return compare_pair(source, spec, a, b).all_notes
    result, _, notes = run_test(source, test, spec, a, b)
    return notes + result.notes


def situation_of_source(source: ComparisonSource) -> Situation:
    """Return what the worlds nearest to a source are like."""
    of, score = source.input, source.score
    if source.kind == RUNS:
        design = next(iter(of.values())).design
        return Situation(design.rows, score, design.name)
    if source.kind == MATRIX:
        return Situation(score=score, learners=len(source.names), datasets=len(of))
    if source.kind == SPLIT_SCORES:
        splits = next(iter(of.learners.values()))
        return Situation(int(splits.train[0] + splits.test[0]), score, f"{splits.rounds} rounds of splits")
    if source.kind == FIXED_MODELS:
        one = next(iter(of.values()))
        return Situation(len(one), score, grouped=one.groups is not None or one.weights is not None)
    return Situation(int(of.rows or 0), score) if source.kind == DISCORDANT_ROWS else Situation(score=score)


def advise_on_ranking(matrix: ScoreMatrix, at: Confidence, seed: int, difference: float | None) -> Advice:
    """Try every test of all learners, every test of pairs and every adjustment, each with the usual others."""
    usual = first_fit(OF_ALL_LEARNERS, matrix)
    source = from_matrix(matrix)
    here = situation_of_source(source)
    candidates = [(word, choice, word == "using" and choice.spelling == usual.name) for word, choice in _words(matrix)]
    if usual.name is not None and "(" in usual.name:  # the usual test may be one with parameters
        candidates.append(("using", comparisons.choose(usual.name), True))

    def notes_of(word: str, choice: Choice) -> tuple[Note, ...]:
        how: Any = {word: choice}
        return rank(matrix, level=at.level, seed=seed, **how).all_notes

    rows = [
        try_method(choice, [partial(notes_of, word, choice)], here, is_default)
        for word, choice, is_default in candidates
    ]
    cannot = ONE_DATA_SET if len(matrix) < 2 else ""
    why = f"{usual.why}; pairs by {PAIR_TEST.name}, adjusted by {ADJUSTMENT.name}"
    advice = make_advice("rank", rows, why, cannot=cannot)
    if cannot or len(matrix.learners) < 2:
        return advice
    found = smallest_detectable(source, matrix.learners[0], matrix.learners[1], at)
    return with_smallest_detectable(advice, found, difference)


def _words(matrix: ScoreMatrix) -> Iterator[tuple[str, Choice]]:
    """Yield every method of a ranking with the argument that takes it."""
    for entry in comparisons:
        over_splits = entry.reads is SplitScores and matrix.splits is not None
        if over_splits or (entry.reads is ScoreMatrix and entry.compares == 0):
            yield "using", entry.choose()
        elif entry.reads is ScoreMatrix:
            yield "pairs", entry.choose()
    for posthoc in posthocs:
        yield ("then" if posthoc.alone else "pairs"), posthoc.choose()
    for adjustment in adjustments:
        yield "then", adjustment.choose()
