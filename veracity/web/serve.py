"""Starting the workbench: one process, one line with the address, until Ctrl-C."""

from __future__ import annotations

import os
import re
import secrets
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import uvicorn

from veracity.core.environment import PrivateFolder
from veracity.core.errors import BadInput
from veracity.web.app import make_app
from veracity.web.asked import Bench
from veracity.web.guard import LEAD, OPENING, Rules
from veracity.web.places import folder_of

LOOPBACK = "127.0.0.1"
OWN = (LOOPBACK, "localhost", "::1")
BITS = 192
QUEUE = 128  # connections that may wait
ENDING = (signal.SIGINT, signal.SIGTERM)
GRACE = 1  # seconds that pages in transfer have when the server ends


def serve(
    target: str,
    port: int = 0,
    host: str = LOOPBACK,
    allow_hosts: Sequence[str] = (),
    read_only: bool = False,
    browser: bool = True,
    trust_here: bool = False,
    stop_runs: bool = False,
) -> None:
    """Show a folder until somebody stops it; the first line on standard output is the address."""
    if host not in OWN and not allow_hosts:
        raise BadInput(f"--host {host} lets other machines in: say by which name they may call, --allow-host NAME")
    bench = Bench(folder_of(target), read_only, trust_here)
    sockets = _listen(host, port)
    port = sockets[0].getsockname()[1]
    rules = Rules(secrets.token_urlsafe(BITS // 8), port, Rules.hosts, read_only, tuple(allow_hosts))
    address = f"http://{called(host, port, allow_hosts)}{OPENING}?token={rules.token}"
    how = uvicorn.Config(
        make_app(bench, rules),
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE,
        ws="none",
        lifespan="off",  # nothing happens in it, and an older uvicorn that is ended at once complains of it
    )
    server = uvicorn.Server(how)
    with _ended_by_signals(server):
        runs = "stop with it" if stop_runs else "go on"
        print(address, flush=True)  # a script waits for this line, and may end the workbench from here on
        print(f"Ctrl-C ends the workbench; runs that it started {runs}.", file=sys.stderr, flush=True)
        folder = PrivateFolder()
        if browser:
            page = opening_page(folder.path, address).as_uri()
            threading.Thread(target=webbrowser.open, args=(page,), daemon=True).start()
        server.run(sockets)
        bench.memory.close()
        folder.close()
        if stop_runs:
            bench.children.stop_all()


@contextmanager
def _ended_by_signals(server: uvicorn.Server) -> Iterator[None]:
    """Signals end the server in order, also before it listens to them itself, and where a shell in whose background
    it was started has them ignored.
    """
    before = {number: signal.signal(number, server.handle_exit) for number in ENDING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def opening_page(folder: Path, address: str) -> Path:
    """A page that leads to the address: a browser's command line, which every user may read, names this file alone."""
    page = folder / "open.html"
    with os.fdopen(os.open(page, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(f'<!DOCTYPE html><html lang="en"><title>veracity</title>{LEAD.format(address)}</html>\n')
    return page


def _listen(host: str, port: int) -> list[socket.socket]:
    """The sockets; of this machine alone, that of the other loopback too where there is one."""
    if not 0 <= port <= 65535:
        raise BadInput(f"--port {port}: a port is a number from 0 (any that is free) to 65535")
    try:
        sockets = [_bind(host, port)]
    except OSError as why:
        raise BadInput(
            f"port {port} of {host} cannot be had ({why.strerror}): leave out --port for a free one"
        ) from None
    if host == LOOPBACK:
        with suppress(OSError):
            sockets.append(_bind("::1", sockets[0].getsockname()[1]))
    return sockets


def _bind(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    bound = socket.socket(family, kind, protocol)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(place)
        bound.listen(QUEUE)
    except OSError:
        bound.close()
        raise
    return bound


def called(host: str, port: int, allow_hosts: Sequence[str]) -> str:
    """The name that the server answers to: for other machines, the first that was allowed."""
    name = host if host in OWN else allow_hosts[0]
    if re.search(r"[^:]:\d+$", name):
        return name
    return f"[{name}]:{port}" if ":" in name.strip("[]") and name[0] != "[" else f"{name}:{port}"
