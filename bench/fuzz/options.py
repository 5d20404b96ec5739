"""Command lines: verbs with their options in any order and spelling, on small files, and what they answer as JSON."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from bench.fuzz import reference
from bench.fuzz.case import Case, accept_any, compare_number, compare_numbers
from bench.fuzz.damage import damaged_text
from bench.fuzz.scratch import in_words, run_command, write

TABLES = (".csv", ".tex")  # which an explanation is none of
RUINED = 0.35  # share of the command lines of which one word is changed
OUTPUTS = ("out.csv", "out.md", "out.tex", "out.txt", "out.html", "out.json")
STRANGE_WORDS = (
    "",
    " ",
    "-1",
    "0",
    "1e999",
    "nan",
    "x",
    "--",
    "-",
    "é",
    "\x1b[31m",
    "9" * 30,
    "a=b",
    "(",
    "[0, 1",
    "*.csv",
)
PAIRS = (("u", "v"), ("no", "yes"), ("0", "1"), ("a b", "c,d"), ("é", "ê"), ("-1", "1"), ("1.5", "2.5"))
Option = tuple[str, ...]  # its name, and its value where it has one
Check = Callable[[Any], str]


def case(random: Random) -> Case:
    """One of the verbs."""
    return random.choice(FAMILIES)(random)


def command(
    random: Random, words: Sequence[str], options: Sequence[Option], check: Check, files: Sequence[Any]
) -> Case:
    """A command line whose options may stand anywhere behind its verb; it is asked for JSON, which is checked."""
    verb, *places = words
    options = [*options, ("--json",)]
    if random.random() < 0.15:
        options.append(
            ("--out", random.choice([name for name in OUTPUTS if verb != "explain" or name[3:] not in TABLES]))
        )
    random.shuffle(options)
    parts: list[list[str]] = [_typed(random, option) for option in options]
    for place in places:  # the places keep their order, and the options come between them
        parts.insert(random.randrange(len(parts) + 1) if len(places) == 1 else len(parts), [place])
    line = [verb, *(word for part in parts for word in part)]
    ruin = random.random() < RUINED
    line = _ruined(random, line) if ruin else line
    text = f"{in_words(line)} with {', '.join(f'{name}: {body!r}' for name, body in files)}"

    def ask() -> str:
        for name, body in files:
            write(name, body)
        return run_command(line)

    return Case(text, ask) if ruin else Case(text, ask, lambda said: check(json.loads(said)), True)


def _typed(random: Random, option: Option) -> list[str]:
    """`--name value` or `--name=value`."""
    return ["=".join(option)] if len(option) == 2 and random.random() < 0.3 else list(option)


def _ruined(random: Random, line: list[str]) -> list[str]:
    place = random.randrange(1, len(line))
    change = random.choice(("drop", "twice", "strange", "damaged", "swap"))
    if change == "drop":
        return line[:place] + line[place + 1 :]
    if change == "twice":
        return [*line, line[place]]
    other = random.randrange(1, len(line))
    word = {"strange": random.choice(STRANGE_WORDS), "damaged": damaged_text(random, line[place]), "swap": line[other]}
    return [*line[:place], word[change], *line[place + 1 :]]


def table(random: Random, columns: dict[str, Sequence[Any]]) -> tuple[str, bytes]:
    """Columns as a file of some format, by name and bytes."""
    form = random.choice(("csv", "csv", "csv", "tsv", "semicolon", "jsonl", "parquet", "gz"))
    if form == "parquet":
        sink = io.BytesIO()
        pq.write_table(pa.table({name: list(cells) for name, cells in columns.items()}), sink)
        return "in.parquet", sink.getvalue()
    rows = list(zip(*columns.values(), strict=True))
    if form == "jsonl":
        lines = [json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=random.random() < 0.5) for row in rows]
        return "in.jsonl", ("\n".join(lines) + "\n").encode()
    text = io.StringIO(newline="")
    signs = {"tsv": "\t", "semicolon": ";"}
    quoting = random.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL))
    writer = csv.writer(
        text, delimiter=signs.get(form, ","), quoting=quoting, lineterminator=random.choice(("\n", "\r\n"))
    )
    writer.writerows([list(columns), *rows])
    body = text.getvalue().encode()
    name = "in.tsv" if form == "tsv" else "in.csv"
    return (f"{name}.gz", gzip.compress(body)) if form == "gz" else (name, body)


def _labelled(random: Random, rows: int, models: int = 1) -> tuple[tuple[str, str], list[str], list[list[str]]]:
    names = random.choice(PAIRS)
    truth = [*names, *names, *random.choices(names, k=rows)]
    said = [[t if random.random() < 0.7 else random.choice(names) for t in truth] for _ in range(models)]
    return names, truth, said


def score_labels(random: Random) -> Case:
    """Labels, by scores of counts, with an interval, weights or slices."""
    names, truth, (said,) = _labelled(random, random.randrange(2, 30))
    positive = random.choice(names)
    scores = random.sample(["error", "accuracy", *reference.OF_CELLS], random.randrange(1, 4))
    columns: dict[str, Sequence[Any]] = {"y": truth, "said": said}
    options: list[Option] = [("--truth", "y"), ("--label", "said"), ("--positive", positive)]
    weights, interval = [1.0] * len(truth), ""
    if random.random() < 0.3:
        columns["w"] = weights = [random.choice((0.5, 1.0, 2.0)) for _ in truth]
        options.append(("--weights", "w"))
    elif random.random() < 0.5:
        interval, scores = random.choice(("wilson", "clopper_pearson")), ["error"]
        options += [("--interval", interval)]
    level = random.choice((0.5, 0.9, 0.95, 0.99))
    options += [("--level", str(level))] if level != 0.95 or random.random() < 0.5 else []
    file = table(random, columns)

    def check(answer: Any) -> str:
        problems = []
        for name in scores:
            found, expected = answer["scores"][name], reference.of_labels(name, truth, said, positive, weights)
            problems.append(compare_number(name, found["value"], expected))
            if interval:
                wrong = sum(t != s for t, s in zip(truth, said, strict=True))
                ends = getattr(reference, interval)(wrong, len(truth), level)
                problems.append(compare_numbers(interval, (found["low"], found["high"]), ends))
        return "".join(problems)

    return command(random, ["score", file[0], *scores], options, check, [file])


def score_slices(random: Random) -> Case:
    """The error of each group of rows."""
    _, truth, (said,) = _labelled(random, random.randrange(2, 30))
    by = random.choices(random.choice((("k", "l"), ("1", "2", "3"))), k=len(truth))
    file = table(random, {"y": truth, "said": said, "by": by})

    def check(answer: Any) -> str:
        for name in set(by):
            rows = [row for row, one in enumerate(by) if one == name]
            expected = sum(truth[row] != said[row] for row in rows) / len(rows)
            if problem := compare_number(name, answer["slices"][name]["scores"]["error"]["value"], expected):
                return problem
        return ""

    words = ["score", file[0], "error"]
    return command(random, words, [("--truth", "y"), ("--label", "said"), ("--slices", "by")], check, [file])


def _chances(random: Random) -> tuple[list[str], list[float], str, list[Option], tuple[str, bytes]]:
    names, truth, _ = _labelled(random, random.randrange(2, 30))
    chance = [random.randrange(1, 20) / 20 for _ in truth]
    positive, role = random.choice(names), random.choice(("--proba", "--value"))
    file = table(random, {"y": truth, "p": chance})
    return truth, chance, positive, [("--truth", "y"), (role, "p"), ("--positive", positive)], file


def score_chances(random: Random) -> Case:
    """Probabilities or decision values."""
    truth, chance, positive, options, file = _chances(random)
    score = "auc" if options[1][0] == "--value" else random.choice(("auc", "log_loss", "brier"))
    expected = getattr(reference, score)(truth, chance, positive, [1.0] * len(truth))

    def check(answer: Any) -> str:
        return compare_number(score, answer["scores"][score]["value"], expected)

    return command(random, ["score", file[0], score], options, check, [file])


def curves(random: Random) -> Case:
    """Points of the ROC curve."""
    truth, chance, positive, options, file = _chances(random)
    expected = reference.roc(truth, chance, positive)

    def check(answer: Any) -> str:
        line = answer["lines"][0]
        found = list(zip(line["x"], line["y"], strict=True))
        return (
            ""
            if len(found) == len(expected)
            and not any(compare_numbers("point", a, b) for a, b in zip(found, expected, strict=True))
            else f"points {found}, not {expected}"
        )

    return command(random, ["curve", file[0]], [*options, ("--kind", "roc")], check, [file])


def thresholds(random: Random) -> Case:
    """The cheapest threshold."""
    truth, chance, positive, options, file = _chances(random)
    alarm, miss = random.choice((1, 2, 0.5)), random.choice((1, 5, 10))
    expected = reference.least_cost(truth, chance, positive, alarm, miss)
    options += [("--costs", f"FP={alarm}"), ("--costs", f"FN={miss}")]
    check: Check = lambda answer: compare_number("cost", answer["value"], expected)  # noqa: E731
    return command(random, ["best_threshold", file[0]], options, check, [file])


def score_numbers(random: Random) -> Case:
    """A numeric target."""
    truth = [round(random.gauss(0, 1), random.choice((1, 3))) + 0.05 for _ in range(random.randrange(3, 30))]
    said = [round(t + random.gauss(0, 1), 3) for t in truth]
    file, score = table(random, {"y": truth, "said": said}), random.choice(("mse", "rmse", "mae"))
    expected = getattr(reference, score)(truth, said, [1.0] * len(truth))
    check: Check = lambda answer: compare_number(score, answer["scores"][score]["value"], expected)  # noqa: E731
    return command(random, ["score", file[0], score], [("--truth", "y"), ("--number", "said")], check, [file])


def comparisons(random: Random) -> Case:
    """Two models on the same rows."""
    _, truth, (first, second) = _labelled(random, random.randrange(2, 30), 2)
    file = table(random, {"y": truth, "one": first, "two": second})
    expected = reference.mcnemar_exact(truth, first, second)
    options: list[Option] = [("--truth", "y"), ("--label", "one"), ("--using", "mcnemar_exact"), ("--anyway",)]
    check: Check = lambda answer: compare_number("p", answer["p_value"], expected)  # noqa: E731
    return command(random, ["compare", file[0], "error"], [*options, ("--label", "two")], check, [file])


def rankings(random: Random) -> Case:
    """Learners over data sets."""
    learners = [f"learner {k}" for k in range(random.randrange(3, 6))]
    scores = [[round(random.random(), 2) + 0.001 for _ in learners] for _ in range(random.randrange(3, 12))]
    better = random.choice(("higher", "lower"))
    columns = {"dataset": [f"d{k}" for k in range(len(scores))]}
    file = table(random, columns | dict(zip(learners, zip(*scores, strict=True), strict=True)))
    ranks, p = reference.average_ranks(scores, better), reference.friedman(scores)

    def check(answer: Any) -> str:
        found = [answer["average_ranks"][name] for name in learners]
        return compare_numbers("ranks", found, ranks) + compare_number("p", answer["omnibus"]["p_value"], p)

    return command(random, ["rank", file[0]], [("--using", "friedman"), ("--better", better)], check, [file])


def adjustments(random: Random) -> Case:
    """P-values."""
    p = [random.choice((random.random(), random.random() ** 4, 0.05)) for _ in range(random.randrange(2, 12))]
    using = random.choice(("holm", "bonferroni", "hochberg", "benjamini_hochberg"))
    file, expected = table(random, {"p": p}), getattr(reference, using)(p)
    check: Check = lambda answer: compare_numbers(using, answer["adjusted"], expected)  # noqa: E731
    return command(random, ["adjust", file[0]], [("--using", using)], check, [file])


def powers(random: Random) -> Case:
    """How sure a number of data sets makes."""
    level = random.choice((0.9, 0.95, 0.99))
    datasets, options = random.randrange(5, 60), [("--level", str(level))]
    if random.random() < 0.5:
        win = random.choice((0.6, 0.75, 0.9))
        test, more, expected = "sign", [("--win", str(win))], reference.power_of_sign(datasets, win, level)
    else:
        difference, sd = random.choice((0.01, 0.02, 0.03)), random.choice((0.03, 0.06))
        test, more = "paired_t", [("--difference", str(difference)), ("--sd", str(sd))]
        expected = reference.power_of_t(datasets, difference, sd, level)
    options += [*more, ("--datasets", str(datasets))]
    check: Check = lambda answer: compare_number("power", answer["power"], expected)  # noqa: E731
    return command(random, ["power", test], options, check, [])


def catalogues(random: Random) -> Case:
    """What there is."""
    from veracity.methods.catalogue import CATALOGUES

    kind = random.choice(list(CATALOGUES))
    if random.random() < 0.3:
        return command(random, ["list", kind], [], accept_any, [])
    return command(random, ["explain", random.choice([entry.name for entry in CATALOGUES[kind]])], [], accept_any, [])


FAMILIES = (
    *(score_labels, score_labels, score_slices, score_chances, score_numbers, curves, thresholds),
    *(comparisons, rankings, adjustments, powers, powers, catalogues),
)
