"""What a design's splits are like, seen from the splits themselves, and the interval that follows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from veracity.core.notes import Note, Weight
from veracity.records.design import Design, Split

Kind = Literal["splits", "model", "rows", "drawn", "itself", "parts"]


@dataclass(frozen=True)
class Rule:
    """The default interval of one kind of design, and what to say."""

    scores: str
    interval: str | None
    says: str
    answers: str  # with a place for the share of the rows that trained
    code: str = "no-interval"
    weight: Weight = "remark"

    def note(self) -> Note:
        return Note(self.code, self.weight, self.says)


PROCEDURE = "mean risk of the procedure trained on {share} of the rows"
RULES: dict[Kind, Rule] = {
    "splits": Rule(
        "any score by kfold, repeated_kfold, repeated_holdout",
        "corrected_t",
        "the mean over splits, as the interval is about it",
        PROCEDURE,
    ),
    "model": Rule(
        "any score by holdout, three_way",
        "own",
        "as a fixed model's",
        "risk of the one model trained on {share} of the rows",
    ),
    "rows": Rule(
        "any score by leave_one_out",
        None,
        "leave_one_out has no interval: n splits of one row each say nothing about how training sets differ",
        PROCEDURE,
    ),
    "drawn": Rule(
        "any score by bootstrap",
        None,
        "the scores of bootstrap draws have no interval of their own",
        "mean risk of the procedure trained on bootstrap draws with {share} of the rows in each",
    ),
    "itself": Rule(
        "any score by resubstitution",
        None,
        "the model was tested on rows it had learned from: the score is optimistic, and no interval mends that",
        "score of the model trained on {share} of the rows on its own training rows, which is optimistic",
        "optimistic",
        "caution",
    ),
    "parts": Rule(
        "any score by paired_subsampling, nested_cv_bates",
        None,
        "this design was made for an interval of its own; corrected_t can be asked for",
        PROCEDURE,
    ),
}


def kind_of(design: Design) -> Kind:
    """The kind of a design, from its splits alone, so that a foreign splitter is judged like our own."""
    if any(_overlaps(split) for split in design.splits):
        return "itself"
    if len({split.part for split in design.splits}) > 1:
        return "parts"
    if len(design) == 1:
        return "model"
    if any(len(np.unique(split.train)) < len(split.train) for split in design.splits):
        return "drawn"
    return "rows" if all(len(split.test) == 1 for split in design.splits) else "splits"


def _overlaps(split: Split) -> bool:
    return bool(np.isin(split.test, split.train).any())


def main_part(design: Design) -> tuple[int, ...]:
    """The numbers of the splits that an estimate is made of: of a design in parts, those of the first part."""
    first = design.splits[0].part
    return tuple(number for number, split in enumerate(design.splits) if split.part == first)


def answered(design: Design) -> str:
    """Which risk an estimate by this design is of."""
    splits = [design.splits[number] for number in main_part(design)]
    share = float(np.mean([len(np.unique(split.train)) for split in splits])) / design.rows
    return RULES[kind_of(design)].answers.format(share=f"{100 * share:.3g} %")
