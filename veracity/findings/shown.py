"""Results that are a sentence, as a notebook shows them."""

from __future__ import annotations

from html import escape
from typing import Any


class Shown:
    """Shows its own sentence, and its notes below."""

    def _repr_html_(self) -> str:
        notes: Any = getattr(self, "all_notes", getattr(self, "notes", ()))
        items = "".join(f"<li>{escape(str(note))}</li>" for note in notes)
        return f"<p>{escape(str(self))}</p>" + (f'<ul class="notes">{items}</ul>' if items else "")
