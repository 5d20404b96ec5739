"""From blocks to one file of HTML: no request, no foreign script, the same bytes for the same input."""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from importlib.resources import files
from typing import Any

from markupsafe import Markup

from veracity.reports.blocks import Explorer, Page

SEEN = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"})


def written(page: Page) -> str:
    """The page as HTML. Every text is escaped; only our own script and style may run, by their hashes."""
    style, script = _asset("page.css"), _asset("page.js")
    island = [block.data for section in page.sections for block in section.blocks if isinstance(block, Explorer)]
    return _template().render(
        page=page,
        style=Markup(style),
        script=Markup(script),
        policy=_policy(style, script),
        island=Markup(as_island(island)),
    )


def as_island(data: Any) -> str:
    """JSON that no browser can read as anything else."""
    return json.dumps(data, separators=(",", ":"), allow_nan=False, ensure_ascii=True).translate(SEEN)


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}';"
        " base-uri 'none'; form-action 'none'"
    )


def _hash(content: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}"


@cache
def _asset(name: str) -> str:
    return (files("veracity.reports") / "assets" / name).read_text("utf-8")


@cache
def _template() -> Any:
    from jinja2 import DictLoader, Environment, StrictUndefined

    loader = DictLoader({"page.html": _asset("page.html")})
    surroundings = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return surroundings.get_template("page.html")
