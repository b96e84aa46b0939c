"""`python -m bench.two_groups_work BASE_URL SOURCES DAYS GROUPS`: the work of one run, through the queue.

Prints seconds and what is stored afterwards as one line of JSON.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "cachewatch.settings"
django.setup()

from celery import current_app  # noqa: E402 -- Django must be set up first
from django.db import connection  # noqa: E402 -- Django must be set up first
from django.db.models import Sum  # noqa: E402
from django.utils import timezone  # noqa: E402

from bench.stored import make_source  # noqa: E402
from cachewatch.tasks import classify_stale  # noqa: E402
from cachewatch.verdicts.models import Verdict  # noqa: E402
from ingest.models import BackfillWeek, IngestRun, Series, Source, UsageBucket  # noqa: E402
from ingest.services import plan_backfill  # noqa: E402
from ingest.services.keys import put_key  # noqa: E402
from ingest.simulator.access import DEMO_KEY  # noqa: E402
from ingest.tasks import resume_backfills  # noqa: E402

PATIENCE_SECONDS = 900
ASK_EVERY_SECONDS = 0.05
_WORKERS = """
SELECT DISTINCT application_name FROM pg_stat_activity
WHERE datname = current_database() AND application_name LIKE 'group%' AND state = 'active'
"""
WAITING = (BackfillWeek.State.QUEUED, BackfillWeek.State.RUNNING)


def main() -> int:
    """Queue the backfills, then the classification, and wait for both."""
    base_url, (sources, days, groups) = sys.argv[1], map(int, sys.argv[2:5])
    made = [_source(f"acme{number}", base_url) for number in range(sources)]
    for source in made:
        plan_backfill(source, now=timezone.now(), days=days)
    _wait_for_workers(groups)
    began = time.monotonic()
    resume_backfills.delay()
    at_work = _until(lambda: not BackfillWeek.objects.filter(state__in=WAITING).exists())
    fetched = time.monotonic() - began
    classify_stale.delay()
    at_work |= _until(lambda: Verdict.objects.filter(is_newest=True).count() == _series())
    seconds = time.monotonic() - began
    sys.stdout.write(json.dumps(_found(seconds, fetched, at_work)) + "\n")
    return 0


def _wait_for_workers(groups: int) -> None:
    """Their start is no part of what is measured."""
    while len(current_app.control.ping(timeout=2) or ()) < groups:
        time.sleep(ASK_EVERY_SECONDS)


def _source(slug: str, base_url: str) -> Source:
    source = make_source(slug, base_url)
    source.kind = Source.Kind.DEMO  # which may be read from this machine
    put_key(source, DEMO_KEY)
    source.save()
    return source


def _series() -> int:
    return Series.objects.count()


def _until(done: Callable[[], bool]) -> set[str]:
    """Wait; the workers that were at the database meanwhile."""
    deadline, seen = time.monotonic() + PATIENCE_SECONDS, set()
    while not done():
        if time.monotonic() > deadline:
            raise SystemExit("the work was not done in time")
        with connection.cursor() as cursor:
            cursor.execute(_WORKERS)
            seen |= {str(name) for (name,) in cursor.fetchall()}
        time.sleep(ASK_EVERY_SECONDS)
    return seen


def _found(seconds: float, fetched: float, groups: set[str]) -> dict[str, Any]:
    runs = IngestRun.objects.aggregate(new=Sum("rows_new"), unchanged=Sum("rows_unchanged"))
    rows = UsageBucket.objects.count()
    verdicts = Verdict.objects.count()
    return {
        "seconds": round(seconds, 3),
        "backfill_seconds": round(fetched, 3),
        "rows": rows,
        "rows_new": runs["new"],
        "rows_read_twice": runs["unchanged"],
        "runs": IngestRun.objects.count(),
        "failed_runs": IngestRun.objects.exclude(status=IngestRun.Status.OK).count(),
        "series": _series(),
        "verdicts": verdicts,
        "newest_verdicts": Verdict.objects.filter(is_newest=True).count(),
        "groups": sorted(groups),
        "doubled": rows != runs["new"] or bool(runs["unchanged"]),
    }


if __name__ == "__main__":
    sys.exit(main())
