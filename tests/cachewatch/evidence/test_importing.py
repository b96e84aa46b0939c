"""A log becomes one document, however often it is sent and however an import ends."""

from __future__ import annotations

from pathlib import Path

import pytest
from celery.exceptions import SoftTimeLimitExceeded

from cachewatch.evidence.models import EvidenceImport
from cachewatch.evidence.services import (
    delete_import,
    is_waiting,
    reading,
    states,
)
from cachewatch.evidence.services import sweep_uploads as sweep
from ingest.models import Series, Source
from ingest.request_logs import LogRefused
from tests.cachewatch.evidence.logs import (
    FIRST_SECOND,
    imported,
    left_in,
    lines,
    read,
    replay,
    waiting,
)
from tests.factories import HOUR, at


def test_a_log_is_kept_as_its_findings(acme: Source, folder: Path) -> None:
    row = imported(acme, folder, name="C:\\logs\\of/replay.jsonl").row
    assert (row.state, row.error, row.file_name) == ("done", "", "replay.jsonl")
    assert (row.format, row.requests, row.duplicates, row.rejected_count) == ("generic", 33, 0, 0)
    assert row.verdict == row.document["findings"][0]["cause"] == "routing-scatter"
    told = row.document
    assert [arm["label"] for arm in told["arms"]] == ["no key", "key per request", "one stable key"]
    assert [arm["full"] for arm in told["arms"]] == [3, 0, 10]
    assert (told["first_at"], told["last_at"]) == (FIRST_SECOND, FIRST_SECOND + 640)
    assert (told["points_of"], len(told["points"]["time"])) == (33, 33)


def test_missed_tokens_and_requests_name_the_same_causes(acme: Source, folder: Path) -> None:
    told = imported(acme, folder).row.document
    missed = told["missed_tokens"]
    assert sum(missed["by_cause"].values()) == missed["total"] > 0
    assert missed["by_cause"].keys() == told["missed_requests"].keys()


def test_a_log_waits_in_a_private_folder_until_it_is_read_and_is_gone_then(
    acme: Source, folder: Path
) -> None:
    row = waiting(acme, folder).row
    (file,) = folder.iterdir()
    assert (folder.stat().st_mode & 0o777, file.stat().st_mode & 0o777) == (0o700, 0o600)
    assert (row.state, row.bytes_read, row.bytes_total) == ("queued", 0, len(lines(replay())))
    assert read(folder, 2) is False
    row.refresh_from_db()
    assert (row.state, row.spool, row.finished_at) == ("done", [], at(HOUR, 2))
    assert row.bytes_read == row.bytes_total
    assert left_in(folder) == 0


def test_logs_are_read_in_the_order_sent(acme: Source, folder: Path) -> None:
    second = waiting(acme, folder, lines(replay()[:-1]), minutes=2).row
    first = waiting(acme, folder, minutes=1).row
    assert read(folder) is True
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.state, second.state) == ("done", "queued")
    assert read(folder) is False


def test_several_files_are_one_log(acme: Source, folder: Path) -> None:
    rows = replay()
    row = imported(acme, folder, lines(rows[:10]), lines(rows[10:])).row
    assert (row.requests, row.verdict) == (33, "routing-scatter")
    assert row.document["duplicates"] == 0


def test_the_same_log_twice_is_one_import(acme: Source, folder: Path) -> None:
    first, again = imported(acme, folder), imported(acme, folder, name="other.jsonl", minutes=9)
    assert (first.is_new, again.is_new) == (True, False)
    assert first.row.pk == again.row.pk
    assert again.row.created_at == at(HOUR)
    assert left_in(folder) == 0


def test_the_same_log_twice_waits_once(acme: Source, folder: Path) -> None:
    assert waiting(acme, folder).is_new
    assert not waiting(acme, folder).is_new
    assert left_in(folder) == 1


def test_another_content_option_source_or_series_is_another_import(
    acme: Source, globex: Source, folder: Path
) -> None:
    series = Series.objects.create(source=acme, project_id="proj_a", model="gpt-5.4")
    imported(acme, folder)
    imported(acme, folder, lines(replay()[:-1]))
    imported(acme, folder, log_format="generic")
    imported(acme, folder, by=("arm",))
    imported(acme, folder, series=series)
    imported(globex, folder)
    assert EvidenceImport.objects.count() == 6


def test_an_import_of_an_older_version_is_read_again_in_its_place(
    acme: Source, folder: Path
) -> None:
    first = imported(acme, folder)
    EvidenceImport.objects.update(rules_version="0.1", document={})
    again = imported(acme, folder, minutes=5)
    assert (again.row.pk, again.is_new) == (first.row.pk, True)
    assert again.row.document["requests"] == 33


def test_what_older_rules_found_stays_where_these_cannot_read_the_log(
    acme: Source, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = imported(acme, folder).row
    EvidenceImport.objects.update(rules_version="requests-0")
    monkeypatch.setattr(reading, "read", lambda *_, **__: iter(()))
    imported(acme, folder, minutes=5)
    kept = EvidenceImport.objects.get()
    assert (kept.pk, kept.state, kept.document) == (first.pk, "done", first.document)
    assert (kept.error, kept.error_field) == (
        "replay.jsonl: no request was found in it",
        "file",
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"", "replay.jsonl: it is empty"), (b'{"a": 1}\n', "its format is not recognised")],
)
def test_what_is_no_log_is_refused_at_once_and_nothing_of_it_is_kept(
    acme: Source, folder: Path, content: bytes, said: str
) -> None:
    with pytest.raises(LogRefused, match=said):
        waiting(acme, folder, content)
    assert (EvidenceImport.objects.count(), left_in(folder)) == (0, 0)


@pytest.mark.parametrize(
    ("content", "by", "field", "said"),
    [
        (
            b'{"input_tokens": -1, "cached_input_tokens": 0}\n',
            (),
            "file",
            "replay.jsonl: no request could be read; replay.jsonl, line 1: ",
        ),
        (lines(replay()), ("region",), "by", "there is no column 'region' to compare by"),
        (
            lines(row | {"build": f"v{n}"} for n, row in enumerate(replay() * 2)),
            ("build",),
            "by",
            "column 'build' cannot be compared by: it has more than 64 different values",
        ),
        (
            lines(row | {"session": f"s{n}"} for n, row in enumerate(replay() * 7)),
            ("session",),
            "by",
            "session: 231 different values, and at most 200 arms",
        ),
    ],
)
def test_what_only_reading_tells_fails_the_import_with_the_field_to_blame(
    acme: Source, folder: Path, content: bytes, by: tuple[str, ...], field: str, said: str
) -> None:
    row = imported(acme, folder, content, by=by).row
    assert (row.state, row.error_field, left_in(folder)) == ("failed", field, 0)
    assert row.error.startswith(said)


def test_a_log_of_more_requests_than_memory_is_meant_for_is_refused(
    acme: Source, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MOST_REQUESTS", 32)
    row = imported(acme, folder).row
    assert (row.state, row.error_field) == ("failed", "file")
    assert row.error == "replay.jsonl: it holds more than 32 requests; send it in parts"
    monkeypatch.setattr(reading, "MOST_REQUESTS", 33)
    assert imported(acme, folder).row.state == "done"


@pytest.mark.parametrize(
    ("fault", "said"),
    [(TypeError(), states.FAILED_HERE), (SoftTimeLimitExceeded(), states.TOOK_TOO_LONG)],
)
def test_a_fault_of_our_own_fails_the_import_and_the_next_try_heals_it(
    acme: Source, folder: Path, monkeypatch: pytest.MonkeyPatch, fault: Exception, said: str
) -> None:
    def broken(*_: object) -> None:
        raise fault

    with monkeypatch.context() as patched:
        patched.setattr(reading, "shown_by", broken)
        with pytest.raises(type(fault)):
            imported(acme, folder)
    row = EvidenceImport.objects.get()
    assert (row.state, row.error, left_in(folder)) == ("failed", said, 0)
    assert imported(acme, folder).row.pk == row.pk
    row.refresh_from_db()
    assert (row.state, row.error) == ("done", "")


def test_an_upload_that_the_worker_does_not_find_says_what_to_share(
    acme: Source, folder: Path, tmp_path: Path
) -> None:
    row = waiting(acme, folder).row
    assert read(tmp_path / "elsewhere") is False
    row.refresh_from_db()
    assert (row.state, row.error) == ("failed", states.NOT_THERE)
    assert sweep(folder) == 1


def test_a_deleted_import_takes_its_upload_along_and_does_not_come_back(
    acme: Source, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    delete_import(waiting(acme, folder).row, folder)
    assert (left_in(folder), is_waiting()) == (0, False)
    row = waiting(acme, folder).row
    analyse = reading.shown_by

    def deleted_meanwhile(*given: object) -> object:
        delete_import(row, folder)
        return analyse(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(reading, "shown_by", deleted_meanwhile)
    assert read(folder) is False
    assert (EvidenceImport.objects.count(), left_in(folder)) == (0, 0)
