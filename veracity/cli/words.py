"""Sentences that speak of Python's arguments, in the words of the command line."""

from __future__ import annotations

import re

ARGUMENTS = (
    "label proba value number positive classes weights counts groups rows threshold costs interval level side seed"
    " needs labelled prior train_mean address engine workers timeout store target using then pairs control better score"
    " dataset repeat fold train test power difference discordant win sd datasets splits draws"
)
BARE = re.compile(rf"\b({ARGUMENTS.replace(' ', '|')})=(?=[\s,;:)]|\.(?!\.)|$)")
QUOTED = re.compile(rf"\b({ARGUMENTS.replace(' ', '|')})=(['\"])(\w+)\2")
PHRASES = {
    "compare(..., --using wilcoxon)": "veracity compare --using wilcoxon",
    "veracity.catalogue()": "veracity list",
    "report it with .on(other rows)": "name a second file to report it on",
    "give a column for each class": "give --proba CLASS=COLUMN for each class",
}


def as_options(sentence: str) -> str:
    """`positive=` becomes `--positive`, `interval='bca'` becomes `--interval bca`."""
    said = BARE.sub(lambda m: f"--{m[1]}".replace("_", "-"), sentence)
    said = QUOTED.sub(lambda m: f"--{m[1].replace('_', '-')} {m[3]}", said)
    for python, shell in PHRASES.items():
        said = said.replace(python, shell)
    return said
