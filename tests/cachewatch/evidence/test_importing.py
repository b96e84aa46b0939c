"""A log becomes one document, however often it is sent and however an import ends."""

from __future__ import annotations

import io
from pathlib import Path

import psycopg
import pytest
from django.db import connection

from cachewatch.evidence import services
from cachewatch.evidence.models import EvidenceImport
from cachewatch.evidence.services import BadOption, fail_dead
from cachewatch.evidence.uploads import MOST_BYTES, UploadRefused, received
from ingest.models import Series, Source
from ingest.request_logs import LogRefused
from tests.cachewatch.evidence.logs import FIRST_SECOND, imported, lines, replay
from tests.factories import HOUR, at


def test_a_log_is_kept_as_its_findings(acme: Source, tmp_path: Path) -> None:
    row = imported(acme, tmp_path, name="C:\\logs\\of/replay.jsonl").row
    row.refresh_from_db()
    assert (row.state, row.error, row.file_name) == ("done", "", "replay.jsonl")
    assert (row.format, row.requests, row.duplicates, row.rejected_count) == ("generic", 33, 0, 0)
    assert row.verdict == row.document["findings"][0]["cause"] == "routing-scatter"
    told = row.document
    assert [arm["label"] for arm in told["arms"]] == ["no key", "key per request", "one stable key"]
    assert [arm["full"] for arm in told["arms"]] == [3, 0, 10]
    assert (told["first_at"], told["last_at"]) == (FIRST_SECOND, FIRST_SECOND + 640)
    assert (told["points_of"], len(told["points"]["time"])) == (33, 33)


def test_missed_tokens_and_requests_name_the_same_causes(acme: Source, tmp_path: Path) -> None:
    told = imported(acme, tmp_path).row.document
    missed = told["missed_tokens"]
    assert sum(missed["by_cause"].values()) == missed["total"] > 0
    assert missed["by_cause"].keys() == told["missed_requests"].keys()


def test_the_same_log_twice_is_one_import(acme: Source, tmp_path: Path) -> None:
    first, again = imported(acme, tmp_path), imported(acme, tmp_path, name="other.jsonl", minutes=9)
    assert (first.created, again.created) == (True, False)
    assert first.row.pk == again.row.pk
    assert again.row.created_at == at(HOUR)


def test_another_content_option_source_or_series_is_another_import(
    acme: Source, globex: Source, tmp_path: Path
) -> None:
    series = Series.objects.create(source=acme, project_id="proj_a", model="gpt-5.4")
    imported(acme, tmp_path)
    imported(acme, tmp_path, lines(replay()[:-1]))
    imported(acme, tmp_path, log_format="generic")
    imported(acme, tmp_path, by=("arm",))
    imported(acme, tmp_path, series=series)
    imported(globex, tmp_path)
    assert EvidenceImport.objects.count() == 6


def test_an_import_of_an_older_version_is_read_again_in_its_place(
    acme: Source, tmp_path: Path
) -> None:
    first = imported(acme, tmp_path)
    EvidenceImport.objects.update(rules_version="0.1", document={})
    again = imported(acme, tmp_path, minutes=5)
    assert (again.row.pk, again.created) == (first.row.pk, True)
    assert again.row.document["requests"] == 33


def test_what_older_rules_found_stays_where_these_cannot_read_the_log(
    acme: Source, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = imported(acme, tmp_path).row
    EvidenceImport.objects.update(rules_version="requests-0")
    monkeypatch.setattr(services, "read", lambda *_: iter(()))
    with pytest.raises(LogRefused):
        imported(acme, tmp_path, minutes=5)
    kept = EvidenceImport.objects.get()
    assert (kept.pk, kept.state, kept.document) == (first.pk, "done", first.document)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "replay.jsonl: it is empty"),
        (b'{"a": 1}\n', "its format is not recognised"),
        (b'{"input_tokens": -1, "cached_input_tokens": 0}\n', "no request could be read"),
    ],
)
def test_of_a_log_that_cannot_be_imported_nothing_is_kept(
    acme: Source, tmp_path: Path, content: bytes, said: str
) -> None:
    with pytest.raises(LogRefused, match=said):
        imported(acme, tmp_path, content)
    assert EvidenceImport.objects.count() == 0


def test_a_column_that_is_not_there_is_refused_by_the_name_of_the_option(
    acme: Source, tmp_path: Path
) -> None:
    with pytest.raises(BadOption, match="there is no column 'region'") as refused:
        imported(acme, tmp_path, by=("region",))
    assert refused.value.name == "by"
    assert EvidenceImport.objects.count() == 0


def test_a_column_of_very_many_values_is_no_comparison(acme: Source, tmp_path: Path) -> None:
    rows = [row | {"session": f"s{n}"} for n, row in enumerate(replay() * 7)]
    with pytest.raises(BadOption, match="session: 231 different values, and at most 200 arms"):
        imported(acme, tmp_path, lines(rows), by=("session",))


def test_a_fault_of_our_own_fails_the_import_and_the_next_try_heals_it(
    acme: Source, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(services, "stored_document", None)
        broken.setattr(services, "analyse_each", None)
        with pytest.raises(TypeError):
            imported(acme, tmp_path)
    row = EvidenceImport.objects.get()
    assert (row.state, row.error) == ("failed", services.FAILED_HERE)
    assert imported(acme, tmp_path).row.pk == row.pk
    row.refresh_from_db()
    assert (row.state, row.error) == ("done", "")


def test_an_import_whose_process_died_is_failed_by_the_next_look(
    acme: Source, tmp_path: Path
) -> None:
    row = imported(acme, tmp_path).row
    EvidenceImport.objects.update(state="running")
    assert fail_dead([acme.pk], now=at(HOUR, 3)) == 1
    assert fail_dead([acme.pk], now=at(HOUR, 4)) == 0
    row.refresh_from_db()
    assert (row.state, row.error, row.finished_at) == ("failed", services.ENDED_EARLY, at(HOUR, 3))


@pytest.mark.django_db(transaction=True)
def test_an_import_that_another_process_reads_is_neither_failed_nor_read_twice(
    tmp_path: Path, acme: Source
) -> None:
    row = imported(acme, tmp_path).row
    EvidenceImport.objects.update(state="running")
    number = services._LOCK | (int(row.content_key[:12], 16) ^ acme.pk)
    with psycopg.connect(_dsn()) as other:
        other.execute("SELECT pg_advisory_lock(%s)", [number])
        assert fail_dead([acme.pk], now=at(HOUR, 3)) == 0
        again = imported(acme, tmp_path)
        assert (again.created, again.row.state) == (False, "running")
        other.execute("SELECT pg_advisory_unlock(%s)", [number])
    assert fail_dead([acme.pk], now=at(HOUR, 3)) == 1


def _dsn() -> str:
    told = connection.settings_dict
    names = {"host": "HOST", "port": "PORT", "user": "USER", "password": "PASSWORD"}
    parts = {name: told[key] for name, key in names.items() if told[key]}
    return psycopg.conninfo.make_conninfo(dbname=told["NAME"], **parts)


def test_an_upload_that_ends_early_or_is_too_large_is_refused(tmp_path: Path) -> None:
    with (
        pytest.raises(UploadRefused, match="ended before all of the log had come"),
        received(io.BytesIO(b"abc"), 4, tmp_path),
    ):
        pass
    with (
        pytest.raises(UploadRefused, match="larger than 1,024 MiB") as refused,
        received(io.BytesIO(b""), MOST_BYTES + 1, tmp_path),
    ):
        pass
    assert refused.value.too_large


def test_a_large_upload_has_no_name_on_disk_and_is_gone_afterwards(tmp_path: Path) -> None:
    size = 5 * 1024**2
    with received(io.BytesIO(b"x" * size), size, tmp_path / "uploads") as upload:
        assert upload.size == len(upload.file.read()) == size
        assert list((tmp_path / "uploads").iterdir()) == []
    assert list((tmp_path / "uploads").iterdir()) == []
