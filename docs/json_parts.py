"""What the shapes of --json are made of: kinds of values, and parts that several verbs print."""

from __future__ import annotations

from typing import Any

Shape = dict[str, Any]
TEXT: Shape = {"type": "string"}
WHOLE: Shape = {"type": "integer"}
TRUTH: Shape = {"type": "boolean"}
NUMBER: Shape = {"type": ["number", "null"]}  # null is undefined or infinite, and a note says which
LABEL: Shape = {"type": ["string", "number", "boolean", "null"]}
ANY: Shape = {}


def ref(name: str) -> Shape:
    return {"$ref": f"#/$defs/{name}"}


def rows(inner: Shape) -> Shape:
    return {"type": "array", "items": inner}


def by_name(inner: Shape) -> Shape:
    """An object whose keys are names of data: learners, scores, classes."""
    return {"type": "object", "additionalProperties": inner}


def maybe(inner: Shape) -> Shape:
    return {"anyOf": [inner, {"type": "null"}]}


def one_of(*inner: Shape) -> Shape:
    return {"anyOf": list(inner)}


def record(words: str = "", /, **fields: Shape) -> Shape:
    """An object with these keys, of which those among `words` may be missing. Later versions may add others."""
    free = set(words.split())
    return {"type": "object", "properties": fields, "required": [name for name in fields if name not in free]}


LIMITS = {"value": NUMBER, "low": NUMBER, "high": NUMBER, "level": NUMBER}
METHOD = {"type": ["string", "null"]}
NOTES = rows(ref("note"))
CONFUSION = maybe(rows(rows({"type": "number"})))
OF_ROWS = {"rows": {"type": "number"}, "classes": maybe(rows(LABEL)), "positive": LABEL}
BY_DATA = by_name(by_name(by_name(ref("estimated"))))
COMPARED = {
    **dict.fromkeys(("score", "using", "a", "b"), TEXT),
    **dict.fromkeys(("difference", "low", "high", "level", "statistic", "p_value"), NUMBER),
    "alternative": METHOD,
    "df": one_of(NUMBER, rows(NUMBER)),
    "n01": NUMBER,
    "n10": NUMBER,
    "adjusted_p_value": NUMBER,
    "probabilities": rows(NUMBER),
    "verdict": TEXT,
    "data": TEXT,
    "groups": WHOLE,
    "effects": by_name(ANY),
    "facts": by_name(ANY),
    "notes": NOTES,
}
FREE_OF_COMPARED = "adjusted_p_value probabilities verdict data groups effects facts"
PAIR = {
    "a": TEXT,
    "b": TEXT,
    **dict.fromkeys(("difference", "statistic", "p_value", "adjusted_p_value", "low", "high"), NUMBER),
    "rejected": TRUTH,
    "effects": by_name(ANY),
}
COUNTS = record(planned=WHOLE, done=WHOLE, failed=WHOLE, running=WHOLE)
RISK_CURVE = record(
    **dict.fromkeys(("learner", "by", "along", "score", "better"), TEXT),
    places=rows(record(place=ANY, test=ref("estimated"), training=ref("estimated"))),
    fitted=ANY,
    notes=NOTES,
)
RISK_CURVE["required"].remove("fitted")
LINE = record("threshold band low high facts", name=TEXT, x=rows(NUMBER), y=rows(NUMBER), threshold=rows(NUMBER))

PARTS = {
    "note": record(code=TEXT, weight={"enum": ["refuse", "caution", "remark"]}, says=TEXT),
    "scored": record(**LIMITS, method=METHOD, better=one_of(TEXT, {"type": "null"})),
    "estimated": record(**LIMITS, method=METHOD, by=TEXT, answers=TEXT, splits=WHOLE, failed=WHOLE),
    "comparison": record(FREE_OF_COMPARED, **COMPARED),
    "comparisons": record("by omnibus", by=TEXT, omnibus=ANY, comparisons=rows(ref("comparison")), notes=NOTES),
    "class_scores": by_name(one_of(ref("scored"), WHOLE)),
    "ranking": record(
        "score rank_intervals control effects",
        score=TEXT,
        datasets=WHOLE,
        learners=rows(TEXT),
        better=TEXT,
        control=TEXT,
        average_ranks=by_name(NUMBER),
        rank_intervals=by_name(ANY),
        omnibus=record(method=TEXT, statistic=NUMBER, df=rows(NUMBER), p_value=NUMBER),
        pairs=rows(record("low high effects", **PAIR)),
        critical_difference=NUMBER,
        groups=rows(rows(TEXT)),
        notes=NOTES,
    ),
    "verdicts": record(
        score=TEXT,
        datasets=by_name(
            rows(
                record(
                    "adjusted_p_value",
                    a=TEXT,
                    b=TEXT,
                    **dict.fromkeys(("difference", "statistic", "p_value", "adjusted_p_value"), NUMBER),
                    verdict={"enum": ["win", "tie", "loss"]},
                )
            )
        ),
        tally=by_name(by_name(record(win=WHOLE, tie=WHOLE, loss=WHOLE))),
        notes=NOTES,
    ),
}

CLAIMS = record(
    rows=rows(
        record(
            **dict.fromkeys(("method", "world", "what"), TEXT),
            **dict.fromkeys(("rows", "trials", "fits"), WHOLE),
            **dict.fromkeys(("level", "rejected", "error", "refused", "cautioned", "effect"), NUMBER),
        )
    ),
    notes=NOTES,
)
