"""Errors that nobody expected, written to standard error with a number that the page shows."""

from __future__ import annotations

import logging
import secrets
from traceback import format_exception

from veracity.core.words import spell_out_controls, without_passwords

LOG = logging.getLogger("veracity.web")
ID_BYTES = 4


def log_unexpected(method: str, path: str, why: Exception) -> str:
    """Log an error with its traceback; return what a page says of it.

    Of the request only the method and the path are written: tokens and cookies stand in other parts.
    """
    number = secrets.token_hex(ID_BYTES)
    lines = [line for part in format_exception(why) for line in part.splitlines()]
    head = f"error {number} at {method} {path}"
    LOG.error("%s", "\n".join(without_passwords(spell_out_controls(line)) for line in (head, *lines)))
    says = f"unexpected error: {type(why).__name__}: {why}"
    return f"{says} (error {number}, which stands with its traceback in the terminal of veracity serve)"
