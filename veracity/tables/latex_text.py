"""Text of any origin as LaTeX sets it as it is, whichever program and font encoding reads it."""

from __future__ import annotations

import re
import unicodedata

from veracity.tables.text import visible

ESCAPED = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\symbol{34}",  # \textquotedbl is missing from the usual encoding
    "`": r"\textasciigrave{}",
    "[": "{[}",  # after \\ a bracket or a star would be read as its option
    "]": "{]}",
    "*": "{*}",
    "-": "{-}",  # no dashes out of hyphens
    "'": "{'}",  # no quotes out of two
}
ACCENTS = {
    "\u0300": r"\`",
    "\u0301": r"\'",
    "\u0302": r"\^",
    "\u0303": r"\~",
    "\u0304": r"\=",
    "\u0306": r"\u",
    "\u0307": r"\.",
    "\u0308": r"\"",
    "\u030a": r"\r",
    "\u030b": r"\H",
    "\u030c": r"\v",
    "\u0327": r"\c",
}
LETTERS, AS_TEXT = (
    "ßæÆœŒøØłŁı†…–—“”‘’",
    (r"\ss{} \ae{} \AE{} \oe{} \OE{} \o{} \O{} \l{} \L{} \i{} \textdagger{} \ldots{} -- --- `` '' ` '"),
)
SIGNS, AS_SIGN = (
    "−×±·≤≥≠≈→∞√µ°²³αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩ",
    (
        r"- \times \pm \cdot \leq \geq \neq \approx \to \infty \surd \mu ^\circ ^2 ^3 \alpha \beta \gamma \delta"
        r" \epsilon \zeta \eta \theta \iota \kappa \lambda \mu \nu \xi \pi \rho \sigma \tau \upsilon \phi \chi \psi"
        r" \omega \Gamma \Delta \Theta \Lambda \Xi \Pi \Sigma \Upsilon \Phi \Psi \Omega"
    ),
)
KNOWN = {
    **ESCAPED,
    **dict(zip(LETTERS, AS_TEXT.split(), strict=True)),
    **{sign: rf"\ensuremath{{{command}}}" for sign, command in zip(SIGNS, AS_SIGN.split(), strict=True)},
}
POWER = re.compile(r"(?<![^\s\[(])(-?\d(?:\.\d+)?)e([+-]\d+)(?![^\s,;:)\]])")
MINUS = re.compile(r"(^|\s|\(|\{\[\})\{-\}(?=\d)")
NUMBER = 7  # letters of U+65E5 and the space behind
FOREIGN = re.compile(r"[^\x20-\x7e]+")


def escape(text: str) -> str:
    """Text that LaTeX sets as it is; what only newer programs can set is told by its number where they do not run."""
    whole = unicodedata.normalize("NFC", visible(text))
    marked = "".join(_letter(c) for c in whole)
    return FOREIGN.sub(lambda found: _either(found[0]), marked)


def letters(text: str) -> int:
    """How many letters the older programs set, to which a foreign letter is a number."""
    return sum(1 if c.isascii() or _letter(c) != c else NUMBER for c in visible(text))


def _letter(c: str) -> str:
    if c in KNOWN:
        return KNOWN[c]
    parts = unicodedata.normalize("NFD", c)
    if len(parts) == 2 and parts[0].isascii() and parts[1] in ACCENTS:
        return f"{{{ACCENTS[parts[1]]}{{{parts[0]}}}}}"
    return c


def _either(letters: str) -> str:
    numbers = " ".join(f"U+{ord(c):04X}" for c in letters)
    return rf"{{\ifdefined\Umathchar {letters}\else {numbers}\fi}}"


def sentence(text: str) -> str:
    """Words of our own about numbers: powers of ten as mathematics, and a true minus."""
    parts = POWER.split(text)
    said = [escape(parts[0])]
    for digits, exponent, rest in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        said += [f"${power(digits, exponent)}$", escape(rest)]
    return MINUS.sub(r"\1$-$", "".join(said))


def power(digits: str, exponent: str) -> str:
    """A number written with an exponent, as mathematics."""
    return rf"{digits}\times10^{{{int(exponent)}}}"
