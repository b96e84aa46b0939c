"""Whether the database and the broker answer."""

from __future__ import annotations

from typing import Literal

import redis
from django.conf import settings
from django.db import (
    DatabaseError,
    InterfaceError,
    InternalError,
    OperationalError,
    connection,
)

PartState = Literal["ok", "failed"]
BROKER_TIMEOUT_SECONDS = 2
_READ_ONLY = "25006"


def database_state() -> PartState:
    """Whether the database answers a trivial query."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "failed"
    return "ok"


def is_unreachable(error: BaseException | None) -> bool:
    """Whether an error says that the database does not answer, rather than that it refused.

    A failure to connect carries no SQLSTATE; classes 08, 53 and 57P are connections that were
    lost, too many connections, and a server that starts or stops; 25006 is one that takes no
    writes just now, as a standby does (PostgreSQL, appendix A).
    """
    if not isinstance(error, OperationalError | InterfaceError | InternalError):
        return False
    state = getattr(error.__cause__, "sqlstate", None)
    if isinstance(error, InternalError):
        return bool(state == _READ_ONLY)
    return state is None or state.startswith(("08", "53", "57P"))


def broker_state() -> PartState:
    """Whether Redis or Valkey answers a ping within BROKER_TIMEOUT_SECONDS."""
    client = redis.Redis.from_url(
        settings.REDIS_URL,
        socket_timeout=BROKER_TIMEOUT_SECONDS,
        socket_connect_timeout=BROKER_TIMEOUT_SECONDS,
    )
    try:
        client.ping()
    except redis.RedisError:
        return "failed"
    finally:
        client.close()
    return "ok"
