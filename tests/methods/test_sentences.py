"""What sentences name exists: methods, parameters and verbs; and no text sends readers to a document they lack."""

import ast
import inspect
import re
from functools import cache
from pathlib import Path

import click

import veracity as vc
from docs.docstrings import described
from veracity.cli.main import cli
from veracity.core.words import for_command_line, option
from veracity.methods.catalogue import CATALOGUES
from veracity.methods.topics import TOPICS, read_texts

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "veracity").rglob("*.py"))
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "bench").glob("*.py"), *SOURCES])
ENTRIES = [entry for catalogue in CATALOGUES.values() for entry in catalogue]
OTHER_NAMES = ("aliases", "keywords")
BACKTICKS = re.compile(r"`([^`]*)`")
GAP = "\0"  # what an f-string fills in
NO_SENTENCE = re.compile(  # but SQL, SVG or a pattern
    r"not starts_with\(|drop index"
    r"|\$file|::|\b(select|pragma|try_cast|julianday)\b|\bset (local )?\w+ =|bool_or|not (contains|ends_with)\("
    r"|\(\?m\)|parquet_schema|case coalesce|group by names|between '|as twice|is not distinct from"
    r"|^\(?(cast|coalesce|count|contains|length|lower|translate|replace|strlen|read_\w+|starts_with|json_\w+|list_\w+|len)\("
)
NAME = re.compile(r"(?<![\w.:/<\0{-])([A-Za-z]\w*_\w+|[a-z_]\w*(?=\())(?![\0\w])")  # has an underscore, or is called
USE = re.compile(r"\b(?:use|trust) '?([A-Za-z_]\w*)(?!\w| ?=|\()")
CODE = re.compile(r"\w+\((learner|\.\.\.)[^)]*\)")  # a call as it is typed
ASKED = re.compile(r"\b(using|then|pairs|by|interval)='([A-Za-z_]\w*)")

# What is no name of ours, by who else has it: closed lists, of which every word must be in use.
FOREIGN = {
    "scikit-learn": "get_params make_circles make_moons max_iter n_estimators n_neighbors n_samples"
    " partial_fit predict_proba random_state sample_weight set_params warm_start",
    "values of parameters": "all_pairs greenhouse_geisser macro_ovr posterior_density posterior_triangle"
    " prior_ovr within_fold zero_one",
    "mathematics": "gamma n_test sqrt theta_i next_left next_right next_rope",
    "files of other tools": "doc_id",
    "others": "bash_source best_for chances dimension draw p_spam",
}
WORDS = {"option": option}
STRANGERS = {word for words in FOREIGN.values() for word in words.split()}
PLAIN = {"a", "an", "another", "at", "fewer", "larger", "more", "numbers", "regressors", "the"}
WHERE = {
    "using": ("comparisons",),
    "then": ("adjustments", "posthocs"),
    "pairs": ("posthocs", "comparisons"),
    "by": ("designs", "estimators"),
    "interval": ("intervals",),
}


def filled(piece):
    """A piece of an f-string as far as it is known: its text, or the option that it names."""
    call = getattr(piece, "value", None)
    words = isinstance(call, ast.Call) and getattr(call.func, "id", "") in WORDS
    if words and all(isinstance(argument, ast.Constant) for argument in call.args):
        return WORDS[call.func.id](*(argument.value for argument in call.args))
    return piece.value if isinstance(piece, ast.Constant) else GAP


def literals(tree):
    """Every text in a module but docstrings and what others call a method; an f-string is one text."""
    apart = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)) and isinstance(node.body[0], ast.Expr)
    }
    apart |= {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg in OTHER_NAMES}
    for node in ast.walk(tree):  # from the outside in: an f-string comes before its pieces
        if isinstance(node, ast.JoinedStr):
            apart |= {id(piece) for piece in ast.walk(node)}
            yield "".join(map(filled, node.values))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in apart:
            yield node.value


@cache
def trees():
    """Every module, read once."""
    return {path: ast.parse(path.read_text("utf-8")) for path in SOURCES}


@cache
def sentences():
    """(where, text) of errors, notes and help, and of what methods say of themselves."""
    found = [
        (str(path.relative_to(ROOT)), text)
        for path, tree in trees().items()
        for text in literals(tree)
        if len(text.split()) > 2 and not NO_SENTENCE.search(text)
    ]
    found += [("veracity/methods/topics.toml", text) for topic in TOPICS.values() for text in topic[:3]]
    meanings = [text for texts in read_texts("parameters").values() for text in texts.values()]
    found += [("veracity/methods/parameters.toml", text) for text in meanings]
    found += [(f"vc.{name}", text) for name in vc.__all__ for text in described(getattr(vc, name)).values()]
    return found + [(f"{entry.kind} {entry.name}", f"{entry.sentence} {entry.details}") for entry in ENTRIES]


@cache
def names():
    """Methods with their parameters, public names with theirs and what results can do, verbs with their options."""
    found = (
        {one.name for entry in ENTRIES for one in entry.known_as}
        | set(TOPICS)
        | {parameter.name for entry in ENTRIES for parameter in entry.parameters}
    )
    for name in vc.__all__:
        value = getattr(vc, name)
        found |= {name, *(dir(value) if inspect.isclass(value) else inspect.signature(value).parameters)}
    context = click.Context(cli)
    verbs = {name: cli.get_command(context, name) for name in cli.list_commands(context)}
    found |= {*verbs, *(parameter.name for verb in verbs.values() for parameter in verb.params)}
    return found


def test_there_are_sentences_to_check():
    assert len(sentences()) > 1000
    assert sum(bool(USE.search(text) or ASKED.search(text)) for _, text in sentences()) > 100


def test_names_in_sentences_exist():
    known = names() | STRANGERS
    wrong = [(name, where, text) for where, text in sentences() for name in NAME.findall(text) if name not in known]
    assert not wrong


def test_what_to_use_instead_exists():
    methods = {entry.name for entry in ENTRIES}
    used = [(name, where) for where, text in sentences() for name in USE.findall(text)]
    assert [found for found in used if found[0] not in methods | PLAIN | set(vc.__all__)] == []
    assert {name for name, _ in used} >= PLAIN, "a word that no sentence uses any more"


def test_what_is_asked_with_exists():
    asked = [(*found, where) for where, text in sentences() for found in ASKED.findall(text)]
    assert {word for word, *_ in asked} == set(WHERE)
    assert [found for found in asked if not any(found[1] in CATALOGUES[kind] for kind in WHERE[found[0]])] == []


def test_options_in_sentences_can_be_typed():
    """What a message names in backticks, as the command line says it, is one of its options."""
    typed = {word for verb in cli.commands.values() for one in verb.params for word in one.opts}
    named = [(text, where) for where, whole in sentences() if ".py" in where for text in BACKTICKS.findall(whole)]
    said = [(for_command_line(f"`{text}`"), where) for text, where in named if not text.startswith("dask ")]
    flags = [(flag, where) for text, where in said for flag in re.findall(r"(?<!\S)--[a-z][\w-]*", text)]
    assert len(flags) > 50
    assert sorted({flag for flag in flags if flag[0] not in typed}) == []


def test_arguments_in_sentences_have_a_form_for_the_command_line():
    """`by='kfold'` is `--by kfold` to who types it; what only Python or a study file has is said in its own words."""
    typed = "|".join(
        word.lstrip("-").replace("-", "_") for verb in cli.commands.values() for one in verb.params for word in one.opts
    )
    argument = re.compile(rf"(?<![\w(])({typed})=(?='|True|False)")
    apart = (
        "veracity/methods/",
        "veracity/tuning/",
        "veracity/risk/selection_bias.py",
        "veracity/web/",
        "veracity/core/words",
    )
    plain = [(where, CODE.sub("", BACKTICKS.sub("", text))) for where, text in sentences()]
    assert [found for found in plain if argument.search(found[1]) and not found[0].startswith(apart)] == []


def test_exceptions_are_needed():
    said = {name for _, text in sentences() for name in NAME.findall(text)}
    assert not STRANGERS - said, "a word that no sentence has any more"
    assert not STRANGERS & names(), "a word that needs no exception"


def test_no_text_cites_a_document_that_readers_lack():
    lacking = re.compile(r"\btheory \d|\b(theory|design|interface|house)\.md\b")
    assert [page for page in PAGES if lacking.search(page.read_text("utf-8"))] == []


def test_known_answers_say_where_they_come_from():
    sources = {known.source for entry in ENTRIES for known in entry.known_answers()}
    assert not [source for source in sources if not source or re.search(r"theory|section \d", source)]
