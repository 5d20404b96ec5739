"""A view as a file: JSON, CSV, Markdown, LaTeX, a page, or its picture."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from threading import Lock

from starlette.responses import Response

from veracity.core.errors import BadInput
from veracity.tables.exports import csv, json
from veracity.tables.latex import latex
from veracity.tables.markdown import escape, markdown
from veracity.web.places import NotThere
from veracity.web.shown import PICTURES, Shown

KINDS = {
    "json": "application/json",
    "csv": "text/csv",
    "md": "text/markdown",
    "tex": "application/x-tex",
    "html": "text/html",
    "svg": "image/svg+xml",
    "png": "image/png",
    "pdf": "application/pdf",
}
_DRAWING = Lock()  # matplotlib draws one picture at a time
_ODD = re.compile(r"[^A-Za-z0-9._-]+")


def export(shown: Shown, form: str, name: str) -> Response:
    """The file, to be saved under a plain name."""
    if form not in KINDS:
        raise NotThere(f"there is no export .{form}: there are {' '.join(f'.{one}' for one in KINDS)}")
    if form not in shown.forms:
        why = "its tables are too long for a picture" if shown.tables and form in PICTURES else "it has no tables"
        ways = ", ".join(f".{one}" for one in shown.forms)
        raise BadInput(f"there is no .{form} of this view, as {why}: there are {ways}")
    content = _draw(shown, form) if form in PICTURES else _WRITERS[form](shown).encode()
    plain = _ODD.sub("-", name).strip("-.") or "veracity"
    way = "inline" if form == "json" else "attachment"
    headers = {"content-disposition": f'{way}; filename="{plain}.{form}"'}
    return Response(content, headers=headers, media_type=KINDS[form])


def _text(shown: Shown) -> str:
    lead = [f"{escape(shown.answer)}\n"] if shown.answer else []
    return "\n".join([f"# {escape(shown.title)}\n", *lead, *map(markdown, shown.tables)])


_WRITERS: dict[str, Callable[[Shown], str]] = {
    "json": lambda shown: json(shown.shape()) + "\n",
    "csv": lambda shown: csv(shown.tables[-1]),
    "md": _text,
    "tex": lambda shown: shown.paper() if shown.paper is not None else "\n".join(map(latex, shown.tables)),
    "html": lambda shown: shown.page(),
}


def _draw(shown: Shown, form: str) -> bytes:
    """The picture as the library draws it for papers."""
    assert shown.picture is not None
    out = io.BytesIO()
    with _DRAWING:
        shown.picture().figure.savefig(out, format=form, dpi=200)
    return out.getvalue()
