"""Writes the files of names and articles: run `python -m veracity.methods.write_index` after a change."""

from __future__ import annotations

import ast
import inspect
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import veracity
from veracity.core import index
from veracity.core.measurement import ErrorRate, Measurement, read_measurements
from veracity.core.references import ASSUMPTIONS, REFERENCES
from veracity.core.spelling import split_spellings
from veracity.intervals.coverage import Coverage
from veracity.methods import articles
from veracity.methods.articles import Article
from veracity.methods.catalogues import CATALOGUES
from veracity.methods.describe import article_of, measurement_table
from veracity.methods.public.docstrings import own_text, parameters_of
from veracity.methods.topics import topic_articles
from veracity.tables.manual import ManualSection


class Sought(NamedTuple):
    """What a verb is also called, and the words by which it is sought."""

    aliases: str = ""
    keywords: str = ""


COMMANDS = Path(veracity.__file__).parent / "cli" / "verbs"
SOUGHT = {
    "adjust": Sought(aliases="p_adjust, multipletests", keywords="adjusted p-values"),
    "best_threshold": Sought(
        aliases="optimal_threshold, threshold_tuning",
        keywords="optimal cut-off, decision threshold, cost-optimal threshold",
    ),
    "bias_variance": Sought(
        aliases="bias_variance_decomposition, bias_variance_tradeoff",
        keywords="bias variance, mlxtend bias_variance_decomp",
    ),
    "compare": Sought(aliases="", keywords="is the difference real, significance test, A/B test of models, ablation"),
    "dominance": Sought(aliases="", keywords="ROC dominance, Pareto dominance, one curve above the other"),
    "evaluate": Sought(aliases="cross_validate, cross_val_score, cross_val_predict", keywords=""),
    "explain": Sought(aliases="", keywords="help"),
    "lab": Sought(
        aliases="", keywords="coverage, coverage probability, bias of an estimator, simulation study, Monte Carlo study"
    ),
    "ledger": Sought(aliases="", keywords="researcher degrees of freedom, garden of forking paths, test set reuse"),
    "learning_curve": Sought(aliases="sample_size_curve", keywords="more data, would more rows help, underfitting"),
    "optimism": Sought(
        aliases="", keywords="generalisation gap, overfitting of the validation score, tuning bias, optimistic bias"
    ),
    "per_class": Sought(
        aliases="classification_report, scores_per_class, class_report",
        keywords="precision recall F1 support table, each class, detailed accuracy by class",
    ),
    "permutation_test": Sought(
        aliases="permutation_test_score",
        keywords="permutation, y-randomisation, is there any signal, better than chance",
    ),
    "power": Sought(
        aliases="sample_size",
        keywords="statistical power, power analysis, type II error, how many rows do I need, minimum detectable effect",
    ),
    "rank": Sought(
        aliases="autorank", keywords="several classifiers on several data sets, Demsar, benchmark, average rank, scmamp"
    ),
    "report": Sought(aliases="", keywords="HTML page"),
    "slices": Sought(
        aliases="subgroups",
        keywords="fairness, score per group, performance by subgroup, Simpson's paradox,"
        " statistical parity, equalized odds",
    ),
    "bbc_cv": Sought(
        aliases="bbc, bootstrap_bias_corrected_cv, bootstrap_bias_corrected_cross_validation, bias_corrected_cv",
        keywords="Tsamardinos, best of many configurations, winner's curse, selection bias, nested cross-validation"
        " without nesting, best of several models",
    ),
    "finite_class": Sought(
        aliases="pac_sample_size, sample_complexity",
        keywords="PAC, union bound, number of hypotheses, epsilon, delta, rows needed",
    ),
    "interval_width": Sought(
        aliases="rows_needed, sample_size_for_width, margin_of_error",
        keywords="how many rows, how many test cases, test set size, width of an interval, precision of an estimate,"
        " planning",
    ),
    "replicability": Sought(
        aliases="replicability_analysis, partial_conjunction, how_many_data_sets",
        keywords="Dror, Benjamini, Heller, replication, better on how many data sets, generality",
    ),
    "stopped": Sought(aliases="early_stopper", keywords="early stopping"),
    "tuned": Sought(
        aliases="grid_search, gridsearchcv, hyperparameter_tuning, model_selection",
        keywords="tuning, hyperparameter search, RandomizedSearchCV, random search, successive halving, Optuna",
    ),
    "validation_curve": Sought(
        aliases="complexity_curve", keywords="elbow, overfitting, underfitting, model complexity, regularisation path"
    ),
    "worst": Sought(aliases="", keywords="hardest rows, largest losses, error analysis"),
}
GERMAN = {  # what lectures in German call things
    "error": "fehlerrate, klassifikationsfehler",
    "accuracy": "genauigkeit, korrektklassifikationsrate",
    "recall": "trefferquote, sensitivität",
    "specificity": "spezifität",
    "precision": "relevanz",
    "cost": "kostenmatrix",
    "confusion_matrix": "konfusionsmatrix, wahrheitsmatrix",
    "kfold": "kreuzvalidierung, kreuzvalidation",
    "stratified": "schichtung",
    "holdout": "testmenge",
    "resubstitution": "trainingsfehler",
    "generalisation_error": "generalisierungsfehler",
    "overfitting": "überanpassung",
    "learning_curve": "lernkurve",
    "confidence_interval": "konfidenzintervall, vertrauensintervall",
    "p_value": "signifikanz",
    "compare": "signifikanztest",
    "effect_size": "effektstärke",
    "power": "stichprobengröße",
    "sign": "vorzeichentest",
    "wilcoxon": "vorzeichenrangtest",
    "permutation_test": "permutationstest",
    "threshold_of_labels": "schwellenwert",
    "mse": "mittlerer quadratischer fehler",
    "mae": "mittlerer absoluter fehler",
    "r2": "bestimmtheitsmaß",
}


def index_text() -> str:
    """The text of the file of names, from the catalogues, the verbs and the topics."""
    content: dict[str, dict[str, Any]] = {
        kind: {
            entry.name: (entry.sentence, entry.title, entry.cite, *split_spellings(entry.aliases))
            for entry in sorted(catalogue, key=lambda entry: entry.name)
        }
        for kind, catalogue in CATALOGUES.items()
    }
    for kind, pages in (("verbs", verb_articles()), ("topics", topic_articles())):
        content[kind] = {one.name: (one.facts["says"], one.title, (), *one.aliases) for one in pages}
    return _one_line_each(content)


def all_articles() -> Iterator[Article]:
    """Of every method, verb, topic, assumption and work, sought by German words too."""
    for one in _english_articles():
        german = filter(None, GERMAN.get(one.name, "").split(", "))
        yield replace(one, keywords=(*one.keywords, *german))


def _english_articles() -> Iterator[Article]:
    for catalogue in CATALOGUES.values():
        yield from map(article_of, sorted(catalogue, key=lambda entry: entry.name))
    yield from verb_articles()
    yield from topic_articles()
    for kind, field, table in (("assumption", "assumes", ASSUMPTIONS), ("reference", "cite", REFERENCES)):
        yield from (_of_table(kind, key, says, _users(field, key)) for key, says in sorted(table.items()))


def _of_table(kind: str, key: str, says: str, users: tuple[str, ...]) -> Article:
    sections = (ManualSection("", (says,)), ManualSection("Named by", (", ".join(users) or "nothing yet",)))
    facts = {"name": key, "kind": kind, "title": key, "says": says, "users": list(users)}
    return Article(kind, key, key, sections, facts)


def _users(field: str, key: str) -> tuple[str, ...]:
    entries = (entry for catalogue in CATALOGUES.values() for entry in catalogue)
    return tuple(sorted({entry.name for entry in entries if key in getattr(entry, field)}))


def _one_line_each(content: dict[str, dict[str, Any]]) -> str:
    """JSON with a line for each method, so that two changes meet only where they are of the same one."""
    kinds = []
    for kind, methods in content.items():
        lines = [f" {json.dumps(name)}: {json.dumps(one, ensure_ascii=False)}" for name, one in methods.items()]
        kinds.append(f"{json.dumps(kind)}: {{\n" + ",\n".join(lines) + "\n}")
    return "{\n" + ",\n".join(kinds) + "\n}\n"


def verb_articles() -> Iterator[Article]:
    """Of every public function, then of what is a verb on the command line alone."""
    functions = [name for name in veracity.__all__ if inspect.isfunction(getattr(veracity, name))]
    for name in functions:
        function = getattr(veracity, name)
        signature = inspect.signature(function)
        typed = f"veracity.{name}({', '.join(map(_parameter, signature.parameters.values()))})"
        given = tuple(f"{part.name}: {part.says}" for part in parameters_of(name, function))
        yield _article(name, own_text(function), (typed,), given)
    for file in sorted(COMMANDS.glob("*.py")):
        if file.stem not in functions and file.stem != "__init__":
            says = ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""
            yield _article(file.stem, says.partition(": ")[2].capitalize(), (), ())


def _parameter(parameter: inspect.Parameter) -> str:
    """A parameter as it is typed, without its type."""
    return str(parameter.replace(annotation=inspect.Parameter.empty))


def _article(name: str, text: str, typed: tuple[str, ...], given: tuple[str, ...]) -> Article:
    says, *more = [" ".join(part.split()) for part in text.split("\n\n")]
    typed += (f"veracity {name} --help",) if (COMMANDS / f"{name}.py").is_file() else ()
    aliases, keywords = (
        tuple(word.strip() for word in words.split(",") if words) for words in SOUGHT.get(name, Sought())
    )
    facts: dict[str, Any] = {"name": name, "kind": "verb", "title": _title(name), "says": says}
    facts |= {"typed": typed, "aliases": aliases}
    parts = (("", (says, *more)), ("Typed", typed), ("Parameters", given))
    sections = tuple(ManualSection(title, lines) for title, lines in parts if lines or title == "Typed")
    figures = verb_figures(name)
    if figures:
        facts |= {"measured": [one.to_json() for one in figures]}
        for noun in dict.fromkeys(one.noun for one in figures):
            table = measurement_table([one for one in figures if one.noun == noun])
            sections += (ManualSection(f"Measured {noun}", (), table),)
    return Article("verb", name, _title(name), sections, facts, aliases, keywords)


def verb_figures(name: str) -> list[Measurement]:
    """What was measured of a verb: how often what it says holds, or how often it claims what is not so."""
    every = read_measurements(_figure, "veracity.methods")
    return [one for one in every if one.method.split("(")[0] == name]


def _figure(**row: Any) -> Measurement:
    return ErrorRate(**row) if "rejected" in row else Coverage(**row)


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()


if __name__ == "__main__":
    index.FILE.write_text(index_text(), "utf-8")
    articles.FILE.write_text(articles.articles_text(all_articles()), "utf-8")
