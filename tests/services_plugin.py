"""pytest plugin: a throw-away Postgres and Valkey for the whole run, in a temporary folder.

It starts before Django's settings load, hands the addresses and test secrets over in the
environment, and deletes everything at the end. The product's own `.local` folder, DATABASE_URL and
REDIS_URL are never used; TEST_DATABASE_URL and TEST_REDIS_URL name servers to use instead.
With xdist the controller starts Postgres once, and each worker a broker of its own. Nothing is
written to disk on purpose (fsync off).

`--no-services` starts nothing and leaves out every test that needs more than its own process: the
fast loop. The addresses are set all the same, and do not answer.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest

from cachewatch.embedded.binaries import find_postgres, find_valkey
from cachewatch.embedded.errors import EmbeddedError
from cachewatch.embedded.postgres import Postgres
from cachewatch.embedded.services import DATABASE, create_database
from cachewatch.embedded.valkey import Valkey
from cachewatch.environment import VARIABLES

# The folder of the process that started the servers; xdist workers find it in their environment.
FOLDER_VARIABLE = "CACHEWATCH_TEST_FOLDER"
TEST_SECRETS = {
    "CACHEWATCH_SECRET_KEY": "test-secret-key-of-no-value",
    "CACHEWATCH_FIELD_KEYS": "dGVzdC1maWVsZC1rZXktb2Ytbm8tdmFsdWUtMTIzNDU=",
    "CACHEWATCH_HASH_KEY": "test-hash-key-of-no-value",
}

_SERVICE_FIXTURES = {"db", "transactional_db", "live_server", "admin_client", "admin_user"}
_MORE = ("django_db", "browser", "worker", "stack")
_to_stop: list[Postgres | Valkey] = []
_to_delete: list[Path] = []


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the option that starts nothing."""
    parser.addoption(
        "--no-services", action="store_true", help="start no Postgres and no Valkey for the tests"
    )


# A wrapper runs before pytest-django's own hook, which loads the settings.
@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(
    early_config: pytest.Config, args: list[str]
) -> Generator[None, object, object]:
    """Start the servers, or take over the ones of the controlling process."""
    options = early_config.known_args_namespace
    try:
        if os.environ.get("PYTEST_XDIST_WORKER"):
            _join()
        elif not options.help and not options.version:
            _forget_the_users_settings()
            _begin(with_services="--no-services" not in args)
    except EmbeddedError as error:
        pytest_unconfigure()
        raise pytest.UsageError(f"the tests' services did not start: {error}") from error
    return (yield)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With --no-services, leave out the tests that need services, a browser or processes."""
    if not config.getoption("--no-services"):
        return
    left_out = [item for item in items if _needs_more(item)]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


def pytest_unconfigure() -> None:
    """Stop and delete what this process started."""
    while _to_stop:
        _to_stop.pop().stop()
    while _to_delete:
        shutil.rmtree(_to_delete.pop(), ignore_errors=True)


def _begin(*, with_services: bool) -> None:
    """Set the whole environment; TEST_ variables replace a server of ours."""
    folder = Path(tempfile.mkdtemp(prefix="cachewatch-tests-"))
    _to_delete.append(folder)
    folder.chmod(0o711)  # as root, Postgres runs as another user and must get in
    os.environ |= TEST_SECRETS | {
        "CACHEWATCH_LOCAL_DIR": str(folder / "local"),
        "DATABASE_URL": f"postgresql://postgres@/{DATABASE}?host={folder}",
        "REDIS_URL": f"unix://{folder}/valkey.sock",
        # Where the tests' own usage APIs listen.
        "CACHEWATCH_SOURCE_NETWORKS": "127.0.0.1",
        # Playwright keeps an event loop running for the rest of a process in which a browser test
        # ran; Django would take every later query for one from async code.
        "DJANGO_ALLOW_ASYNC_UNSAFE": "true",
    }
    if with_services:
        os.environ[FOLDER_VARIABLE] = str(folder)
        os.environ["DATABASE_URL"] = os.environ.get("TEST_DATABASE_URL") or _start_postgres(folder)
        os.environ["REDIS_URL"] = os.environ.get("TEST_REDIS_URL") or _start_valkey(folder)


def _join() -> None:
    """Take the controller's database server, where pytest-django makes each worker a database, and
    start an own broker: queues have no such separation.
    """
    folder = os.environ.get(FOLDER_VARIABLE)
    if folder and not os.environ.get("TEST_REDIS_URL"):
        os.environ["REDIS_URL"] = _start_valkey(Path(tempfile.mkdtemp(dir=folder)))


def _start_postgres(folder: Path) -> str:
    server = Postgres(find_postgres(), folder, folder / "postgres.log", durable=False)
    _to_stop.append(server)
    server.start()
    create_database(server.url("postgres"), DATABASE)
    return server.url(DATABASE)


def _start_valkey(folder: Path) -> str:
    server = Valkey(find_valkey(), folder, folder / "valkey.log", durable=False)
    _to_stop.append(server)
    server.start()
    return server.url


def _needs_more(item: pytest.Item) -> bool:
    fixtures = set(getattr(item, "fixturenames", ()))
    return bool(fixtures & _SERVICE_FIXTURES) or any(map(item.get_closest_marker, _MORE))


def _forget_the_users_settings() -> None:
    """The tests' outcome must not hang on what the caller's shell exports."""
    os.environ.pop(FOLDER_VARIABLE, None)
    for variable in VARIABLES:
        os.environ.pop(variable.name, None)
        os.environ.pop(f"{variable.name}_FILE", None)
