"""Whether the database and the broker answer."""

from __future__ import annotations

from typing import Literal

import redis
from django.conf import settings
from django.db import DatabaseError, connection

PartState = Literal["ok", "failed"]
BROKER_TIMEOUT_SECONDS = 2


def database_state() -> PartState:
    """Whether the database answers a trivial query."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "failed"
    return "ok"


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
