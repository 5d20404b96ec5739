"""What was done and found, as the paragraph of a paper, with the works that it cites."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from veracity.core.environment import version_of
from veracity.core.index import display_name, indexed
from veracity.core.notes import Note, cautions
from veracity.core.references import REFERENCES, WORKS, author_and_year
from veracity.core.words import plural
from veracity.findings.significance import statistic_text
from veracity.tables.cells import deserved_decimals, short_names
from veracity.tables.latex import escape, sentence
from veracity.tables.result import SentenceResult

if TYPE_CHECKING:
    from veracity.evidence.score_matrix import ScoreMatrix
    from veracity.findings.comparison import Comparison
    from veracity.findings.dataset_tests import Verdicts
    from veracity.findings.ranking import Ranking
    from veracity.findings.significance import Omnibus

TESTS, ADJUSTERS = ("comparisons", "posthocs"), ("adjustments", "posthocs")
LEAST_P = 0.001  # below, papers do not tell more
MADE_BY = f" Computed by veracity {version_of('veracity')}."
NAMED = 12  # learners and pairs that a sentence can name
CHI2 = re.compile(r"\bchi2(?=\(|\s=)")
LONG_WORD = re.compile(r"\S{25,}")
SIGN = re.compile(r"(\\_|\{[-*'\[\]]\}|[(,=/:.;])")


class Cite(str):
    """Keys of works, with commas between, that stand at a place of a paragraph."""

    __slots__ = ()


@dataclass(frozen=True)
class MethodsText(SentenceResult):
    """A paragraph that says what was done and what came of it; its works are cited, in LaTeX by their keys."""

    pieces: tuple[str | Cite, ...]
    notes: tuple[Note, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the works cited, in the order of the text."""
        return tuple(dict.fromkeys(key for piece in self.pieces if isinstance(piece, Cite) for key in piece.split(",")))

    def sentence(self) -> str:
        """The paragraph in plain text, works by author and year."""
        return "".join(
            f" ({'; '.join(map(author_and_year, piece.split(',')))})" if isinstance(piece, Cite) else piece
            for piece in self.pieces
        )

    def __repr__(self) -> str:
        return self.sentence()

    @property
    def bibtex(self) -> str:
        """The works cited, as entries of a .bib file."""
        return "\n".join(map(bibtex, self.keys))

    def to_latex(self) -> str:
        r"""The paragraph with \cite; cautions that a reader of the numbers must know stand before it as comments."""
        above = [f"% {line}" for note in cautions(self.notes) for line in str(note).splitlines()]
        said = [rf"~\cite{{{piece}}}" if isinstance(piece, Cite) else _set(piece) for piece in self.pieces]
        return "\n".join([*above, r"\begin{sloppypar}", "".join(said), r"\end{sloppypar}"]) + "\n"

    def to_json(self) -> dict[str, Any]:
        """The text and what it cites."""
        return {"text": self.sentence(), "cites": {key: REFERENCES[key] for key in self.keys if key in REFERENCES}}


def paper_latex(text: MethodsText, tables: Sequence[str]) -> str:
    """Paragraph, tables, and as comments the works that it cites, for a .bib file."""
    works = "".join(f"% {line}\n" for line in text.bibtex.splitlines())
    return "\n".join([text.to_latex(), *tables, *(["% the works cited, for a .bib file:\n" + works] if works else [])])


def method_pieces(spelled: str, *kinds: str) -> list[str | Cite]:
    """A method by its title, with the parameters that were set, and its works."""
    cite = indexed(spelled, *kinds).cite
    return [display_name(spelled, *kinds), *([Cite(",".join(cite))] if cite else [])]


def procedure_titles(judged_by: str, then: str) -> str:
    """A test of pairs and its adjustment, by their titles."""
    test, adjusted = display_name(judged_by, "posthocs", "comparisons"), display_name(then, *ADJUSTERS)
    return adjusted if judged_by == then else f"{test}, adjusted by {adjusted}"


def p_text(p: float | None) -> str:
    """A p-value as papers print it."""
    if p is None:
        return "no p-value"
    return f"p < {LEAST_P:g}" if p < LEAST_P else f"p = {p:.3g}"


def listing(names: Sequence[str], what: str) -> str:
    """Names as a sentence lists them, or their number where they are many."""
    if len(names) > NAMED:
        return plural(len(names), what)
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _set(text: str) -> str:
    """As LaTeX sets it; long words, such as learners with their parameters, may be broken behind any sign."""
    said = CHI2.sub(r"$\\chi^2$", sentence(text))
    return LONG_WORD.sub(lambda word: SIGN.sub(r"\1\\allowbreak{}", word[0]), said)


def bibtex(key: str) -> str:
    """Return the BibTeX entry of a work; what is not in the table, as a user's method may cite, is told as it is."""
    work = WORKS.get(key)
    if work is None:
        work = {"type": "misc", "note": key}

    def plain(text: str) -> str:
        return escape(text).replace("{-}", "-")  # BibTeX leaves hyphens to LaTeX

    fields = {"author": " and ".join(map(plain, work.get("author", ())))}
    fields |= {name: plain(str(value)) for name, value in work.items() if name not in ("type", "author")}
    if "title" in fields:
        fields["title"] = f"{{{fields['title']}}}"
    fields["pages"] = fields.get("pages", "").replace("-", "--")
    lines = ",\n".join(f"  {name} = {{{text}}}" for name, text in fields.items() if text)
    return f"@{work['type']}{{{key},\n{lines}\n}}\n"


def ranking_methods(ranking: Ranking) -> MethodsText:
    """What a ranking did and found."""
    matrix, omnibus = ranking.matrix, ranking.omnibus
    concludes = omnibus.rejects(ranking.level)
    shows = "so learners differ" if concludes else "which is not enough to conclude that learners differ"
    shows = "a test that is not valid here and decides nothing" if omnibus.refused else shows
    pieces: list[str | Cite] = [*_compared(matrix), " Whether any learners differ was tested by "]
    level = f"{1 - ranking.level:.2g} level"
    pieces += [*method_pieces(omnibus.method, *TESTS), f": {_numbers(omnibus)}, {shows} at the {level}."]
    pieces.append(" Pairs were " if ranking.control is None else f" The pairs of the control, {ranking.control}, were ")
    if ranking.then == ranking.judged_by:
        critical = ranking.critical_difference
        with_it = "" if critical is None else f", whose critical difference is {critical:.3g}"
        pieces += ["decided by ", *method_pieces(ranking.then, *ADJUSTERS[::-1]), f"{with_it}."]
    else:
        adjusted = f", and p-values adjusted for {plural(len(ranking.pairs), 'pair')} by "
        pieces += ["tested by ", *method_pieces(ranking.judged_by, "posthocs", "comparisons"), adjusted]
        pieces += [*method_pieces(ranking.then, *ADJUSTERS), "."]
    if concludes:
        apart = [pair for pair in ranking.pairs if pair.rejected]
        named = ", ".join(f"{pair.a} and {pair.b} (adjusted {p_text(pair.adjusted_p_value)})" for pair in apart)
        which = f": {named}" if 0 < len(apart) <= NAMED else ""
        pieces.append(f" Of {plural(len(ranking.pairs), 'pair')}, {len(apart)} differ significantly{which}.")
    else:
        pieces.append(" No pair is concluded.")
    ranks = [f"{name} {ranking.average_ranks[name]:.{rank_decimals(matrix)}f}" for name in ranking.best_first[:NAMED]]
    pieces.append(f" Mean ranks, 1 being the best: {', '.join(ranks)}{' ...' if len(matrix.learners) > NAMED else '.'}")
    return MethodsText((*pieces, MADE_BY), ranking.all_notes)


def _compared(matrix: ScoreMatrix) -> list[str | Cite]:
    """Who was compared, on what and by which score."""
    learners = f" ({listing(matrix.learners, 'learner')})" if len(matrix.learners) <= NAMED else ""
    data = f" ({listing(matrix.datasets, 'data set')})" if len(matrix.datasets) <= NAMED else ""
    sizes = {len(cell) for row in matrix.splits or () for cell in row if cell is not None}
    splits = f", each score being a mean over {sizes.pop()} splits" if len(sizes) == 1 and max(sizes) > 1 else ""
    where, who = f"On {plural(len(matrix), 'data set')}{data}", f"{plural(len(matrix.learners), 'learner')}{learners}"
    return [f"{where}, {who} were compared by {matrix.score} ({matrix.better} is better){splits}."]


def rank_decimals(matrix: ScoreMatrix) -> int:
    """Decimals that a mean rank deserves: its standard error among equal learners, to two digits."""
    learners = len(matrix.learners)
    return deserved_decimals(math.sqrt(learners * (learners + 1) / (12 * max(len(matrix), 1))))


def comparison_methods(
    rows: Sequence[Comparison], then: str = "", notes: Sequence[Note] = (), omnibus: Omnibus | None = None
) -> MethodsText:
    """What one comparison, or a family of them, did and found."""
    tests = list(dict.fromkeys(row.using for row in rows))
    scores = dict.fromkeys(f"{row.score} ({row.better} is better)" if row.better else row.score for row in rows)
    pieces: list[str | Cite] = []
    if omnibus is not None:
        first = ["All were first tested together by ", *method_pieces(omnibus.method, *TESTS)]
        pieces += [*first, f": {_numbers(omnibus)}. "]
    pieces.append(f"Differences of {' and '.join(scores)} were tested by ")
    for place, test in enumerate(tests):
        pieces += [*([" and "] if place else []), *method_pieces(test, *TESTS)]
    adjusted = any(row.adjusted_p_value is not None for row in rows)
    if adjusted:
        pieces.append(f", and p-values adjusted for {plural(len(rows), 'comparison')}")
        pieces += [" by ", *method_pieces(then, *ADJUSTERS)] if then else []
    pieces.append(f", at the {1 - rows[0].level:.2g} level.")
    shown = rows if len(rows) <= NAMED else [row for row in rows if row.rejected][:NAMED]
    pieces += [f" {row.score if len(scores) > 1 else ''} {_comparison_text(row)}".replace("  ", " ") for row in shown]
    if len(rows) > NAMED:
        pieces.append(f" In all, {sum(row.rejected for row in rows)} of {len(rows)} differ significantly.")
    return MethodsText((*pieces, MADE_BY), (*notes, *(note for row in rows for note in row.all_notes)))


def _comparison_text(row: Comparison) -> str:
    """One comparison in a sentence, to the digits that its interval deserves."""
    on, between, places = f" on {row.data}" if row.data else "", "", 4
    if row.interval is not None:
        low, high, level = row.interval.low, row.interval.high, f"{100 * row.interval.level:.4g}%"
        reach = 2 * (row.difference - (high if math.isinf(low) else low)) if row.interval.open_end else high - low
        places = deserved_decimals(abs(reach) / 4)  # about a standard error
        between = f", {level} interval [{low:.{places}f}, {high:.{places}f}]"
        if row.interval.open_end:
            end = f"at most {high:.{places}f}" if row.interval.open_end == "low" else f"at least {low:.{places}f}"
            between = f", {level} bound {end}"
    said = f"{row.a} and {row.b}{on}: difference {row.difference:.{places}f}{between}"
    if row.p_value is None:
        chances = ", ".join(f"{chance:.3g}" for chance in row.probabilities or ())
        return f"{said}; probabilities of lower, practically equal and higher {chances}."
    adjusted = "" if row.adjusted_p_value is None else f", adjusted {p_text(row.adjusted_p_value)}"
    found = f"evidence {row.claims}" if row.claims else "a significant difference"
    verdict = found if row.rejected else f"not enough to conclude {row.claims or 'that they differ'}"
    return f"{said}; {_numbers(row, 'one-sided ' * row.one_sided)}{adjusted}: {verdict}."


def verdicts_methods(verdicts: Verdicts) -> MethodsText:
    """What was tested on each data set, and who wins most."""
    first = verdicts.rows[0]
    tested = "Every pair was tested"
    if verdicts.control is not None:
        tested = f"{short_names(verdicts.matrix.learners)[verdicts.control]} was tested against each other learner"
    pieces = [*_compared(verdicts.matrix), f" {tested} on each data set by "]
    pieces += [*method_pieces(first.using, *TESTS), f" at the {1 - first.level:.2g} level"]
    if verdicts.then:
        pieces += [f", and p-values adjusted for {plural(len(verdicts.rows), 'test')} by "]
        pieces += method_pieces(verdicts.then, *ADJUSTERS)
    pieces.append(f". {verdicts.sentence()[0].upper()}{verdicts.sentence()[1:]}")
    return MethodsText((*pieces, MADE_BY), verdicts.all_notes)


def _numbers(result: Omnibus | Comparison, side: str = "") -> str:
    """The statistic, where there is one, and the p-value."""
    df = result.df if isinstance(result.df, tuple) else () if result.df is None else (result.df,)
    statistic = statistic_text(result.letter, result.statistic, df)
    return ", ".join(filter(None, (statistic, f"{side}{p_text(result.p_value)}")))
