"""The answer to: is one model really better than another? Of one pair, or of several as a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from veracity.core.confidence import rejects
from veracity.core.errors import BadInput
from veracity.core.notes import Note, merge_notes, refuses, unique
from veracity.core.words import percent
from veracity.findings.interval import Interval, limits_of, shown_limits
from veracity.findings.paper import MethodsText, comparison_methods, paper_latex
from veracity.findings.significance import (
    SUMS,
    EffectSize,
    Omnibus,
    Posterior,
    degrees_number,
    degrees_text,
    effect_columns,
    statistic_text,
)
from veracity.tables.cells import align_decimals, names_note, short_names
from veracity.tables.result import RowsResult, SentenceResult
from veracity.tables.table import Table

VOID = ", which is not valid here and decides nothing"
MAX_NAMES = 4  # slices that a note names
P_VALUES, REGIONS = ("p", "adjusted p"), ("left", "rope", "right")
DIRECTIONS = {"less": "lower", "greater": "higher"}  # by the alternative
CONCLUDED = dict(zip(REGIONS, ("lower", "practically equal", "higher"), strict=True))


@dataclass(frozen=True, repr=False)
class Comparison(SentenceResult):
    """A difference (first minus second) with its interval, the test's numbers, and one plain sentence.

    A posterior has `probabilities` (left of the rope, inside, right of it) in place of a p-value. A comparison is also
    read as a table of one: `for one in found`, `found["a", "b"]`, `found.rows`.

    Attributes
    ----------
    score
        The score by its own name.
    using
        The test by its own name.
    a
        The first of the two.
    b
        The second of the two.
    difference
        The score of a minus that of b, in the score's own unit.
    interval
        The interval, or None with a note that says why there is none.
    p_value
        The p-value; None for a posterior.
    statistic
        The statistic of the test.
    df
        Degrees of freedom.
    n01
        Rows that only b got right.
    n10
        Rows that only a got right.
    better
        'higher' or 'lower'.
    notes
        What a reader should know: cautions and remarks.
    probabilities
        Of a posterior: that the difference lies left of the rope, inside, right of it.
    level
        The level of intervals and tests.
    data
        The data set.
    adjusted_p_value
        The p-value adjusted for all pairs that were tested together.
    facts
        Further numbers by name.
    claims
        What a rejection shows, where that is not a difference.
    stated
        Whether b is a stated value and no model.
    posterior
        Draws or density of a posterior, for pictures.
    effects
        Effect sizes with their intervals.
    letter
        How the statistic is called: t, F, z.
    alternative
        Of its p-value: 'two-sided', 'less' or 'greater'; empty where it tests another claim.
    may_reject
        False where a test of all learners came first and does not reject: then no pair is concluded.
    all_notes
        The notes of the result and of its parts, each once.
    one_sided
        Whether its p-value is of one side.
    refused
        Why there is no answer, where there is none.
    rows
        The rows of the table.

    Examples
    --------
    >>> old = vc.predictions(correct=[1, 0, 0, 1, 0, 1, 0, 1])
    >>> new = vc.predictions(correct=[1, 1, 1, 1, 0, 1, 1, 1])
    >>> vc.compare({"old": old, "new": new}, "error").difference
    0.375
    """

    score: str
    using: str
    a: str
    b: str
    difference: float
    interval: Interval | None
    p_value: float | None
    statistic: float | None = None
    df: float | tuple[float, ...] | None = None
    n01: int | None = None  # rows a gets wrong and b right
    n10: int | None = None  # rows a gets right and b wrong
    better: str = "lower"
    notes: tuple[Note, ...] = ()
    probabilities: tuple[float, ...] | None = None
    level: float = 0.95
    data: str = ""
    adjusted_p_value: float | None = None  # over the family that it was asked with
    facts: tuple[tuple[str, float], ...] = ()  # other numbers of the test
    claims: str = ""  # what a small p-value is evidence for ("that ..."), where that is not a difference
    stated: bool = False  # whether b is a stated value and no model or learner
    posterior: Posterior | None = field(default=None, compare=False, repr=False)  # what a picture of it needs
    effects: tuple[EffectSize, ...] = ()  # where asked for
    letter: str = ""  # what the field calls the statistic, such as t or F
    alternative: str = "two-sided"  # or "less" or "greater", of the p-value; empty where it is of another claim
    may_reject: bool = True  # False where a test of all together came first and does not reject

    @property
    def rows(self) -> tuple[Comparison, ...]:
        return (self,)

    def __iter__(self) -> Iterator[Comparison]:
        return iter(self.rows)

    def __len__(self) -> int:
        return 1

    def __getitem__(self, pair: int | tuple[str, ...]) -> Comparison:
        return pair_of(self.rows, pair)

    @property
    def low(self) -> float | None:
        """The lower limit of the difference, where the test has an interval."""
        return limits_of(self.interval)[0]

    @property
    def high(self) -> float | None:
        """The upper limit of the difference, where the test has an interval."""
        return limits_of(self.interval)[1]

    @property
    def one_sided(self) -> bool:
        return self.alternative in DIRECTIONS

    @property
    def p_to_judge(self) -> float | None:
        """The p-value to hold against the level: the adjusted one where there is one."""
        return self.p_value if self.adjusted_p_value is None else self.adjusted_p_value

    @property
    def rejected(self) -> bool:
        """Whether the test concludes; a refused test that was run anyway never does."""
        p = self.p_to_judge
        return p is not None and bool(rejects(p, self.level)) and self.may_reject and not self.refused

    @property
    def refused(self) -> bool:
        return refuses(self.notes)

    @property
    def all_notes(self) -> tuple[Note, ...]:
        return unique(self.notes + (self.interval.notes if self.interval else ()))

    def sentence(self) -> str:
        relation = "equals"
        if self.difference != 0:
            direction = "lower" if self.difference < 0 else "higher"
            quality = f" ({'better' if direction == self.better else 'worse'})" if self.better else ""
            relation = f"is {abs(self.difference):.4g} {direction}{quality} than"
        on = f" on {self.data}" if self.data else ""
        interval = ""
        if self.interval is not None:
            limits = f"interval {self.interval} of the difference"
            limits = f"bound on the difference: {self.interval}" if self.interval.open_end else limits
            interval = f", {percent(self.interval.level)} {limits}"
        sizes = "".join(f"; {one}" for one in self.effects)
        size = f"The {self.score} of {self.a} {relation} {self.b if self.stated else f'that of {self.b}'}{on}"
        return f"{size}{interval}{sizes}; {self._evidence()}."

    def _evidence(self) -> str:
        """The p-value or the probabilities, the test with its numbers and groups of rows, and the conclusion."""
        numbers = [statistic_text(self.letter, self.statistic, self.degrees)]
        numbers += [f"{name} = {number:.6g}" for name, number in self.counts.items() if number is not None]
        numbers += [f"{number} groups" for name, number in self.facts if name == "groups"]
        test = ": ".join(filter(None, (self.using, ", ".join(filter(None, numbers)))))
        if self.probabilities is not None:
            return f"{self._chances(*self.probabilities)} ({test}){VOID if self.refused else ''}"
        if self.p_value is None:
            return f"no p-value ({test})"
        p = f"{'one-sided ' if self.one_sided else ''}p = {self.p_value:.3g}"
        if self.refused:
            return f"{p} ({test}){VOID}"
        adjusted = "" if self.adjusted_p_value is None else f", adjusted {self.adjusted_p_value:.3g}"
        says = "evidence" if self.rejected else "not enough to conclude"
        return f"{p}{adjusted} ({test}): {says} {self.claims or 'that they differ'}"

    @property
    def degrees(self) -> tuple[float, ...]:
        """The degrees of freedom: none, one number, or two."""
        return self.df if isinstance(self.df, tuple) else () if self.df is None else (self.df,)

    @property
    def counts(self) -> dict[str, float | None]:
        """What the test counted or summed by sign, as readers call it; None where it did not."""
        return {"n01": self.n01, "n10": self.n10, **dict(zip(SUMS, self.sums or (None, None), strict=True))}

    @property
    def sums(self) -> tuple[float, float] | None:
        """Of ranks by sign, W+ and W-, where the test has them."""
        facts = dict(self.facts)
        return (facts["w_plus"], facts["w_minus"]) if "w_plus" in facts else None

    @property
    def verdict(self) -> str:
        """In a word or two; a posterior concludes where one of its regions is as probable as the level."""
        if self.refused:
            return "not valid"
        if self.probabilities is not None:
            likely = [name for name, p in zip(REGIONS, self.probabilities, strict=True) if p >= self.level]
            return CONCLUDED[likely[0]] if likely else "not resolved"
        concluded = DIRECTIONS[self.alternative] if self.one_sided and not self.stated else ""
        return (concluded or ("shown" if self.claims else "differ")) if self.rejected else "not resolved"

    def _chances(self, left: float, inside: float, right: float) -> str:
        """Of a difference by its own law, or of what most data sets say; without a rope nothing lies inside."""
        known = self.posterior
        most = "" if known is None or known.law is not None else "mostly "
        equal = "" if known is not None and known.rope == 0 else f"{inside:.3g} that they are {most}practically equal, "
        return f"probability {left:.3g} that it is {most}lower, {equal}{right:.3g} that it is {most}higher"

    @property
    def methods(self) -> MethodsText:
        """What was done and found, as the paragraph of a paper; `.bibtex` has the works that it cites."""
        return comparison_methods([self])

    def json_fields(self) -> dict[str, Any]:
        """Return the shape of `veracity compare --json`."""
        names = ("score", "using", "a", "b", "difference", "low", "high", "level", "statistic", "p_value", "df")
        shape = {name: getattr(self, name) for name in (*names, "n01", "n10")}
        shape |= {"level": self.interval.level if self.interval else self.level}
        shape["alternative"] = self.alternative or None
        if self.adjusted_p_value is not None:
            shape["adjusted_p_value"] = self.adjusted_p_value
        if self.probabilities is not None:
            shape |= {"probabilities": self.probabilities, "verdict": self.verdict}
        shape |= dict(self.facts)
        if self.effects:
            shape["effects"] = {one.method: one for one in self.effects}
        return {**shape, "data": self.data} if self.data else shape


def pair_columns(pairs: Sequence[Comparison], always: Iterable[str]) -> dict[str, list[Any]]:
    """Return the numbers of pairs by heading: difference, statistic and verdict, others where a pair has one or that
    are `always` there, and the effect sizes.
    """
    rows = []
    for pair in pairs:
        difference, low, high = align_decimals(pair.difference, *shown_limits(pair.interval))
        df = degrees_number(pair.degrees[0]) if len(pair.degrees) == 1 else degrees_text(pair.degrees) or None
        row = {"difference": difference, "low": low, "high": high, "statistic": pair.statistic, "df": df, **pair.counts}
        row |= zip(REGIONS, pair.probabilities or (None, None, None), strict=True)
        rows.append(row | {"p": pair.p_value, "adjusted p": pair.adjusted_p_value, "verdict": pair.verdict})
    kept = {"difference", "statistic", "verdict", *always}
    columns = {title: [row[title] for row in rows] for title in (rows[0] if rows else ())}
    columns = {title: cells for title, cells in columns.items() if title in kept or any(c is not None for c in cells)}
    return columns | effect_columns(pairs)


def pair_of(rows: Sequence[Comparison], pair: int | tuple[str, ...]) -> Comparison:
    """The comparison at a place or of two names, with the slice, data set or score where there are several."""
    if isinstance(pair, int):
        return rows[pair]
    if not (isinstance(pair, tuple) and all(isinstance(name, str) for name in pair)):
        raise BadInput(f"a pair is named by both, as in comparisons[{rows[0].a!r}, {rows[0].b!r}]")
    found = [row for row in rows if (row.a, row.b) == pair[:2] and {*pair[2:]} <= {row.data, row.score}]
    if len(found) == 1:
        return found[0]
    there = "; ".join(", ".join((row.a, row.b, row.data) if row.data else (row.a, row.b)) for row in rows)
    says = "leaves several comparisons, add the slice or data set" if found else "was not compared"
    raise BadInput(f"the pair {', '.join(map(str, pair))} {says}: there are {there}")


def _of_one_pair(name: str) -> Any:
    """Return a property that is that of the pair where one pair was compared; of several it says how to name one."""

    def read(family: Comparisons) -> Any:
        rows = family.rows
        if len(rows) == 1:
            return getattr(rows[0], name)
        way = f", as in comparisons[{rows[0].a!r}, {rows[0].b!r}].{name}" if rows else ""
        raise BadInput(f"{len(rows)} comparisons have no {name} together: name one of them{way}")

    return property(read, doc=f"The {name} of the pair, where one pair was compared.")


@dataclass(frozen=True, repr=False)
class Comparisons(RowsResult[Comparison]):
    """Comparisons of pairs, indexed by the two names, and by the slice or data set where there are several.

    Attributes
    ----------
    rows
        The rows of the table.
    notes
        What a reader should know: cautions and remarks.
    omnibus
        The test of all learners or models together, if there was one.
    then
        How p-values were adjusted.
    refused
        Tests of the family that have no answer and count as p = 1.
    a
        The a of the pair, where one pair was compared.
    adjusted_p_value
        The adjusted_p_value of the pair, where one pair was compared.
    b
        The b of the pair, where one pair was compared.
    difference
        The difference of the pair, where one pair was compared.
    interval
        The interval of the pair, where one pair was compared.
    json_notes
        The notes that stand in the JSON.
    p_value
        The p_value of the pair, where one pair was compared.
    probabilities
        The probabilities of the pair, where one pair was compared.
    rejected
        The rejected of the pair, where one pair was compared.
    scores
        The scores by name.
    using
        The using of the pair, where one pair was compared.
    verdict
        The verdict of the pair, where one pair was compared.

    Examples
    --------
    >>> table = vc.score_matrix([[0.8, 0.7, 0.6], [0.9, 0.8, 0.7], [0.7, 0.6, 0.5], [0.9, 0.7, 0.8]], ["a", "b", "c"])
    >>> vc.compare(table, using="sign")["a", "b"].p_value
    0.125
    """

    rows: tuple[Comparison, ...]
    notes: tuple[Note, ...] = ()
    omnibus: Omnibus | None = None  # a test of all together that came before the pairs
    then: str = ""  # the adjustment of the family
    refused: int = 0  # tests of the family that have no answer and count as p = 1

    def __getitem__(self, pair: int | tuple[str, ...]) -> Comparison:
        return pair_of(self.rows, pair)

    a = cast("str", _of_one_pair("a"))
    b = cast("str", _of_one_pair("b"))
    using = cast("str", _of_one_pair("using"))
    difference = cast("float", _of_one_pair("difference"))
    interval = cast("Interval | None", _of_one_pair("interval"))
    p_value = cast("float | None", _of_one_pair("p_value"))
    adjusted_p_value = cast("float | None", _of_one_pair("adjusted_p_value"))
    probabilities = cast("tuple[float, ...] | None", _of_one_pair("probabilities"))
    rejected = cast("bool", _of_one_pair("rejected"))
    verdict = cast("str", _of_one_pair("verdict"))

    @property
    def all_notes(self) -> tuple[Note, ...]:
        """Those of all, then of rows; one that does not hold on all slices or data sets names where it does."""
        places = {(self._place(row),) for row in self.rows}
        if len(places) == 1:
            return unique(self.notes + tuple(note for row in self.rows for note in row.all_notes))
        notes = [
            note if note.says.startswith(f"{place}: ") else replace(note, where=(place,))
            for row, place in zip(self.rows, map(self._place, self.rows), strict=True)
            for note in row.all_notes
        ]
        return unique(self.notes + merge_notes(notes, places, MAX_NAMES))

    @property
    def scores(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(row.score for row in self.rows))

    def _place(self, row: Comparison) -> str:
        """The slice or data set; of several scores, also which."""
        return " ".join(filter(None, (row.data, row.score if len(self.scores) > 1 else "")))

    def table(self) -> Table:
        names = list(dict.fromkeys(name for row in self.rows for name in (row.a, row.b)))
        shown = short_names(names)
        columns: dict[str, Any] = {}
        if len(self.scores) > 1:
            columns["score"] = [row.score for row in self.rows]
        if any(row.data for row in self.rows):
            columns["data"] = [row.data for row in self.rows]
        columns |= {"a": [shown[row.a] for row in self.rows], "b": [shown[row.b] for row in self.rows]}
        posterior = any(row.probabilities is not None for row in self.rows)
        always = ("low", "high", *(REGIONS if posterior else P_VALUES))
        columns |= pair_columns(self.rows, always)
        using = ", ".join(dict.fromkeys(row.using for row in self.rows))
        sides = " and ".join(dict.fromkeys(DIRECTIONS[row.alternative] for row in self.rows if row.one_sided))
        asked = f", one-sided: whether they are {sides}" if sides else ""
        caption = f"differences of {', '.join(self.scores)} (a minus b) by {using}{asked}"
        notes = self.all_notes + names_note(names)
        return Table.from_columns(columns, caption, notes, right=("df", *effect_columns(self.rows)))

    @property
    def methods(self) -> MethodsText:
        """What was done and found, as the paragraph of a paper; `.bibtex` has the works that it cites."""
        return comparison_methods(self.rows, self.then, self.all_notes, self.omnibus)

    def to_paper(self) -> str:
        """LaTeX of the paragraph and the table, then the works cited."""
        return paper_latex(self.methods, [self.to_latex()])

    @property
    def json_notes(self) -> tuple[Note, ...]:
        return self.notes

    def json_fields(self) -> dict[str, Any]:
        """Return every comparison in the shape of `veracity compare --json`."""
        return {**({"omnibus": self.omnibus} if self.omnibus else {}), "comparisons": self.rows}
