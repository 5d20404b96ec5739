"""`veracity warm`: loops compiled ahead."""

from __future__ import annotations

import click


@click.command()
def warm() -> None:
    """Compile once what large tables need, so that the first of them does not wait: after an installation."""
    from veracity.api.warm import compile_loops

    click.echo(f"compiled and kept: {compile_loops():.1f} s")
