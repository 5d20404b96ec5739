"""Commands that show what there is: list, explain and demo; serve, which opens the workbench; and warm."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from time import perf_counter
from typing import Any, Literal

import click

import veracity as vc
from veracity.cli.declare import argument, command, complete_everything, flag, option, repeated
from veracity.cli.options import TRUST_HERE, Inference, Output
from veracity.cli.output import page_of, save, show, write_result
from veracity.core.errors import BadInput
from veracity.core.index import lists
from veracity.reports import output as results
from veracity.tables.exports import json
from veracity.tables.manual import ManualPage

WHAT = lists()
MAX_NAMES = 3  # which tell whether it is worth looking
STUDY, STORE, PAGE = "demo.toml", "demo.db", "report.html"
WORKERS = min(2, os.cpu_count() or 1)
WORKBENCH_PACKAGES = ("starlette", "uvicorn", "anyio")


class ListName(click.Choice[str]):
    """The name of a list; other words are answered by what they are about."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        message = super().get_invalid_choice_message(value, ctx).rstrip(".")
        try:
            found = vc.search(value)
        except BadInput:
            return message
        if found.is_outside:
            return f"{message}, and no method here is: veracity explain {found[0].name} tells what to do instead"
        names = list(dict.fromkeys(row.name for row in found))
        return f"{message}; veracity explain {shlex.quote(value)} finds {', '.join(names[:MAX_NAMES])}"


@command(name="list", help=f"List the scores, or what else there is.\n\nWHAT is {', '.join(WHAT[:-1])} or {WHAT[-1]}.")
def listing(
    *,
    what: str = argument("[WHAT]", type=ListName(WHAT), default="scores"),
    needs: Literal["label", "proba", "value", "number"] | None = option("Only what reads this."),
    output: Output,
) -> None:
    part = vc.catalogue(what, needs=needs)
    write_result(results.Output(f"veracity: {what}", (part.table(),), part.to_json), output)


@command(writes=(".html", ".md", ".json", ".txt"))
def explain(
    *, words: tuple[str, ...] = argument(nargs=-1, required=True, shell_complete=complete_everything), output: Output
) -> None:
    """Explain a method, verb, topic, assumption or reference by its name, or find what any WORDS are about."""
    typed = " ".join(words)
    explanation = vc.explain(typed)
    explanation = explanation.for_command_line if isinstance(explanation, ManualPage) else explanation
    forms: dict[str, Callable[[], str]] = {
        ".html": lambda: page_of(explanation, typed).html,
        ".md": explanation.to_markdown,
        ".json": lambda: json(explanation.to_json()) + "\n",
        ".txt": lambda: f"{explanation!r}\n",
    }
    for file in output.out:
        save(file, forms[Path(file).suffix.lower()]())
    if output.as_json or not output.out:
        click.echo(forms[".json" if output.as_json else ".txt"](), nl=False)


@dataclass(frozen=True)
class Serving:
    """Where the workbench listens, and what it may do."""

    port: int = option("Where to listen; 0 takes a free one.", default=0, show_default=True)
    host: str = option("Another than this machine needs --allow-host.", default="127.0.0.1", show_default=True)
    allow_hosts: tuple[str, ...] = repeated(
        "A name that browsers may call it by; repeat for several.", "NAME", "--allow-host"
    )
    read_only: bool = flag("Show, and change or run nothing.")
    no_browser: bool = flag("Print the address and open nothing.")
    stop_runs: bool = flag("When it ends, stop the runs that it started; without, they go on.")
    trust_here: bool = flag(TRUST_HERE)


@command()
def serve(
    *, target: str = argument("[FOLDER|STORE|STUDY.toml]", type=click.Path(), default="."), serving: Serving
) -> None:
    """Open the workbench: set up, run and analyse studies in the browser.

    It shows one folder to this machine alone; the first line that it prints is the address, with a token that nobody
    else has. Ctrl-C ends it. Needs `pip install "veracity[serve]"`.

    \b
    veracity serve
    veracity serve results.db --read-only
    veracity serve studies --port 8765 --no-browser
    """
    try:
        server = import_module("veracity.web.serve")
    except ModuleNotFoundError as why:
        if (why.name or "").partition(".")[0] not in WORKBENCH_PACKAGES:
            raise
        raise BadInput('the workbench needs two more packages: pip install "veracity[serve]"') from None
    how = {name: value for name, value in vars(serving).items() if name != "no_browser"}
    server.serve(target, browser=not serving.no_browser, **how)


@command(writes=(".json", ".txt"))
def warm(*, output: Output) -> None:
    """Compile once what large tables need, so that the first of them does not wait: after an installation."""
    import numpy as np

    from veracity.evidence.sort_rows import MANY_ROWS

    start = perf_counter()
    random = np.random.default_rng(0)
    truth = random.integers(0, 2, MANY_ROWS)
    proba = np.clip(0.4 * truth + 0.6 * random.random(MANY_ROWS), 0, 1)
    plain = vc.predictions(truth, proba=proba, positive=1)
    vc.scorecard(plain)
    vc.scorecard(vc.predictions(truth, value=proba, positive=1))
    vc.scorecard(vc.predictions(truth, proba=proba, positive=1, weights=proba + 1))
    other = vc.predictions(truth, proba=(proba + random.random(MANY_ROWS)) / 2, positive=1)
    for score in ("error", "auc", "brier"):
        vc.compare({"one": plain, "other": other}, score)
    seconds = perf_counter() - start
    answer = f"compiled and kept: {seconds:.1f} s"
    write_result(results.Output("Warm", (), lambda: {"seconds": seconds}, answer), output)


@command()
def demo(
    *,
    folder: str = option("Where files are put.", default=".", show_default=True, type=click.Path()),
    inference: Inference,
    output: Output,
) -> None:
    """Run a real study of five learners on twelve data sets, rank them, and write the page report.html.

    It takes about a minute. The study is a file, demo.toml, which you can change and run again; it names its own seed.
    """
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as why:
        raise BadInput(f"the folder {folder} cannot be made: {why.strerror}") from None
    place = Path(folder)

    def say(*lines: str) -> None:
        if not output.as_json:
            click.echo("\n".join(lines))

    (place / STUDY).write_text(files("veracity.cli").joinpath(STUDY).read_text("utf-8"), "utf-8")
    say(
        "1. A study: four data sets of scikit-learn and eight generated ones, five learners, 10 folds twice.",
        f"   $ veracity run {place / STUDY} --store {place / STORE} --workers {WORKERS}",
    )
    study = vc.Study.read(place / STUDY)
    runs = study.run(str(place / STORE), WORKERS, progress=False if output.as_json else None)
    say(f"   {study.plan().against(runs.store)}")
    page = vc.report(runs, level=inference.level, title="The demo study of veracity")
    say("", "2. Which learner is better? All of them together first, then pair by pair.", "")
    ranking, estimates = page.material.ranking, page.material.estimates
    assert ranking is not None and estimates is not None  # the study asks for both
    if not output.as_json:
        show("", (ranking.scores_table(), *ranking.tables))
    say(f"\n   {page.material.answer}")
    say("", "3. All of it as one page that opens offline.", f"   $ veracity report {place / STORE}")
    save(str(place / PAGE), page.html)
    say("", "4. The same in the browser, to look at it otherwise.", f"   $ veracity serve {place}")
    content = {**page.to_json(), "page": str(place / PAGE)}
    if output.as_json or output.out:
        result = results.Output("veracity demo", (estimates.table(),), lambda: content, page=lambda: page)
        write_result(result, output)
