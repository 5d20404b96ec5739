"""Starting the workbench: one process, one line with the address, until Ctrl-C."""

from __future__ import annotations

import secrets
import socket
import sys
import threading
import webbrowser
from collections.abc import Sequence
from contextlib import suppress

import uvicorn

from veracity.core.errors import BadInput
from veracity.web.app import make_app
from veracity.web.asked import Bench
from veracity.web.guard import OPENING, Rules
from veracity.web.places import folder_of

LOOPBACK = "127.0.0.1"
BITS = 192
QUEUE = 128  # connections that may wait
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
    if host not in (LOOPBACK, "localhost", "::1") and not allow_hosts:
        raise BadInput(f"--host {host} lets other machines in: say by which name they may call, --allow-host NAME")
    bench = Bench(folder_of(target), read_only, trust_here)
    sockets = _listen(host, port)
    port = sockets[0].getsockname()[1]
    rules = Rules(secrets.token_urlsafe(BITS // 8), port, Rules.hosts, read_only, tuple(allow_hosts))
    address = f"http://{_in_address(host)}:{port}{OPENING}?token={rules.token}"
    print(address, flush=True)  # a script waits for this line
    runs = "stop with it" if stop_runs else "go on"
    print(f"Ctrl-C ends the workbench; runs that it started {runs}.", file=sys.stderr, flush=True)
    if browser:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    how = uvicorn.Config(
        make_app(bench, rules),
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE,
        ws="none",
    )
    with suppress(KeyboardInterrupt):  # which is how it ends
        uvicorn.Server(how).run(sockets)
    bench.memory.close()
    if stop_runs:
        bench.children.stop_all()


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


def _in_address(host: str) -> str:
    return f"[{host}]" if ":" in host else host
