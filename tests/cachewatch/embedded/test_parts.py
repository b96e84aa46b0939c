import os
import signal
import socket
import stat
import subprocess
import tempfile
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from cachewatch.embedded.errors import EmbeddedError
from cachewatch.embedded.listening import listen
from cachewatch.embedded.local_secrets import ensure_secrets
from cachewatch.embedded.locks import FolderLock, holders
from cachewatch.embedded.processes import keep_log_small, last_lines
from cachewatch.embedded.run import kill_left_overs
from cachewatch.embedded.sockets import PATH_LIMIT_BYTES, socket_folder


def test_a_left_over_that_ended_by_itself_meanwhile_is_passed_over():
    with subprocess.Popen(["sleep", "60"]) as other, subprocess.Popen(["true"]) as ended:
        ended.wait()
        kill_left_overs([ended.pid, other.pid])
        assert other.wait() == -signal.SIGKILL


def test_a_lock_is_free_only_when_the_last_heir_is_gone(tmp_path):
    lock = FolderLock(tmp_path / "x.lock")
    assert lock.acquire()
    with subprocess.Popen(["sleep", "60"], pass_fds=[lock.fd]) as child:
        lock.release()
        other = FolderLock(tmp_path / "x.lock")
        assert not other.acquire()
        assert holders(tmp_path / "x.lock") == [child.pid]
        child.kill()
        child.wait()
        assert other.acquire(5)
        other.release()


def test_secrets_are_made_once_and_only_their_owner_reads_them(tmp_path):
    ensure_secrets(tmp_path)
    folder = tmp_path / "secrets"
    first = {path.name: path.read_text() for path in folder.iterdir()}
    assert sorted(first) == ["field_keys", "hash_key", "secret_key"]
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    ensure_secrets(tmp_path)
    assert {path.name: path.read_text() for path in folder.iterdir()} == first


def test_the_generated_field_key_encrypts(tmp_path):
    ensure_secrets(tmp_path)
    key = Fernet((tmp_path / "secrets" / "field_keys").read_text().strip())
    assert key.decrypt(key.encrypt(b"sk-admin")) == b"sk-admin"


def test_a_socket_lies_beside_its_data_where_the_path_fits():
    folder = Path("/" + "x" * (PATH_LIMIT_BYTES - len("/a.sock") - 1))
    assert socket_folder(folder, "a.sock") == folder
    with tempfile.TemporaryDirectory(dir="/tmp") as base:
        elsewhere = socket_folder(Path(base, "y" * PATH_LIMIT_BYTES), "a.sock")
    assert len(os.fsencode(elsewhere / "a.sock")) <= PATH_LIMIT_BYTES
    assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o700
    elsewhere.rmdir()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a folder of somebody else")
def test_a_socket_folder_that_somebody_else_made_is_refused(tmp_path):
    data_folder = tmp_path / ("z" * PATH_LIMIT_BYTES)
    folder = socket_folder(data_folder, "a.sock")
    os.chown(folder, 12345, -1)
    with pytest.raises(EmbeddedError, match="made by somebody else"):
        socket_folder(data_folder, "a.sock")
    folder.rmdir()


def test_a_taken_port_is_named_and_says_what_to_set():
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(EmbeddedError) as caught:
            listen("127.0.0.1", port)
    assert str(caught.value) == (
        f"127.0.0.1:{port} is taken by another program; set PORT to a free one"
    )


def test_an_address_of_another_machine_is_refused():
    with pytest.raises(EmbeddedError, match="is not an address of this machine"):
        listen("192.0.2.1", 0)


def test_a_log_that_outgrew_its_limit_moves_aside_and_its_writer_goes_on(tmp_path):
    log = tmp_path / "web.log"
    with log.open("ab", buffering=0) as writer:
        writer.write(b"x" * 101)
        keep_log_small(log, limit_bytes=100)
        writer.write(b"later\n")
    assert log.read_bytes() == b"later\n"
    assert (tmp_path / "web.log.1").read_bytes() == b"x" * 101


def test_the_end_of_a_log_is_short(tmp_path):
    log = tmp_path / "web.log"
    log.write_text("".join(f"line {n}\n" for n in range(100)))
    assert last_lines(log, count=2) == "    line 98\n    line 99"
    assert last_lines(tmp_path / "none.log") == ""
