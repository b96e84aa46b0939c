"""Handing work to a worker; the tasks themselves are in ingest.tasks."""

from __future__ import annotations

import contextlib
from datetime import timedelta
from typing import Any, cast

from django.utils import timezone
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from cachewatch.api.errors import ApiError
from cachewatch.celery import app
from ingest import services, tasks
from ingest.models import Source


def queue_run(source: Source) -> services.ReadRequest:
    """Read the source's last hours now, unless that is asked for or done already.

    Raises ApiError 503 where the broker does not answer.
    """
    try:
        longest = timedelta(seconds=cast("int", tasks.refresh_source.time_limit))
        asked = services.request_read(source, now=timezone.now(), longest_read=longest)
    except RedisError as error:
        raise _unreachable() from error
    if asked is services.ReadRequest.QUEUED:
        try:
            expires_s = services.REQUEST_LAPSES_S
            hand_over(tasks.refresh_source, source.pk, by_hand=True, expires_s=expires_s)
        except ApiError:
            with contextlib.suppress(RedisError):
                services.forget_request(source)
            raise
    return asked


def queue_backfill() -> None:
    """Begin with the weeks that are due. Raises ApiError 503 where the broker does not answer."""
    hand_over(tasks.resume_backfills)


def queue_minutes(source: Source) -> None:
    """Read the days of minutes that wait; where the broker does not answer, beat does it later."""
    with contextlib.suppress(ApiError):
        hand_over(tasks.read_minutes, source.pk)


def queue_readouts(source: Source) -> None:
    """Measure the source's readouts, and let its findings follow its markers.

    Where the broker does not answer, beat does both later.
    """
    # By name: the tasks of this package are a door of their own.
    with contextlib.suppress(OperationalError):
        app.send_task("cachewatch.measure_source_readouts", [source.pk])
        app.send_task("cachewatch.follow_source_findings", [source.pk])


def queue_evidence() -> None:
    """Read the logs that wait; where the broker does not answer, beat does it later."""
    with contextlib.suppress(OperationalError):
        app.send_task("cachewatch.read_evidence")


def queue_first_reads(source: Source) -> None:
    """Begin to read a new source at once; where the broker does not answer, beat does it later."""
    with contextlib.suppress(ApiError):
        queue_run(source)
        queue_backfill()


def hand_over(task: Any, *args: Any, expires_s: float | None = None, **options: Any) -> None:
    """Queue a Celery task, which lapses after `expires_s`; None: after the task's own time.

    Raises ApiError 503 where the broker does not answer.
    """
    lapses = {} if expires_s is None else {"expires": expires_s}
    try:
        task.apply_async(args, options, **lapses)
    except OperationalError as error:
        raise _unreachable() from error


def _unreachable() -> ApiError:
    return ApiError(
        503, "queue_unreachable", "The broker does not answer, so no work can be handed out."
    )
