"""The shapes of --json as one JSON Schema; tests hold the output of every verb against it."""

from __future__ import annotations

from docs.json_parts import (
    ANY,
    BY_DATA,
    CLAIMS,
    CONFUSION,
    COUNTS,
    LABEL,
    LINE,
    NOTES,
    NUMBER,
    OF_ROWS,
    PARTS,
    RISK_CURVE,
    TEXT,
    WHOLE,
    Shape,
    by_name,
    maybe,
    one_of,
    record,
    ref,
    rows,
)

VERBS = {
    "adjust": record("notes", using=TEXT, p_values=rows(ANY), adjusted=rows(ANY), notes=NOTES),
    "advise": record(
        "question",
        question=TEXT,
        answer=TEXT,
        methods=rows(
            record(name=TEXT, kind=TEXT, verdict={"enum": ["use", "care", "no"]}, why=TEXT, measured=rows(ANY))
        ),
        notes=NOTES,
    ),
    "bbc_cv": record(estimates=BY_DATA, notes=NOTES),
    "best_threshold": record(
        threshold=NUMBER,
        interval=maybe(record(low=NUMBER, high=NUMBER, level=NUMBER, method=TEXT)),
        score=TEXT,
        value=NUMBER,
        better=TEXT,
        **OF_ROWS,
        confusion=CONFUSION,
        rules=by_name(record(threshold=NUMBER, value=NUMBER)),
        notes=NOTES,
        on=ANY,
        cross_fit=ANY,
    ),
    "bias_variance": record(
        learner=TEXT,
        kind=TEXT,
        by=TEXT,
        draws=WHOLE,
        rows=WHOLE,
        **dict.fromkeys(("loss", "bias", "variance", "noise"), NUMBER),
        notes=NOTES,
    ),
    "check": record("repaired notes", problems=rows(record(code=TEXT, says=TEXT))),
    "compare": one_of(ref("comparison"), ref("comparisons")),
    "curve": record(
        kind=TEXT,
        title=TEXT,
        x_title=TEXT,
        y_title=TEXT,
        lines=rows(LINE),
        guides=rows(LINE),
        marks=rows(record(name=TEXT, x=NUMBER, y=NUMBER)),
        facts=by_name(ANY),
        notes=NOTES,
    ),
    "dominance": record(a=TEXT, b=TEXT, relation=TEXT, crossings=rows(NUMBER), notes=NOTES),
    "estimate": record("tuning per_class averages", estimates=BY_DATA, tuning=by_name(ANY), notes=NOTES),
    "explain": one_of(
        record(words=TEXT, found=rows(record(name=TEXT, kind=TEXT, title=TEXT, says=TEXT))),
        record(name=TEXT, kind=TEXT, title=TEXT, says=TEXT),
        record(name=TEXT, entries=rows(record(name=TEXT, kind=TEXT, title=TEXT, says=TEXT))),
    ),
    "export": record(files=rows(TEXT), data=rows(TEXT), learners=rows(TEXT), by=rows(TEXT), notes=NOTES),
    "finite_class": record(about=TEXT, solved=TEXT, notes=NOTES),
    "interval_width": record(about=TEXT, solved=TEXT, notes=NOTES),
    "lab coverage": record(
        rows=rows(
            record(
                method=TEXT,
                world=TEXT,
                rows=WHOLE,
                trials=WHOLE,
                fits=WHOLE,
                **dict.fromkeys(("level", "coverage", "error", "low_misses", "high_misses", "width"), NUMBER),
            )
        ),
        notes=NOTES,
    ),
    "lab bias": record(
        rows=rows(
            record(
                **dict.fromkeys(("by", "world", "learner"), TEXT),
                **dict.fromkeys(("rows", "trials", "fits"), WHOLE),
                **dict.fromkeys(("truth", "truth_error", "mean", "bias", "error", "spread", "mse", "refused"), NUMBER),
            )
        ),
        notes=NOTES,
    ),
    "lab power": CLAIMS,
    "lab size": CLAIMS,
    "learning_curve": RISK_CURVE,
    "failures": record(
        fits=WHOLE,
        failures=rows(
            record(
                reason=TEXT,
                fits=WHOLE,
                places=rows(record(data=TEXT, learner=TEXT, by=TEXT, split=WHOLE)),
                traceback=TEXT,
            )
        ),
        notes=NOTES,
    ),
    "ledger": record(
        store=TEXT,
        counts=by_name(WHOLE),
        looks=by_name(WHOLE),
        claims=rows(ANY),
        best=rows(ANY),
        level=NUMBER,
        notes=NOTES,
    ),
    "list": by_name(rows(by_name(ANY))),
    "optimism": record(optimism=by_name(by_name(by_name(by_name(ANY)))), notes=NOTES),
    "permutation_test": record(
        **dict.fromkeys(("score", "learner", "by", "kind", "better"), TEXT),
        **dict.fromkeys(("value", "expected", "difference", "p_value", "error"), NUMBER),
        draws=WHOLE,
        seed=WHOLE,
        null=rows(NUMBER),
        notes=NOTES,
    ),
    "power": record(test=TEXT, solved=TEXT, power=NUMBER, level=NUMBER, given=by_name(ANY), notes=NOTES),
    "rank": one_of(ref("ranking"), ref("verdicts")),
    "replicability": record(
        combine=TEXT,
        level=NUMBER,
        pairs=rows(
            record(
                "data",
                a=TEXT,
                b=TEXT,
                datasets=WHOLE,
                better=WHOLE,
                worse=WHOLE,
                better_on=rows(TEXT),
                worse_on=rows(TEXT),
                p_values=by_name(NUMBER),
                partial_conjunction=rows(NUMBER),
            )
        ),
        notes=NOTES,
    ),
    "report": record(estimates=by_name(ANY), comparisons=rows(ANY), ranking=ANY, failed=rows(ANY), notes=NOTES),
    "run": record(fits=COUNTS, extra=WHOLE, estimates=BY_DATA, notes=NOTES),
    "score": record(
        "confusion scores models by slices per_class averages",
        **OF_ROWS,
        confusion=CONFUSION,
        scores=by_name(ref("scored")),
        models=by_name(by_name(ANY)),
        by=TEXT,
        slices=by_name(ANY),
        per_class=by_name(ref("class_scores")),
        averages=by_name(ref("class_scores")),
        notes=NOTES,
    ),
    "scores": record(
        scores=rows(
            record(
                **dict.fromkeys(("data", "learner", "by", "score"), TEXT),
                repeat=WHOLE,
                fold=WHOLE,
                **dict.fromkeys(("value", "seconds_fit", "seconds_predict"), NUMBER),
            )
        ),
        notes=NOTES,
    ),
    "status": record(
        fits=COUNTS,
        extra=WHOLE,
        seed=WHOLE,
        data=rows(TEXT),
        learners=rows(TEXT),
        by=rows(TEXT),
        scores=rows(TEXT),
        notes=NOTES,
    ),
    "validation_curve": RISK_CURVE,
    "warm": record(seconds=NUMBER),
    "worst": record(loss=TEXT, rows=WHOLE, worst=rows(record(row=LABEL, loss=NUMBER)), notes=NOTES),
}


def json_schema() -> Shape:
    """One document; the shape of a verb is its `$defs` entry."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What every verb of veracity prints by --json, under $defs by the verb's name",
        "$defs": {**PARTS, **VERBS},
    }


def shape_of(verb: str) -> Shape:
    """A schema of what one verb prints."""
    return {**json_schema(), **ref(verb)}
