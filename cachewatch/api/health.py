"""Whether the parts answer. Says nothing of the content, so anybody may ask."""

from __future__ import annotations

from typing import Literal

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest
from ninja import Router, Schema

from cachewatch import __version__
from cachewatch.api.examples import examples

router = Router(tags=["health"])
PartState = Literal["ok", "failed"]
BROKER_TIMEOUT_SECONDS = 2


class Health(Schema):
    """The state of the database and the broker; degraded when one of them does not answer."""

    status: Literal["ok", "degraded"]
    version: str
    database: PartState
    broker: PartState

    model_config = examples({"status": "ok", "version": "0.1.0", "database": "ok", "broker": "ok"})


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


@router.get("/health", response=Health, auth=None)
def get_health(request: HttpRequest) -> Health:  # noqa: ARG001 -- ninja's signature
    """Always 200; `/healthz` is the address for load balancers."""
    database, broker = database_state(), broker_state()
    good = database == broker == "ok"
    return Health(
        status="ok" if good else "degraded",
        version=__version__,
        database=database,
        broker=broker,
    )
