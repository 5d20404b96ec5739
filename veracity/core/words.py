"""What sentences are made of: numbers of things, texts of users, and words that the command line has others for."""

from __future__ import annotations

import ast
import re
import shlex

START, OR, END = MARKS = "\ue000\ue001\ue002"  # around words in Python's form and in the command line's


PORT = r"\d*(?:[/\s,.]|$)"
PASSWORD = rf"\S*@|(?!{PORT})[^\n'\"]*?@"  # one with a space ends where the first @ follows
SECRETS = re.compile(rf"(\w:/{{1,3}}[^\s:/]*:)(?:{PASSWORD})|(password=)[^\s&'\"]*", re.IGNORECASE)


def without_passwords(text: str) -> str:
    """A text with three stars for the password of every address in it, however that is misspelt."""
    return SECRETS.sub(_starred, text) if ":/" in text or "assword=" in text else text


def _starred(found: re.Match[str]) -> str:
    return f"{found[1]}***@" if found[1] else f"{found[2]}***"


# How messages name what a user may type: `score=`, `score='auc'`, `force=True` and `vc.ledger(runs)` in Python's words.
OPTION = re.compile(r"`(\w+)=([^`]*)`")
FUNCTION = re.compile(r"`vc\.(\w+)(?:\(([^`]*)\))?`")
COMMANDS = {"catalogue": "list", "search": "explain", "check_store": "check"}  # commands that have another name


def option(name: str, value: object = None) -> str:
    """Return how a message names an argument: `score=`, or with a value `score='auc'`."""
    return f"`{name}=`" if value is None else f"`{name}={value!r}`"


def for_command_line(message: str) -> str:
    """Return a message with `score='auc'` written as --score auc and `vc.ledger(runs)` as veracity ledger."""
    if "`" not in message:
        return message
    return FUNCTION.sub(_typed_command, OPTION.sub(_typed_option, message))


def _typed_option(match: re.Match[str]) -> str:
    flag, value = f"--{match[1].replace('_', '-')}", _literal(match[2])
    return flag if value in ("", True) else f"{flag} {shlex.quote(str(value))}"


def _typed_command(match: re.Match[str]) -> str:
    command, argument = COMMANDS.get(match[1], match[1]), (match[2] or "").strip()
    quoted = argument[:1] in ("'", '"') and argument[:1] == argument[-1:]
    return f"veracity {command} {shlex.quote(str(_literal(argument)))}" if quoted else f"veracity {command}"


def _literal(text: str) -> object:
    """Return the value of a Python literal, or the text itself where it is none."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def phrase(python: str, shell: str) -> str:
    """Words in a sentence to be made, in Python's form and in the command line's."""
    return f"{START}{python}{OR}{shell}{END}"


class Sentence(str):
    """A sentence in Python's words that the command line can say in its own."""

    template: str  # to be put into another sentence

    def __new__(cls, template: str) -> Sentence:
        self = super().__new__(cls, _say(template, 0))
        self.template = template
        return self

    def __reduce__(self) -> tuple[type, tuple[str]]:
        return Sentence, (self.template,)


def sentence(text: str) -> str:
    """The sentence that a text with options makes; any other text as it is."""
    return Sentence(text) if START in text else text


def template(text: str) -> str:
    """A sentence as a part of another one, in which its options stay options."""
    return text.template if isinstance(text, Sentence) else text


def in_shell(text: str) -> str:
    """A sentence in the words of the command line."""
    return for_command_line(_say(text.template, 1) if isinstance(text, Sentence) else text)


def without_options(text: str) -> str:
    """A sentence without arguments of Python or options of the command line: only their values, where they have any."""
    said, *parts = template(text).split(START)
    for part in parts:
        words, _, rest = part.partition(END)
        said += _value_alone(words.partition(OR)[2]) + rest
    return OPTION.sub(lambda match: str(_literal(match[2]) or match[1].replace("_", " ")), said)


def _value_alone(typed: str) -> str:
    """What is typed after an option, or the option as a word; of a command the verb, and by which method."""
    verb, _, options = typed.removeprefix("veracity ").rpartition("--")
    name, _, value = options.partition(" ")
    return f"{verb}by {value}" if verb else value.strip("'") or name.replace("-", " ")


def _say(template: str, form: int) -> str:
    said, *parts = template.split(START)
    for part in parts:
        words, end, rest = part.partition(END)
        forms = words.split(OR)
        said += forms[form] + rest if end and len(forms) == 2 else START + part  # a sign of the user's
    return said


def plural(number: int, what: str) -> str:
    """How many there are of something: "1 split", "2 splits"."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def percent(share: float) -> str:
    """A level in per cent with the digits that it needs, "95%" or "97.5%"; what is not all of it is never "100%"."""
    short = f"{100 * share:.4g}"
    return f"{100 * share:.12g}%" if short == "100" else f"{short}%"


def spell_out_controls(text: str, keep: str = "") -> str:
    """A text as everybody may see it: control characters, invisible ones, those that turn the direction of writing and
    halves of pairs are spelled out, so that no name moves a cursor, hides a part of itself or breaks a file.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in keep else c.encode("unicode_escape").decode() for c in text)


def brief(text: str, longest: int = 60) -> str:
    """A text from the user's data, short enough for a sentence and without line breaks."""
    text = " ".join(text.split()) if any(mark in text for mark in "\r\n\t") else text
    if len(text) <= longest:
        return text
    start = text[: longest - 3]
    whole = start if start.count(START) <= start.count(END) else start[: start.rindex(START)]  # half an option is none
    return f"{whole}..."
