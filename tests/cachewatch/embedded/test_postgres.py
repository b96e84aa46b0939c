import os
import signal
import stat
import subprocess
import time
from pathlib import Path

import pytest

from cachewatch.embedded import locks
from cachewatch.embedded.binaries import find_postgres
from cachewatch.embedded.errors import EmbeddedError
from cachewatch.embedded.services import create_database
from tests.cachewatch.embedded.conftest import SOMEBODY, rows

pytestmark = pytest.mark.stack
MAJOR = find_postgres().major
NOTES = ("postmaster.pid", ".s.PGSQL.5432.lock")
START_AND_WAIT = """
import sys, time
from pathlib import Path
from cachewatch.embedded.binaries import find_postgres
from cachewatch.embedded.postgres import Postgres
folder = Path(sys.argv[1])
server = Postgres(find_postgres(), folder, folder / "logs" / "postgres.log", durable=False)
server.start()
print(server.pid, flush=True)
time.sleep(600)
"""


@pytest.fixture
def note_of():
    """Leaves in a stopped server's folder what names a process of its user as the server."""
    made = []

    def write(server, names, program, cwd):
        process = subprocess.Popen(program, cwd=cwd, user=server.data_folder.stat().st_uid)
        made.append(process)
        for name in names:
            (server.data_folder / name).write_text(f"{process.pid}\n{server.data_folder}\n")
        return process

    yield write
    for process in made:
        process.kill()
        process.wait()


def controlled_state(folder: Path) -> str:
    program = find_postgres().folder / "pg_controldata"
    answer = subprocess.run(
        [program, folder / f"pg{MAJOR}"], capture_output=True, text=True, check=True
    )
    return next(line for line in answer.stdout.splitlines() if "cluster state" in line)


def ended(pid: int) -> bool:
    """Whether the process is gone, a zombie that nobody reaps included."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except FileNotFoundError:
        return True


def test_the_first_start_makes_a_durable_database_and_a_stop_is_clean(open_folder, postgres):
    server = postgres(open_folder, durable=True)
    server.start()
    url = server.url("postgres")
    assert rows(url, "SHOW fsync") == [("on",)]
    assert rows(url, "SHOW synchronous_commit") == [("on",)]
    assert rows(url, "SHOW listen_addresses") == [("",)]
    assert rows(url, "SHOW server_encoding") == [("UTF8",)]
    server.stop()
    assert controlled_state(open_folder).endswith("shut down")
    assert stat.S_IMODE(server.data_folder.stat().st_mode) == 0o700


def test_a_second_start_finds_the_rows_of_the_first(open_folder, postgres):
    first = postgres(open_folder)
    first.start()
    create_database(first.url("postgres"), "kept")
    rows(first.url("kept"), "CREATE TABLE seen AS SELECT generate_series(1, 1000) AS n")
    first.stop()
    second = postgres(open_folder)
    second.start()
    create_database(second.url("postgres"), "kept")
    assert rows(second.url("kept"), "SELECT count(*), sum(n) FROM seen") == [(1000, 500500)]


def test_rows_outlive_a_kill_of_the_server(open_folder, postgres):
    server = postgres(open_folder, durable=True)
    server.start()
    rows(server.url("postgres"), "CREATE TABLE seen AS SELECT generate_series(1, 1000) AS n")
    os.kill(server.pid, signal.SIGKILL)
    while server.pid is not None:
        time.sleep(0.01)
    server.start()
    assert rows(server.url("postgres"), "SELECT count(*) FROM seen") == [(1000,)]


@pytest.mark.parametrize("name", NOTES)
@pytest.mark.parametrize("program", [["true"], ["sleep", "600"]])
def test_the_note_of_a_killed_server_does_not_stop_the_next_start(
    open_folder, postgres, program, name, note_of
):
    server = postgres(open_folder)
    server.start()
    server.stop()
    # Its id is that of a dead process that nobody has waited for, or of another program.
    process = note_of(server, [name], program, cwd="/")
    while program == ["true"] and not ended(process.pid):
        time.sleep(0.01)
    server.start()
    assert rows(server.url("postgres"), "SELECT 1") == [(1,)]


def test_a_server_that_was_started_by_hand_is_left_alone(open_folder, postgres, note_of):
    server = postgres(open_folder)
    server.start()
    server.stop()
    process = note_of(server, NOTES, ["sleep", "600"], cwd=server.data_folder)
    with pytest.raises(EmbeddedError, match=rf"Is another postmaster \(PID {process.pid}\)"):
        server.start()


def test_the_server_ends_with_the_process_that_started_it(open_folder, postgres, other_process):
    process = other_process(START_AND_WAIT, open_folder)
    pid = int(process.first_line)
    assert not ended(pid)
    process.kill()
    process.wait()
    server = postgres(open_folder)
    server.start()  # waits for the lock that the old server still holds while it stops
    assert ended(pid)
    assert server.pid != pid


def test_a_second_process_is_refused_by_the_id_of_the_first(
    open_folder, postgres, other_process, monkeypatch
):
    process = other_process(START_AND_WAIT, open_folder)
    monkeypatch.setattr(locks, "_LEFT_OVER_SECONDS", 0.1)
    with pytest.raises(EmbeddedError, match=r"another process uses .*process id: .*\b") as caught:
        postgres(open_folder).start()
    assert str(process.pid) in str(caught.value)
    assert not ended(int(process.first_line))


def test_data_of_another_major_version_is_refused_and_left_alone(open_folder, postgres):
    data = open_folder / f"pg{MAJOR}"
    data.mkdir()
    (data / "PG_VERSION").write_text("9\n")
    with pytest.raises(EmbeddedError, match=rf"was written by Postgres 9 and .* is {MAJOR}\."):
        postgres(open_folder).start()
    assert [path.name for path in data.iterdir()] == ["PG_VERSION"]


def test_no_empty_database_is_made_beside_data_of_an_older_version(open_folder, postgres):
    older = open_folder / f"pg{MAJOR - 1}"
    older.mkdir()
    (older / "PG_VERSION").write_text(f"{MAJOR - 1}\n")
    with pytest.raises(EmbeddedError, match=rf"pg{MAJOR - 1} was written by Postgres {MAJOR - 1}"):
        postgres(open_folder).start()
    assert not (open_folder / f"pg{MAJOR}").exists()


def test_an_interrupted_first_start_is_made_anew(open_folder, postgres):
    half_made = open_folder / f"pg{MAJOR}.new"
    half_made.mkdir()
    (half_made / "PG_VERSION").write_text(f"{MAJOR}\n")
    server = postgres(open_folder)
    server.start()
    assert rows(server.url("postgres"), "SELECT 1") == [(1,)]
    assert not half_made.exists()


def test_a_path_too_long_for_a_socket_still_works(open_folder, postgres):
    server = postgres(open_folder / ("long-" * 12) / ("name-" * 12))
    server.start()
    assert rows(server.url("postgres"), "SELECT 1") == [(1,)]
    socket_folder = Path(server.url("postgres").split("host=")[1])
    assert socket_folder != server.data_folder
    assert stat.S_IMODE(socket_folder.stat().st_mode) == 0o700
    server.stop()
    assert not socket_folder.exists()


def test_a_server_that_cannot_start_says_why(open_folder, postgres):
    server = postgres(open_folder)
    server.start()
    server.stop()
    (server.data_folder / "postgresql.conf").write_text("no_such_setting = 1\n")
    with pytest.raises(EmbeddedError, match=r"did not start.*(?s:.*)no_such_setting"):
        server.start()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has to become somebody else")
def test_as_root_the_server_runs_as_another_user(open_folder, postgres):
    server = postgres(open_folder)
    server.start()
    assert Path(f"/proc/{server.pid}").stat().st_uid != 0
    assert server.data_folder.stat().st_uid != 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has to become somebody else")
def test_as_root_below_a_private_folder_the_files_stay_roots(private_folder, postgres):
    server = postgres(private_folder)
    try:
        server.start()
    except EmbeddedError as error:
        if "allows no user namespaces" in str(error):
            pytest.skip(str(error))
        raise
    assert rows(server.url("postgres"), "SELECT 1") == [(1,)]
    assert server.data_folder.stat().st_uid == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has to become somebody else")
def test_as_root_a_folder_that_became_private_goes_on_working(open_folder, postgres):
    server = postgres(open_folder)
    server.start()
    rows(server.url("postgres"), "CREATE TABLE seen AS SELECT 1 AS n")
    server.stop()
    open_folder.chmod(0o700)
    try:
        server.start()
    except EmbeddedError as error:
        if "allows no user namespaces" in str(error):
            pytest.skip(str(error))
        raise
    assert rows(server.url("postgres"), "SELECT n FROM seen") == [(1,)]
    server.stop()
    open_folder.chmod(0o755)
    server.start()
    assert rows(server.url("postgres"), "SELECT n FROM seen") == [(1,)]


def test_a_normal_user_runs_it_below_a_private_folder(private_folder, other_process):
    options = as_somebody(private_folder)
    process = other_process(START_AND_WAIT, private_folder / "local", **options)
    assert Path(f"/proc/{int(process.first_line)}").stat().st_uid == options.get(
        "user", os.geteuid()
    )


@pytest.mark.skipif(os.geteuid() != 0, reason="needs files of somebody else, which root can make")
def test_a_normal_user_is_told_whose_the_data_is(open_folder, postgres, other_process):
    server = postgres(open_folder)
    server.start()
    server.stop()
    code = START_AND_WAIT.replace(
        "server.start()",
        "try: server.start()\nexcept Exception as error: print(type(error).__name__, error)",
    )
    process = other_process(code, open_folder, **SOMEBODY)
    assert process.first_line.startswith("EmbeddedError")
    assert "belongs to another user: run as that user" in process.first_line


def as_somebody(folder: Path) -> dict[str, object]:
    """Popen options of a normal user who owns the folder; nothing where we are one."""
    if os.geteuid() != 0:
        return {}
    program = find_postgres().folder / "postgres"
    if any(not path.stat().st_mode & stat.S_IXOTH for path in program.parents):
        pytest.skip(f"other users may not reach {program}: the project lies in a private folder")
    os.chown(folder, SOMEBODY["user"], SOMEBODY["group"])
    return SOMEBODY
