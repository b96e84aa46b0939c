"""The command that reads history without a worker."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from ingest import queries, services
from ingest.models import IngestRun, Source
from ingest.simulator.access import DEMO_KEY
from tests.factories import HOUR, at
from tests.ingest.serving import api_served, usage_served

NOW = at(HOUR + 60, 5)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"source": "nobody"}, "there is no source nobody; known: acme"),
        ({"days": 0}, "--days is 0; it must be from 1 to 3650"),
    ],
)
def test_the_command_says_what_is_wrong(source: Source, options, sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        call_command("backfill", **options)


def test_the_command_reads_the_days_asked_for_and_no_more(
    source: Source, capsys: pytest.CaptureFixture[str]
) -> None:
    with usage_served(series=2, days=30) as url:
        services.remove_source(source, now=NOW)
        real = services.add_source(
            name="Real", admin_key=DEMO_KEY, base_url=url, now=timezone.now(), backfill_days=100
        )
        call_command("backfill", days=9)
        first = services.first_week_hour(timezone.now(), 9)
        states = {week.start_hour: week.state for week in queries.backfill_weeks(real)}
        assert {start for start, state in states.items() if state == "fetched"} == {
            start for start in states if start >= first
        }
        assert len(states) > 10
        shown = capsys.readouterr().err
        assert f"\rreal [{'#' * 30}] " in shown
        call_command("backfill", source="real")
    assert set(queries.backfill_weeks(real).values_list("state", flat=True)) == {"fetched"}


def test_the_command_stops_at_a_week_that_cannot_be_read(
    source: Source, capsys: pytest.CaptureFixture[str]
) -> None:
    with usage_served(series=1, days=30) as url:
        services.update_source(
            source, now=timezone.now(), admin_key=f"{DEMO_KEY}-401", base_url=url
        )
        with pytest.raises(CommandError, match="not complete: acme; run the command again"):
            call_command("backfill", days=9)
    assert "key" in capsys.readouterr().err
    assert IngestRun.objects.get().error_code == "key_rejected"


def test_a_paused_source_is_not_read_and_the_command_says_so(source: Source) -> None:
    services.update_source(source, now=NOW, paused=True)
    sentence = "acme is paused, and a paused source is not read: resume it first"
    with pytest.raises(CommandError, match=sentence):
        call_command("backfill", source="acme")
    with pytest.raises(CommandError, match="no source to read"):
        call_command("backfill")
    assert not IngestRun.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_source_that_is_paused_while_it_is_read_is_not_complete(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def pause() -> None:  # called in a thread of the server
        Source.objects.update(paused=True)
        connection.close()

    with api_served(series=1, days=30) as (url, api):
        services.add_source(name="Real", admin_key=DEMO_KEY, base_url=url, now=timezone.now())
        api.on_call = pause
        with pytest.raises(CommandError, match="not complete: real"):
            call_command("backfill", days=9)
    assert "Real was paused or removed meanwhile" in capsys.readouterr().err


def test_the_command_without_a_source_says_so(db: None) -> None:
    with pytest.raises(CommandError, match="no source to read: add one, or set OPENAI_ADMIN_KEY"):
        call_command("backfill")
