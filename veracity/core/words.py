"""Numbers of things and texts of users in sentences."""

from __future__ import annotations


def plural(number: int, what: str) -> str:
    """How many there are of something: "1 split", "2 splits"."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def brief(text: str, longest: int = 60) -> str:
    """A text from the user's data, short enough for a sentence and without line breaks."""
    text = " ".join(text.split()) if any(mark in text for mark in "\r\n\t") else text
    return text if len(text) <= longest else f"{text[: longest - 3]}..."
