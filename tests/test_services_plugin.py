"""The plugin in pytest runs of its own, as a person starts them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
pytestmark = pytest.mark.stack
INNER = """
import os
import pytest
from django.conf import settings
from django.core.cache import cache

@pytest.mark.django_db
@pytest.mark.parametrize("n", range(4))
def test_services(n, worker_id):
    from cachewatch.models import User
    assert User.objects.count() == 0
    cache.set("n", n)
    assert cache.get("n") == n
    with open(os.environ["SEEN"], "a") as seen:
        print(worker_id, settings.REDIS_URL, settings.DATABASES["default"]["NAME"],
              settings.LOCAL_DIR, file=seen)

def test_pure():
    assert settings.OPENAI_ADMIN_KEY is None
"""


def pytest_run(tmp_path: Path, *options: str, **variables: str) -> tuple[str, list[list[str]]]:
    """What an inner run printed, and the words that its tests noted down."""
    inner, seen = tmp_path / "test_inner.py", tmp_path / "seen"
    inner.write_text(INNER)
    seen.touch()
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    answer = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-c", ROOT / "pyproject.toml", *options, inner],
        cwd=ROOT,
        env=kept | {"SEEN": str(seen), "PYTHONPATH": str(ROOT)} | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    return answer.stdout, [line.split() for line in seen.read_text().splitlines()]


def test_the_callers_own_servers_and_keys_are_not_used_and_nothing_stays(tmp_path):
    said, seen = pytest_run(
        tmp_path,
        "-n0",
        DATABASE_URL="postgresql://nobody@127.0.0.1:1/none",
        REDIS_URL="redis://127.0.0.1:1/0",
        OPENAI_ADMIN_KEY="sk-admin-not-for-tests",
        PORT="not a port",
    )
    assert "5 passed" in said
    folders = {Path(local_folder).parent for *_others, local_folder in seen}
    assert [folder.exists() for folder in folders] == [False]


def test_each_worker_has_its_own_broker_and_database(tmp_path):
    said, seen = pytest_run(tmp_path, "-n2", "--dist", "each")
    assert "10 passed" in said
    brokers = {(worker, redis_url) for worker, redis_url, _name, _folder in seen}
    databases = {(worker, name) for worker, _redis_url, name, _folder in seen}
    assert len({url for _worker, url in brokers}) == len(brokers) == 2
    assert len({name for _worker, name in databases}) == len(databases) == 2
    assert len({folder for *_others, folder in seen}) == 1


def test_the_fast_loop_leaves_out_what_needs_a_server(tmp_path):
    said, seen = pytest_run(tmp_path, "-n0", "--no-services")
    assert "1 passed, 4 deselected" in said
    assert seen == []
