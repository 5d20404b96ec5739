"""Sentences of the library in the words of the command line."""

import pytest

from veracity.cli.words import as_options


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("give positive= one of [0, 1]", "give --positive one of [0, 1]"),
        ("needs labels (label=, or proba=)", "needs labels (--label, or --proba)"),
        ("ask for interval='bca'", "ask for --interval bca"),
        ("give train_mean=.", "give --train-mean."),
        ("write fbeta(beta=2) or cost(matrix=...)", "write fbeta(beta=2) or cost(matrix=...)"),
        ("veracity.catalogue() lists them", "veracity list lists them"),
        ("A: give a column for each class", "A: give --proba CLASS=COLUMN for each class"),
        ("lift(value=3)", "lift(value=3)"),
        ("myproba= stays", "myproba= stays"),
    ],
)
def test_arguments_become_options(sentence, said):
    assert as_options(sentence) == said
