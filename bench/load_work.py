"""`python -m bench.load_work SLUG BASE_URL DAYS`: one backfill; prints rows and seconds as JSON.

The pages are asked for once before, so that making them is no part of it.
"""

from __future__ import annotations

import json
import os
import sys
import time

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "cachewatch.settings"
django.setup()

from django.db.models import Sum  # noqa: E402 -- Django must be set up first
from django.utils import timezone  # noqa: E402

from bench.stored import make_source  # noqa: E402
from ingest.models import IngestRun, Source  # noqa: E402
from ingest.services import backfill_week, next_week, plan_backfill  # noqa: E402
from ingest.services.keys import client_of, put_key  # noqa: E402
from ingest.simulator.access import DEMO_KEY  # noqa: E402


def main() -> int:
    """Read all weeks, the newest first."""
    slug, base_url, days = sys.argv[1], sys.argv[2], int(sys.argv[3])
    source, now = make_source(slug, base_url), timezone.now()
    source.kind = Source.Kind.DEMO  # which may be read from this machine
    put_key(source, DEMO_KEY)
    source.save()
    plan_backfill(source, now=now, days=days)
    _have_pages_made(source)
    began = time.monotonic()
    while (week := next_week(source, now=now)) is not None:
        reading = backfill_week(week, now=now)
        if reading is None or reading.error is not None:
            raise SystemExit(f"a week was not read: {reading and reading.error}")
    seconds = time.monotonic() - began
    rows = IngestRun.objects.filter(source=source).aggregate(rows=Sum("rows_new"))["rows"]
    found = {"rows": rows, "seconds": round(seconds, 3), "rows_per_second": round(rows / seconds)}
    sys.stdout.write(json.dumps(found) + "\n")
    return 0


def _have_pages_made(source: Source) -> None:
    """Walk the newest week once, and keep nothing."""
    week = next_week(source, now=timezone.now())
    if week is not None:
        with client_of(source) as client:
            client.walk_hours(week.start_hour, week.end_hour, source.grouping)


if __name__ == "__main__":
    sys.exit(main())
