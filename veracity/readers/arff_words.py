"""The words of an ARFF line: separated by commas, perhaps quoted, perhaps followed by a comment."""

from __future__ import annotations

import re

ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}
ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
QUOTED = {sign: re.compile(rf"{sign}(?:[^{sign}\\]|\\.)*{sign}", re.DOTALL) for sign in "'\""}
PLAIN = re.compile(r"[^,'\"%]*")
SPECIAL = re.compile(r"['\"%\\{]")


class TornError(Exception):
    """A line that breaks the rules; its text continues `line 7 ...`."""


def words(line: str, blanks: bool = True) -> list[str]:
    """The cells of a line as written, quotes kept, so that '?' in quotes is not a missing cell.

    With `blanks`, a line without commas is split at them, as Weka does.
    """
    if not SPECIAL.search(line):
        return [word.strip() for word in line.split(None if blanks and "," not in line else ",")]
    found, word, place = [], "", 0
    while place < len(line):
        sign = line[place]
        if sign == "%":
            break
        if sign == ",":
            found.append(word.strip())
            word, place = "", place + 1
        elif sign in "'\"" and _opens(word):
            piece = _quoted(line, place)
            word, place = word + piece, place + len(piece)
        else:
            rest = PLAIN.match(line, place + 1)
            end = rest.end() if rest else place + 1
            word, place = word + line[place:end], end
    return [*found, word.strip()]


def _opens(word: str) -> bool:
    """A quote opens a text only where a word starts: at once, or after the number of a sparse cell."""
    return not word.strip() or word[-1:].isspace()


def _quoted(line: str, place: int) -> str:
    found = QUOTED[line[place]].match(line, place)
    if found is None:
        raise TornError("has an opening quote without its closing one")
    return found.group()


def unquoted(word: str) -> str:
    """The text that a word stands for."""
    if len(word) >= 2 and word[0] in "'\"" and word[-1] == word[0]:
        word = word[1:-1]
        return ESCAPE.sub(_meaning, word) if "\\" in word else word
    return word


def _meaning(found: re.Match[str]) -> str:
    sign = found.group(1)
    return chr(int(sign[1:], 16)) if len(sign) == 5 else ESCAPES.get(sign, sign)


def read_word(text: str, otherwise: str) -> tuple[str, str]:
    """The first word of a declaration, unquoted, and what follows it."""
    if not text:
        raise TornError(otherwise)
    if text[0] in "'\"":
        piece = _quoted(text, 0)
        return unquoted(piece), text[len(piece) :]
    end = re.search(r"[\s{]", text)
    return (text[: end.start()], text[end.start() :]) if end else (text, "")
