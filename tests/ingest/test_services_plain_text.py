"""What a provider says may hold anything: it is kept, and stops neither the run nor its record."""

from __future__ import annotations

import pytest

from ingest import services
from ingest.models import IngestRun, Source
from ingest.services.keys import put_key
from tests.factories import HOUR, at
from tests.ingest.fake_provider import FakeProvider

NOW = at(HOUR + 60, 5)


@pytest.fixture
def provider(source: Source) -> FakeProvider:
    put_key(source, "sk-admin-of-acme")
    source.grouping = ["batch"]
    source.save()
    return FakeProvider()


def test_a_refusal_with_nul_and_escapes_ends_the_run_with_its_sentence(
    source: Source, provider: FakeProvider
) -> None:
    provider.refuse(400, {"message": "no \x00\x1b[31mway\u202e"})
    services.refresh_source(source, now=NOW, client_of=provider.client_of)
    run = IngestRun.objects.get()
    assert (run.status, run.error_code) == ("failed", "request_refused")
    assert run.error == "The provider refused the request (400: no [31mway)."


def test_a_refused_grouping_with_nul_is_a_notice_of_a_run_that_went_well(
    source: Source, provider: FakeProvider
) -> None:
    provider.refuse(400, {"message": "Unsupported group_by: \x00\x07batch", "param": "group_by"})
    provider.fill([HOUR + 59])
    services.refresh_source(source, now=NOW, client_of=provider.client_of)
    run = IngestRun.objects.get()
    assert (run.status, run.rows_new) == ("ok", 1)
    (notice,) = run.notices
    assert notice == (
        "The provider refused to group by batch: read without it. "
        "The provider refused the grouping (400: Unsupported group_by: batch)."
    )


def test_a_refusal_of_the_place_with_nul_is_the_answer_of_a_probe(
    source: Source, provider: FakeProvider
) -> None:
    provider.refuse(403, {"message": "country\x00 not\x9b2J supported"}, times=9)
    result = services.probe_source(source, now=NOW, client_of=provider.client_of)
    assert result.sentence == "Access from here was refused (403: country not2J supported)."
    source.refresh_from_db()
    assert source.probed_at == NOW
