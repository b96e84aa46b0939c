"""The folder for uploads: what is written stays, what nobody waits for goes."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from cachewatch.evidence import spool
from cachewatch.evidence.spool import UploadRefused, discard, incoming, is_there, sweep

ROOT = Path(__file__).parents[3]


def nobody(_place: str) -> bool:
    return False


def test_an_upload_that_is_not_kept_leaves_nothing(tmp_path: Path) -> None:
    with incoming(tmp_path) as upload:
        upload.begin("a.jsonl")
        upload.add(b"abc")
        assert len(list(tmp_path.iterdir())) == 1
    assert list(tmp_path.iterdir()) == []


def test_an_upload_that_is_kept_is_there_until_it_is_discarded(tmp_path: Path) -> None:
    with incoming(tmp_path) as upload:
        upload.begin("a.jsonl")
        upload.add(b"abc")
        upload.begin("b.jsonl")
        upload.add(b"defg")
        upload.kept = True
    assert [(one.name, one.size) for one in upload.files] == [("a.jsonl", 3), ("b.jsonl", 4)]
    assert is_there(tmp_path, upload.files)
    discard(tmp_path, upload.files)
    discard(tmp_path, upload.files)
    assert not is_there(tmp_path, upload.files)


def test_what_nobody_waits_for_is_swept_and_what_is_awaited_or_no_upload_stays(
    tmp_path: Path,
) -> None:
    for name in ("awaited.upload", "left.upload", "notes.txt"):
        (tmp_path / name).write_bytes(b"x")
    assert sweep(tmp_path, lambda place: place == "awaited.upload") == 1
    assert sorted(one.name for one in tmp_path.iterdir()) == ["awaited.upload", "notes.txt"]


def test_what_cannot_be_opened_keeps_no_other_from_being_swept(tmp_path: Path) -> None:
    for name in ("a.upload", "c.upload"):
        (tmp_path / name).write_bytes(b"x")
    (tmp_path / "b.upload").mkdir()
    assert sweep(tmp_path, nobody) == 2
    assert [one.name for one in tmp_path.iterdir()] == ["b.upload"]


def test_what_is_being_written_is_not_swept_and_what_a_killed_server_left_is(
    tmp_path: Path,
) -> None:
    writes = textwrap.dedent("""
        import sys, time
        from pathlib import Path
        from cachewatch.evidence.spool import incoming
        with incoming(Path(sys.argv[1])) as upload:
            upload.begin("a.jsonl")
            print("begun", flush=True)
            time.sleep(60)
    """)
    process = subprocess.Popen(
        [sys.executable, "-c", writes, str(tmp_path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "cachewatch.settings"},
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        assert sweep(tmp_path, nobody) == 0
        process.send_signal(signal.SIGKILL)
    assert sweep(tmp_path, nobody) == 1


def test_an_upload_of_too_many_bytes_or_files_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spool, "MOST_BYTES", 5 * 1024**2)
    with incoming(tmp_path) as upload:
        upload.begin("a.jsonl")
        upload.add(b"x" * 4 * 1024**2)
        upload.begin("b.jsonl")
        with pytest.raises(UploadRefused, match="larger than 5 MiB") as refused:
            upload.add(b"x" * 2 * 1024**2)
        assert refused.value.too_large
        for number in range(spool.MOST_FILES - 2):
            upload.begin(f"{number}.jsonl")
        with pytest.raises(UploadRefused, match="100 files at most"):
            upload.begin("one more.jsonl")


def test_a_log_is_taken_where_twice_its_size_is_free_and_a_reserve(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spool, "LEAST_FREE_BYTES", 0)
    size = shutil.disk_usage(tmp_path).free
    monkeypatch.setattr(spool, "MOST_BYTES", size)
    with incoming(tmp_path, size // 4):
        pass
    with pytest.raises(UploadRefused, match=r"the disk of the folder .* make room") as refused:
        incoming(tmp_path, size).__enter__()
    assert refused.value.unusable


def test_an_upload_ends_where_others_fill_the_disk_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with incoming(tmp_path) as upload:
        upload.begin("a.jsonl")
        monkeypatch.setattr(spool, "LEAST_FREE_BYTES", 10**9 * 1024**3)
        with pytest.raises(UploadRefused, match=r"taken from 1,000,000,000\.0 GiB on"):
            upload.add(b"abc")
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_taken_where_too_much_waits_and_the_next_is_once_some_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spool, "MOST_WAITING_BYTES", 2)
    with incoming(tmp_path) as first:
        first.begin("a.jsonl")
        first.add(b"abc")
        first.kept = True
    with pytest.raises(UploadRefused, match=r"0\.0 GiB of logs wait to be read") as refused:
        incoming(tmp_path).__enter__()
    assert refused.value.unusable
    discard(tmp_path, first.files)
    with incoming(tmp_path):
        pass


def test_a_folder_that_cannot_be_used_is_said_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(UploadRefused, match=r"cannot be used \(not a directory\)") as refused,
        incoming(tmp_path / "file" / "uploads"),
    ):
        pass
    assert refused.value.unusable
