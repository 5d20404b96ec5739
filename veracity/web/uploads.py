"""Files that were brought: in a private folder that goes with the server."""

from __future__ import annotations

import re
import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from veracity.core.environment import PrivateFolder
from veracity.core.errors import BadInput
from veracity.web.places import TABLES, Folder, NotThere
from veracity.web.whole_files import add_file

MOST = 100  # files that are kept
KEY = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True)
class Upload:
    """A file by the name that its owner knows."""

    key: str
    name: str
    path: Path


class Uploads:
    """The files by their keys; names are never paths."""

    def __init__(self) -> None:
        self._folder: PrivateFolder | None = None
        self._files: dict[str, Upload] = {}

    async def keep(self, name: str, parts: AsyncIterator[bytes]) -> Upload:
        """Write a file as it comes; what breaks off is not kept."""
        upload = self._new(name)
        try:
            with upload.path.open("wb") as file:
                async for part in parts:
                    file.write(part)
        except BaseException:
            upload.path.unlink(missing_ok=True)
            raise
        self._files[upload.key] = upload
        return upload

    def keep_text(self, name: str, text: str) -> Upload:
        """The same of a text that was typed."""
        upload = self._new(name)
        upload.path.write_text(text, "utf-8")
        self._files[upload.key] = upload
        return upload

    def _new(self, name: str) -> Upload:
        endings = (
            "".join(Path(name).suffixes[-2:]).lower() if name.lower().endswith(".gz") else Path(name).suffix.lower()
        )
        if Path(name).suffix.lower() not in TABLES or not re.fullmatch(r"[a-z.]+", endings):
            raise BadInput(f"{name!r}: bring a table that ends in {' '.join(TABLES)}")
        if len(self._files) >= MOST:
            raise BadInput(f"{MOST} files were brought already: start the workbench anew, which lets them go")
        self._folder = self._folder or PrivateFolder()
        key = secrets.token_hex(8)
        return Upload(key, name, self._folder.path / f"{key}{endings}")

    def move(self, upload: Upload, folder: Folder) -> None:
        """Put a file into the folder of the workbench, where nothing is overwritten."""
        if Path(upload.name).name != upload.name or upload.name.startswith("."):
            raise BadInput(f"{upload.name!r} is no plain name for a file")
        try:
            add_file(upload.path, folder.inside(upload.name))
        except FileExistsError:
            raise BadInput(f"{upload.name} lies in the folder already: give yours another name") from None

    def __getitem__(self, key: str) -> Upload:
        if not KEY.fullmatch(key) or key not in self._files:
            raise NotThere("this file is not here any more: bring it again")
        return self._files[key]
