"""`manage.py backfill`: read the history of sources, without a worker."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import QuerySet
from django.utils import timezone

from ingest import queries, services
from ingest.models import BackfillWeek, Source

LOCK_WAIT_S = 600.0
BAR_WIDTH = 30
MOST_DAYS = 3_650


class Command(BaseCommand):
    help = (
        "Reads the history of one or all sources, newest week first. Stopped midway, it goes on"
        " from the last whole week when run again; weeks already read are not asked for."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--source", metavar="SLUG", help="one source (default: all)")
        parser.add_argument(
            "--days", type=int, metavar="N", help="how far back (default: the source's own number)"
        )

    def handle(self, *_args: Any, source: str | None, days: int | None, **_options: Any) -> None:
        if days is not None and not 1 <= days <= MOST_DAYS:
            raise CommandError(f"--days is {days}; it must be from 1 to {MOST_DAYS}")
        services.ensure_openai_source(now=timezone.now())
        failed = [one.slug for one in self._sources(source) if not self._backfill(one, days)]
        if failed:
            raise CommandError(f"not complete: {', '.join(failed)}; run the command again")

    def _sources(self, slug: str | None) -> list[Source]:
        if slug is None:
            every = list(queries.sources_to_read())
            if not every:
                raise CommandError("there is no source to read: add one, or set OPENAI_ADMIN_KEY")
            return every
        try:
            found = queries.find_source(slug)
        except Source.DoesNotExist as error:
            known = ", ".join(one.slug for one in queries.visible_sources()) or "none"
            raise CommandError(f"there is no source {slug}; known: {known}") from error
        if found.is_pushed:
            raise CommandError(
                f"{slug} is pushed to: there is no provider to read its history from"
            )
        if found.paused:
            raise CommandError(
                f"{slug} is paused, and a paused source is not read: resume it first"
            )
        return [found]

    def _backfill(self, source: Source, days: int | None) -> bool:
        """Read every queued week of a source. False where one could not be read."""
        # A killed command's connection may take a moment to end, and holds the lock till then.
        now = timezone.now()
        if not services.recover(source, now=now, started_at=now, wait_s=LOCK_WAIT_S):
            return self._stop(f"{source.name} is being read by another run")
        services.plan_backfill(source, now=now, days=days)
        weeks = _weeks(source, days)
        self._show(source, weeks)
        for week in weeks.filter(state=BackfillWeek.State.QUEUED).reverse():
            problem = self._read(week)
            self._show(source, weeks)
            if problem:
                return self._stop(problem)
        if weeks.filter(state=BackfillWeek.State.QUEUED).exists():
            return self._stop(f"{source.name} was paused or removed meanwhile")
        self.stderr.write("")
        return True

    def _read(self, week: BackfillWeek) -> str:
        """Read one week; the sentence that says why it could not be read, or ""."""
        try:
            reading = services.backfill_week(week, now=timezone.now(), wait_s=LOCK_WAIT_S)
        except services.SourceBusy as busy:
            return busy.sentence
        return "" if reading is None or reading.error is None else reading.error.sentence

    def _stop(self, sentence: str) -> bool:
        self.stderr.write("")
        self.stderr.write(sentence)
        return False

    def _show(self, source: Source, weeks: QuerySet[BackfillWeek]) -> None:
        """One line that is drawn over: weeks done of all, and the rows stored."""
        states = list(weeks.values_list("state", flat=True))
        open_states = (BackfillWeek.State.QUEUED, BackfillWeek.State.RUNNING)
        done = sum(state not in open_states for state in states)
        full = BAR_WIDTH * done // max(1, len(states))
        stored = queries.source_totals_of([source], timezone.now())[source.pk].buckets_stored
        self.stderr.write(
            f"\r{source.slug} [{'#' * full}{'.' * (BAR_WIDTH - full)}] {done} of {len(states)} weeks,"
            f" {stored:,} rows stored",
            ending="",
        )
        self.stderr.flush()


def _weeks(source: Source, days: int | None) -> QuerySet[BackfillWeek]:
    """The weeks this command reads: of the last `days`, or all that are planned."""
    weeks = queries.backfill_weeks(source)
    if days is None:
        return weeks
    return weeks.filter(start_hour__gte=services.first_week_hour(timezone.now(), days))
