"""Whether the parts answer. Says nothing of the content, so anybody may ask."""

from __future__ import annotations

from typing import Literal

from django.http import HttpRequest
from ninja import Router

from cachewatch import __version__
from cachewatch.api.base_shape import Shape
from cachewatch.api.examples import examples
from cachewatch.reachable import PartState, broker_state, database_state

router = Router(tags=["health"])


class Health(Shape):
    """The state of the database and the broker; degraded when one of them does not answer."""

    status: Literal["ok", "degraded"]
    version: str
    database: PartState
    broker: PartState

    model_config = examples({"status": "ok", "version": "0.2.0", "database": "ok", "broker": "ok"})


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
