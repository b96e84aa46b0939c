"""History, newest week first. The rows of BackfillWeek are the checkpoint."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.db.models import F

from ingest import queries
from ingest.models import BackfillWeek, IngestRun, Slice, Source
from ingest.openai_usage.errors import LookbackExceeded
from ingest.services.errors import SourceBusy
from ingest.services.keys import ClientOf, client_of, refuse_pushed
from ingest.services.locks import source_lock
from ingest.services.walks import Reading, close_interrupted, read_hours, unforeseen

WEEK_HOURS = 168
# Hour 0 was a Thursday; weeks begin on Monday, whenever the backfill is asked for, so that asking
# again finds the same weeks.
_FIRST_MONDAY = 96
MAX_TRIES = 5
# Rows of one walk are held in memory: about 0.6 kB each, as measured.
ROWS_PER_WALK = 300_000
LONGEST_WAIT_MINUTES = 60
# What ailed the provider when a week was given up may be over: it is asked once more.
GIVEN_UP_HOURS = 6

State = BackfillWeek.State


def plan_backfill(source: Source, *, now: datetime, days: int | None = None) -> int:
    """Queue every week of the last `days` (the source's own number, if None) that lacks an hour.

    Weeks before the provider's known lookback are marked refused. Whole weeks are read, so the
    oldest may begin up to six days earlier. Returns how many weeks are queued now. Raises
    SourceIsPushed where no provider is read for the source.
    """
    refuse_pushed(source)
    end_hour = int(now.timestamp()) // 3600
    first = first_week_hour(now, source.backfill_days if days is None else days)
    missing = set(queries.missing_hours(source, max(first, source.lookback_hour or 0), end_hour))
    for start in range(first, end_hour, WEEK_HOURS):
        end = min(start + WEEK_HOURS, end_hour)
        _plan_week(source, start, end, now=now, lacking=not missing.isdisjoint(range(start, end)))
    return BackfillWeek.objects.filter(source=source, state=State.QUEUED).count()


def first_week_hour(now: datetime, days: int) -> int:
    """The first hour of the oldest week that a backfill of so many days reads."""
    oldest = int(now.timestamp()) // 3600 - 24 * days
    return (oldest - _FIRST_MONDAY) // WEEK_HOURS * WEEK_HOURS + _FIRST_MONDAY


def next_week(source: Source, *, now: datetime) -> BackfillWeek | None:
    """The newest queued week whose time has come: one that failed again waits 2, 4, ... minutes."""
    queued = BackfillWeek.objects.filter(source=source, state=State.QUEUED).order_by("-start_hour")
    return next((week for week in queued if week.updated_at + _wait(week) <= now), None)


def backfill_week(
    week: BackfillWeek,
    *,
    now: datetime,
    started_at: datetime | None = None,
    wait_s: float = 0,
    client_of: ClientOf = client_of,
) -> Reading | None:
    """Read one queued week. None where there is nothing to do: already read, paused, removed.

    Raises SourceBusy where another run reads the source for longer than `wait_s`. Anything
    unforeseen counts as a try, and is raised. `started_at`: as in recover.
    """
    source = Source.objects.get(pk=week.source_id)
    with source_lock(source, wait_s=wait_s):
        source.refresh_from_db()
        heal(source, now, started_at)
        if source.removed_at or source.paused or not _claim(week, now):
            return None
        try:
            reading = _read(week, source, now, client_of)
        except Exception as fault:
            _try_again(week, unforeseen(fault), now)
            raise
        _record(week, source, reading, now)
    return reading


def _read(week: BackfillWeek, source: Source, now: datetime, client_of: ClientOf) -> Reading | None:
    """Read the hours that a week lacks, newest part first, and return the reading that ended it.

    None where it lacks none. A week too long for one task so goes on where the last try was cut
    off; a part that brought new hours sets the tries back.
    """
    part_hours = _hours_per_walk(source)
    lacking = queries.missing_hours(source, week.start_hour, week.end_hour)
    reading = None
    while lacking:
        end = lacking[-1] + 1
        start = max(lacking[0], end - part_hours)
        reading = read_hours(
            source, start, end, kind=IngestRun.Kind.BACKFILL, now=now, client_of=client_of
        )
        if reading.error is not None or reading.refused_before_hour is not None:
            break
        if len(queries.missing_hours(source, start, end)) < sum(hour >= start for hour in lacking):
            week.tries = 0
            week.save(update_fields=["tries"])
        lacking = [hour for hour in lacking if hour < start]
    return reading


def _hours_per_walk(source: Source) -> int:
    """A week, or as many hours as keep a walk of a large organization in bounded memory."""
    rows_per_hour = max(1, Slice.objects.filter(series__source=source).count())
    return max(1, min(WEEK_HOURS, ROWS_PER_WALK // rows_per_hour))


def recover(
    source: Source, *, now: datetime, started_at: datetime | None = None, wait_s: float = 0
) -> bool:
    """Heal what a stopped process left behind. False where the source is being read.

    `started_at` is when this process started, not a child of it that does one task. A week that
    was begun before was cut off by the end of the product: that is no failed try of the week.
    """
    try:
        with source_lock(source, wait_s=wait_s):
            heal(source, now, started_at)
    except SourceBusy:
        return False
    return True


def heal(source: Source, now: datetime, started_at: datetime | None = None) -> None:
    """The same for a caller that holds the source's lock."""
    close_interrupted(source, now)
    running = BackfillWeek.objects.filter(source=source, state=State.RUNNING)
    if started_at is not None:
        cut_off = running.filter(updated_at__lt=started_at, tries__gt=0)
        cut_off.update(tries=F("tries") - 1)
    running.filter(tries__gte=MAX_TRIES).update(
        state=State.FAILED, note=f"its reading was stopped midway {MAX_TRIES} times", updated_at=now
    )
    running.update(state=State.QUEUED, updated_at=now)


def due_weeks(*, now: datetime, started_at: datetime | None = None) -> list[BackfillWeek]:
    """The next week of every source of which no week is being read; heals what a crash left.

    A week of a source whose last hours are being read now is due too: its task waits its turn. One
    that was given up gets another try after GIVEN_UP_HOURS. `started_at`: as in recover.
    """
    long_ago = now - timedelta(hours=GIVEN_UP_HOURS)
    given_up = BackfillWeek.objects.filter(state=State.FAILED, updated_at__lte=long_ago)
    given_up.update(state=State.QUEUED, tries=MAX_TRIES - 1)
    waiting = queries.sources_to_read().filter(problem="")
    waiting = waiting.filter(backfill_weeks__state__in=[State.QUEUED, State.RUNNING]).distinct()
    free = [source for source in waiting if not _week_in_work(source, now, started_at)]
    weeks = [next_week(source, now=now) for source in free]
    return [week for week in weeks if week is not None]


def _week_in_work(source: Source, now: datetime, started_at: datetime | None) -> bool:
    running = BackfillWeek.objects.filter(source=source, state=State.RUNNING)
    return not recover(source, now=now, started_at=started_at) and running.exists()


def _wait(week: BackfillWeek) -> timedelta:
    """None before the second try: most interruptions are a restart."""
    minutes = 2 ** (week.tries - 1) if week.tries > 1 else 0
    return timedelta(minutes=min(minutes, LONGEST_WAIT_MINUTES))


def _plan_week(source: Source, start: int, end: int, *, now: datetime, lacking: bool) -> None:
    week, made = BackfillWeek.objects.get_or_create(
        source=source,
        start_hour=start,
        defaults={"end_hour": end, "updated_at": now, "state": State.QUEUED},
    )
    if source.lookback_hour is not None and end <= source.lookback_hour:
        _set(week, State.REFUSED, _beyond(source.lookback_hour), now)
    elif made and not lacking:
        _set(week, State.FETCHED, "", now)
    elif lacking and week.state not in (State.QUEUED, State.RUNNING):
        week.end_hour, week.tries = end, 0
        _set(week, State.QUEUED, "", now)


def _claim(week: BackfillWeek, now: datetime) -> bool:
    queued = BackfillWeek.objects.filter(pk=week.pk, state=State.QUEUED)
    claimed = queued.update(state=State.RUNNING, tries=F("tries") + 1, updated_at=now)
    week.refresh_from_db()
    return claimed == 1


def _record(week: BackfillWeek, source: Source, reading: Reading | None, now: datetime) -> None:
    if reading is None:
        _set(week, State.FETCHED, "", now)
        return
    week.run = reading.run
    if reading.error is None:
        _record_read(week, source, reading, now)
    elif isinstance(reading.error, LookbackExceeded):
        _refuse(week, source, reading.error.sentence, now)
    elif reading.needs_people:
        _set(week, State.QUEUED, reading.error.sentence, now)
    else:
        _try_again(week, reading.error.sentence, now)


def _try_again(week: BackfillWeek, note: str, now: datetime) -> None:
    _set(week, State.QUEUED if week.tries < MAX_TRIES else State.FAILED, note, now)


def _record_read(week: BackfillWeek, source: Source, reading: Reading, now: datetime) -> None:
    limit = reading.refused_before_hour
    if limit is not None and limit > week.start_hour:
        _refuse(week, source, _beyond(limit), now)
        return
    lacking = queries.missing_hours(source, week.start_hour, week.end_hour)
    _set(
        week,
        State.FETCHED,
        f"{len(lacking)} hours could not be read whole" if lacking else "",
        now,
    )


def _refuse(week: BackfillWeek, source: Source, note: str, now: datetime) -> None:
    """The provider keeps nothing of this week, or of its older part, so nothing of older weeks."""
    lacking = queries.missing_hours(source, week.start_hour, week.end_hour)
    nothing_read = len(lacking) == week.end_hour - week.start_hour
    _set(week, State.REFUSED if nothing_read else State.PARTLY, note, now)
    _refuse_older(week, note, now)


def _refuse_older(week: BackfillWeek, note: str, now: datetime) -> None:
    older = BackfillWeek.objects.filter(source=week.source_id, start_hour__lt=week.start_hour)
    older.filter(state=State.QUEUED).update(state=State.REFUSED, note=note, updated_at=now)


def _set(week: BackfillWeek, state: BackfillWeek.State, note: str, now: datetime) -> None:
    week.state, week.note, week.updated_at = state, note, now
    week.save()


def _beyond(hour: int) -> str:
    when = datetime.fromtimestamp(hour * 3600, UTC)
    return f"the provider keeps no hourly usage before {when:%Y-%m-%d %H:%M} UTC"
