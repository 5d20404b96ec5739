"""A few bytes or signs of a text changed, as slips and broken discs change them."""

from __future__ import annotations

from random import Random

SIGNS = (*",\"\n\r 0.-\\'%{(a=", "é", "nan", "9" * 20)
BYTES = (*(sign.encode() for sign in SIGNS), b"\xff", b"\0")


def damaged(random: Random, body: bytes) -> bytes:
    """A few bytes inserted, taken away, changed, doubled or cut off."""
    for _ in range(random.choice([1, 1, 2, 4])):
        start = random.randrange(len(body) + 1)
        end = min(len(body), start + random.choice([1, 1, 2, 8]))
        signs = random.choice(BYTES)
        body = random.choice(
            [
                body[:start] + signs + body[start:],
                body[:start] + body[end:],
                body[:start] + signs + body[end:],
                body[:end] + body[start:],
                body[:start] if random.random() < 0.2 else body,
            ]
        )
    return body


def damaged_text(random: Random, text: str) -> str:
    """The same of a text, which stays one."""
    return damaged(random, text.encode()).decode(errors="replace").replace("\0", "0")
