"""Versions of installed packages."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def version_of(package: str) -> str:
    """Return the version of a package, "unknown" where it is run without having been installed, as from an archive."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"
