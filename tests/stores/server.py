"""A PostgreSQL of a test's own, which may crash and be started again."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

SAYS = "no PostgreSQL binaries: apt-get install postgresql"


def binaries() -> Path | None:
    """The folder of the newest PostgreSQL that is installed, if any."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"), key=lambda path: int(path.parts[-3]))
    on_path = shutil.which("pg_ctl")
    return found[-1].parent if found else Path(on_path).parent if on_path else None


class Server:
    """On a socket in a temporary folder, durable (fsync is on), gone when the test ends."""

    def __init__(self, folder: Path, bin: Path) -> None:
        self.folder, self.bin = folder, bin
        if os.getuid() == 0:
            shutil.chown(folder, "postgres")
        options = ["-U", "veracity", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"]
        self._call("initdb", "-D", folder / "data", *options)

    @property
    def address(self) -> str:
        return f"postgresql+psycopg://veracity:secret@/postgres?host={self.folder}"

    def start(self) -> None:
        options = f"-k {self.folder} -c listen_addresses='' -c max_connections=40"
        self._call("pg_ctl", "-D", self.folder / "data", "-l", self.folder / "log", "-w", "-o", options, "start")

    def stop(self) -> None:
        """As an administrator does: connections are cut, everything is written."""
        self._call("pg_ctl", "-D", self.folder / "data", "-m", "fast", "-w", "stop")

    def crash(self) -> None:
        """As a power cut does: the server and all its processes end at once."""
        os.kill(int((self.folder / "data/postmaster.pid").read_text().split()[0]), signal.SIGQUIT)
        while (self.folder / "data/postmaster.pid").exists() and self.is_running():
            pass

    def is_running(self) -> bool:
        asked = self._command("pg_ctl", "-D", self.folder / "data", "status")
        return subprocess.run(asked, cwd=self.folder, stdout=subprocess.DEVNULL, check=False).returncode == 0

    def end(self) -> None:
        if self.is_running():
            self._call("pg_ctl", "-D", self.folder / "data", "-m", "immediate", "-w", "stop")
        shutil.rmtree(self.folder)

    def _command(self, name: str, *arguments: object) -> list[str]:
        owner = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        return [*owner, str(self.bin / name), *map(str, arguments)]

    def _call(self, name: str, *arguments: object) -> None:
        log = self.folder / "log"
        done = subprocess.run(self._command(name, *arguments), cwd=self.folder, stdout=subprocess.DEVNULL, check=False)
        assert done.returncode == 0, log.read_text() if log.exists() else name


def make_server(bin: Path) -> Server:
    return Server(Path(tempfile.mkdtemp(prefix="veracity-server.", dir="/tmp")), bin)
