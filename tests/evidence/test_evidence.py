"""What sentences say of a kind of evidence, the kind says itself."""

import pytest

from veracity.comparisons import comparisons
from veracity.intervals import intervals


@pytest.mark.parametrize("entry", [*intervals, *comparisons], ids=lambda entry: entry.name)
def test_what_a_method_reads_has_words(entry):
    assert entry.reads.label and entry.reads.__name__ not in entry.reads.label
