import os
import signal
import stat
import time
from pathlib import Path

import pytest
import redis

from cachewatch.embedded import locks
from cachewatch.embedded.errors import EmbeddedError

pytestmark = pytest.mark.stack


def test_what_was_written_outlives_a_stop_and_a_kill(open_folder, valkey):
    server = valkey(open_folder)
    server.start()
    with redis.Redis.from_url(server.url) as client:
        client.set("stopped", "kept")
    server.stop()
    server.start()
    with redis.Redis.from_url(server.url) as client:
        assert client.get("stopped") == b"kept"
        client.set("killed", "kept")
        deadline = time.monotonic() + 30
        while client.info("persistence")["aof_pending_bio_fsync"] and time.monotonic() < deadline:
            time.sleep(0.05)
    os.kill(server.pid, signal.SIGKILL)
    while server.pid is not None:
        time.sleep(0.01)
    server.start()
    with redis.Redis.from_url(server.url) as client:
        assert client.get("killed") == b"kept"


def test_only_its_owner_may_connect(open_folder, valkey):
    server = valkey(open_folder)
    server.start()
    assert stat.S_IMODE(server.data_folder.stat().st_mode) == 0o700
    with redis.Redis.from_url(server.url) as client:
        assert client.config_get("port") == {"port": "0"}


def test_a_path_too_long_for_a_socket_still_works(open_folder, valkey):
    server = valkey(open_folder / ("long-" * 12) / ("name-" * 12))
    server.start()
    with redis.Redis.from_url(server.url) as client:
        assert client.ping() is True
    socket_folder = Path(server.url.removeprefix("unix://")).parent
    assert socket_folder != server.data_folder
    server.stop()
    assert not socket_folder.exists()


def test_a_second_server_on_the_folder_is_refused(open_folder, valkey, monkeypatch):
    valkey(open_folder).start()
    monkeypatch.setattr(locks, "_LEFT_OVER_SECONDS", 0.1)
    with pytest.raises(EmbeddedError, match="another process uses"):
        valkey(open_folder).start()
