"""The Celery app: limits, and the beat schedule that says what runs when."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from typing import Any

from billiard import active_children
from celery import Celery, bootsteps, signals
from celery.platforms import EX_FAILURE
from celery.schedules import crontab

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cachewatch.settings")

app = Celery("cachewatch")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.update(
    # Every task is idempotent, so a lost worker may mean a second run.
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_time_limit=900,
    task_soft_time_limit=840,
    # Above the time limit, or Redis hands a running task to a second worker.
    broker_transport_options={"visibility_timeout": 3600},
    worker_prefetch_multiplier=1,
    worker_soft_shutdown_timeout=5,
    # KiB. A process that has held a large organization's week gives the memory back by ending.
    worker_max_memory_per_child=600_000,
    task_ignore_result=True,
    broker_connection_retry_on_startup=True,
    task_default_queue="cachewatch",
    timezone="UTC",
    beat_schedule={
        "hourly-ingest": {"task": "ingest.refresh_sources", "schedule": crontab(minute="2")},
        # Every minute: cheap when nothing is due, and work dropped by a crash is picked up.
        "resume-backfills": {"task": "ingest.resume_backfills", "schedule": 60.0},
        "classify-stale": {"task": "cachewatch.classify_stale", "schedule": 60.0},
        "follow-findings": {"task": "cachewatch.follow_findings", "schedule": 60.0},
        "measure-readouts": {"task": "cachewatch.measure_readouts", "schedule": 60.0},
        "tend-evidence": {"task": "cachewatch.tend_evidence", "schedule": 60.0},
        "read-minutes": {"task": "cachewatch.read_minutes", "schedule": 60.0},
        "count-pushed": {"task": "ingest.count_pushed", "schedule": 60.0},
        "fill-past-days": {
            "task": "cachewatch.classify_stale",
            "schedule": crontab(minute="32"),
            "kwargs": {"fill": True},
        },
    },
)
app.autodiscover_tasks()


class EndAfterFailure(bootsteps.StartStopStep):
    """Ends a worker at once that failed for good, such as on a broker that refuses to write.

    Celery's own end waits for its pool, whose processes wait in turn for the one that no longer reads
    their results: for ever. Ended, it is started again. A stop that was asked for is left alone.
    """

    requires = ("celery.worker.components:Pool",)

    def close(self, parent: Any) -> None:
        """Called first of all when the worker stops."""
        if parent.exitcode == EX_FAILURE:
            for pid in [child.pid for child in active_children() if child.pid]:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            os._exit(EX_FAILURE)


app.steps["worker"].add(EndAfterFailure)


@signals.beat_init.connect
def _begin_at_once(**_options: Any) -> None:
    """A start reads what was missed meanwhile, and does not wait for the next full hour."""
    for task in ("ingest.refresh_sources", "ingest.resume_backfills"):
        app.send_task(task)


@signals.setup_logging.connect
def _keep_django_logging(**_options: Any) -> None:
    """Celery would replace the handlers that the settings define."""
