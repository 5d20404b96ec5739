"""`veracity serve`: the workbench in the browser."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from veracity.cli.options import EVERYWHERE, TRUST, options, several
from veracity.core.errors import BadInput


@click.command()
@click.argument("target", metavar="[FOLDER|STORE|STUDY.toml]", type=click.Path(), default=".")
@click.option("--port", type=int, default=0, show_default=True, help="Where to listen; 0 takes a free one.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Another than this machine needs --allow-host.")
@several("--allow-host", "allow_hosts", metavar="NAME", help="A name that browsers may call it by; repeat for several.")
@click.option("--read-only", is_flag=True, help="Show, and change or run nothing.")
@click.option("--no-browser", is_flag=True, help="Print the address and open nothing.")
@click.option("--stop-runs", is_flag=True, help="When it ends, stop the runs that it started; without, they go on.")
@options(TRUST, EVERYWHERE)
def serve(target: str, no_browser: bool, **how: Any) -> None:
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
        if (why.name or "").partition(".")[0] not in ("starlette", "uvicorn", "anyio"):
            raise
        raise BadInput('the workbench needs two more packages: pip install "veracity[serve]"') from None
    server.serve(target, browser=not no_browser, **how)
