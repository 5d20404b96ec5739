"""What messages are made of: numbers of things, texts of users, and what may be typed."""

from __future__ import annotations

import ast
import re
import shlex

PORT = r"\d*(?:[/\s,.]|$)"
PASSWORD = rf"\S*@|(?!{PORT})[^\n'\"]*?@"  # one with a space ends where the first @ follows
SECRETS = re.compile(rf"(\w:/{{1,3}}[^\s:/]*:)(?:{PASSWORD})|(password=)[^\s&'\"]*", re.IGNORECASE)


def without_passwords(text: str) -> str:
    """A text with three stars for the password of every address in it, however that is misspelt."""
    if ":/" not in text and "assword=" not in text:
        return text
    return SECRETS.sub(lambda match: f"{match[1]}***@" if match[1] else f"{match[2]}***", text)


# Messages name in backticks what a user may type in Python: `score=`, `score='auc'`, `vc.ledger(runs)`. The command
# line has options and commands of the same names, and other words for those in the table.
TYPED = re.compile(r"`([^`]*)`")
OPTION = re.compile(r"(\w+)=(.*)", re.DOTALL)
CALL = re.compile(r"vc\.(\w+)(?:\((.*)\))?", re.DOTALL)
COMMANDS = {  # what is called otherwise on the command line
    "catalogue": "list",
    "search": "explain",
    "check_store": "status --check",
    "failures": "status --failures",
    "optimism": "estimate --optimism",
}
COMMAND_LINE = {
    "y=": "--truth",
    "band=": "--level",
    "proba=columns": "--proba CLASS=COLUMN",
    "learner='NAME'": "--only NAME",
    "learners=": "--learner",
    "learners=['A~Accuracy', 'B~Accuracy'], fold='Resample', train=ROWS, test=ROWS, using='corrected_t'": "--only "
    "A~Accuracy --only B~Accuracy --fold Resample --train ROWS --test ROWS --using corrected_t",
    "effects=": "--effect",
    "effects=0.1": "--effect 0.1",
    "costs={'FP': 1, 'FN': 5}": "--costs FP=1 --costs FN=5",
    ".on(other rows)": "a second file",
    ".cross_fit()": "--folds 10",
    "Study.run": "veracity run STUDY.toml",
    "study.run(refit_outdated=True)": "veracity run STUDY --refit-outdated",
    "vc.evaluate(learner, X, y)": "veracity estimate DATA.csv --target COLUMN --learner MODULE:CLASS",
    "vc.evaluate(tuned(learner, grid), X, y)": "a study with tune = and grid =",
    "vc.tuned(learner, grid={...})": "{ tune = 'MODULE:CLASS', grid = { PARAMETER = [...] } } in a study file",
    "vc.tuned(...)": "a learner with tune = in a study file",
    "vc.graded(..., model=..., missing='drop')": "--missing drop",
    "vc.graded(...)": "--grade with --item",
    "vc.predictions(None, proba=..., labelled='some')": "curve without --truth",
    "vc.split_scores({'a': ..., 'b': ...}, train=, test=, k=)": "veracity rank FILE --using corrected_t --train ROWS "
    "--test ROWS, of a table with the columns dataset, learner, fold and score",
}


def option(name: str, value: object = None) -> str:
    """Return how a message names an argument: `score=`, or with a value `score='auc'`."""
    return f"`{name}=`" if value is None else f"`{name}={value!r}`"


def for_command_line(message: str) -> str:
    """Return a message with `score='auc'` written as --score auc and `vc.ledger(runs)` as veracity ledger."""

    def flags(arguments: dict[str, object]) -> list[str]:
        words = ((f"--{name.replace('_', '-')}", value) for name, value in arguments.items())
        return [flag if value in ("", True) else f"{flag} {shlex.quote(str(value))}" for flag, value in words]

    def typed(match: re.Match[str]) -> str:
        text = match[1]
        if text in COMMAND_LINE:
            return COMMAND_LINE[text]
        if option := OPTION.fullmatch(text):
            return " ".join(flags(_arguments(text)[1] or {option[1]: _literal(option[2])}))
        if call := CALL.fullmatch(text):
            given, named = _arguments(call[2] or "")
            values = [shlex.quote(str(value)) for value in given]
            return " ".join(["veracity", COMMANDS.get(call[1], call[1]), *values, *flags(named)])
        return match[0]

    return TYPED.sub(typed, message) if "`" in message else message


def _arguments(text: str) -> tuple[list[object], dict[str, object]]:
    """Return the arguments of a call that are literals, by position and by name; none of what Python cannot read."""
    try:
        call = ast.parse(f"_({text})", mode="eval").body
    except (SyntaxError, ValueError):
        return [], {}
    assert isinstance(call, ast.Call)
    given: list[object] = [each.value for each in call.args if isinstance(each, ast.Constant) and each.value is not ...]
    return given, {str(each.arg): _literal(ast.unparse(each.value)) for each in call.keywords}


def _literal(text: str) -> object:
    """Return the value of a Python literal, or the text itself where it is none."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def without_options(text: str) -> str:
    """Return a message with options as plain words, "by auc" or "score", for readers who type nothing."""

    def plain(match: re.Match[str]) -> str:
        if option := OPTION.fullmatch(match[1]):
            given = _arguments(match[1])[1] or {option[1]: _literal(option[2])}
            return ", ".join(str(value or name.replace("_", " ")) for name, value in given.items())
        if call := CALL.fullmatch(match[1]):
            return " by ".join([call[1], *map(str, _arguments(call[2] or "")[1].values())])
        return match[1]

    return TYPED.sub(plain, text)


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
    whole = start[: start.rindex("`")] if start.count("`") % 2 else start  # half an option is none
    return f"{whole}..."
