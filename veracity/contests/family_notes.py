"""What must be said of comparisons that are judged as one family."""

from __future__ import annotations

from collections.abc import Iterator

from veracity.adjustments import adjustments
from veracity.comparisons.entry import Test
from veracity.core.counting import many
from veracity.core.entry import Choice, Entry
from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.evidence.score_matrix import ScoreMatrix


def adjustment(then: object, claims: str = "") -> Choice:
    """The adjustment asked for, holm without any; one that reasons about equality is not for other claims."""
    choice = adjustments.choose("holm" if then is None else then)
    if claims and choice.entry.pairs:
        raise BadInput(
            f"{choice.entry.name} uses that equality is transitive, and these tests claim {claims}: use holm"
        )
    return choice


def family_notes(size: int, then: Choice, test: Entry) -> Iterator[Note]:
    """How large the family is, how it was adjusted, and what that takes for granted."""
    says = f"{size} comparisons are one family" if size > 1 else "one comparison is a family by itself"
    yield Note("family", "remark", f"{says}, adjusted by {then.spelling}")
    if "LOGIC" in then.entry.assumes and _tests_pairs_alone(test):
        says = (
            f"{then.entry.name} uses that equality is transitive, which {test.name} of pairs grants only if learners "
            "differ by a shift alike on all data sets: holm needs nothing"
        )
        yield Note("transitive", "caution", says)
    if then.entry.controls != "family-wise error":
        yield Note("controls", "remark", f"{then.entry.name} controls the {then.entry.controls}")


def _tests_pairs_alone(test: Entry) -> bool:
    """Whether it asks about the differences of two learners themselves: means are equal or not, medians of these."""
    return isinstance(test, Test) and test.reads is ScoreMatrix and "COMM" not in test.assumes


def other_pairs(number: int) -> str:
    """So many, in words."""
    return many(number, "other pair")
