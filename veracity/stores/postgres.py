"""A PostgreSQL database, or one schema of it, as the database of a store."""

from __future__ import annotations

from functools import partial

from sqlalchemy import URL, Connection, Engine, create_engine, event

from veracity.core.errors import BadInput

REACH = 10  # seconds to wait for a server that does not answer
TURN = "select pg_advisory_xact_lock(hashtext('veracity'), hashtext(current_schema()))"


def postgres_engine(url: URL, wait: float) -> Engine:
    """Connections to the database, renewed when the server was started anew."""
    arguments = {} if "connect_timeout" in url.query else {"connect_timeout": REACH}
    try:
        engine = create_engine(url, connect_args=arguments, pool_pre_ping=True, hide_parameters=True)
    except ImportError:
        raise BadInput("PostgreSQL needs the extra 'postgres': pip install 'veracity[postgres]'") from None
    event.listen(engine, "begin", partial(_begin, wait))
    return engine


def _begin(wait: float, connection: Connection) -> None:
    """Writers take turns, as in SQLite: then what one decides from what it reads holds until it has written."""
    if connection.get_execution_options().get("writing"):
        connection.exec_driver_sql(f"set local lock_timeout = {round(1000 * wait)}")
        connection.exec_driver_sql(TURN)
