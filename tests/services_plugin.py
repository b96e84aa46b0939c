"""pytest plugin: a throw-away Postgres and Valkey for the whole run, in a temporary folder.

It starts before Django's settings load, hands the addresses and test secrets over in the
environment, and deletes everything at the end. The product's own `.local` folder, DATABASE_URL and
REDIS_URL are never used; TEST_DATABASE_URL and TEST_REDIS_URL name servers to use instead.
With xdist the controller starts the servers once. Nothing is written to disk on purpose (fsync off).

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

# Set by the process that started the servers; xdist workers and nested runs find it.
FOLDER_VARIABLE = "CACHEWATCH_TEST_FOLDER"
TEST_SECRETS = {
    "CACHEWATCH_SECRET_KEY": "test-secret-key-of-no-value",
    "CACHEWATCH_FIELD_KEYS": "dGVzdC1maWVsZC1rZXktb2Ytbm8tdmFsdWUtMTIzNDU=",
    "CACHEWATCH_HASH_KEY": "test-hash-key-of-no-value",
}

_SERVICE_FIXTURES = {"db", "transactional_db", "live_server", "admin_client", "admin_user"}
_MORE = ("django_db", "browser", "worker", "stack")


class TestServices:
    """The servers of one pytest run."""

    __test__ = False

    def __init__(self, *, wanted: bool) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="cachewatch-tests-"))
        self.folder.chmod(0o711)  # as root, Postgres runs as another user and must get in
        self._postgres: Postgres | None = None
        self._valkey: Valkey | None = None
        self._wanted = wanted

    def start(self) -> dict[str, str]:
        """Start what no TEST_ variable replaces; the variables that Django is to see."""
        try:
            return {
                "DATABASE_URL": os.environ.get("TEST_DATABASE_URL") or self._start_postgres(),
                "REDIS_URL": os.environ.get("TEST_REDIS_URL") or self._start_valkey(),
                "CACHEWATCH_LOCAL_DIR": str(self.folder / "local"),
                FOLDER_VARIABLE: str(self.folder),
                **TEST_SECRETS,
            }
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Stop and delete everything."""
        if self._valkey:
            self._valkey.stop()
        if self._postgres:
            self._postgres.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _start_postgres(self) -> str:
        if not self._wanted:
            return f"postgresql://postgres@/{DATABASE}?host={self.folder}"
        self._postgres = Postgres(
            find_postgres(), self.folder, self.folder / "postgres.log", durable=False
        )
        self._postgres.start()
        create_database(self._postgres.url("postgres"), DATABASE)
        return self._postgres.url(DATABASE)

    def _start_valkey(self) -> str:
        if not self._wanted:
            return f"unix://{self.folder}/valkey.sock"
        self._valkey = Valkey(find_valkey(), self.folder, self.folder / "valkey.log", durable=False)
        self._valkey.start()
        return self._valkey.url


_started: list[TestServices] = []


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
    if os.environ.get("PYTEST_XDIST_WORKER") and os.environ.get(FOLDER_VARIABLE):
        _own_redis_database()
    elif (
        not early_config.known_args_namespace.help and not early_config.known_args_namespace.version
    ):
        services = TestServices(wanted="--no-services" not in args)
        _started.append(services)
        _forget_the_users_settings()
        try:
            os.environ.update(services.start())
        except EmbeddedError as error:
            raise pytest.UsageError(f"the tests' services did not start: {error}") from error
    return (yield)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With --no-services, leave out the tests that need services, a browser or processes."""
    if not config.getoption("--no-services"):
        return
    kept = [item for item in items if not _needs_more(item)]
    config.hook.pytest_deselected(items=[item for item in items if _needs_more(item)])
    items[:] = kept


def _needs_more(item: pytest.Item) -> bool:
    fixtures = set(getattr(item, "fixturenames", ()))
    return bool(fixtures & _SERVICE_FIXTURES) or any(map(item.get_closest_marker, _MORE))


def pytest_unconfigure() -> None:
    """Stop what this process started."""
    while _started:
        _started.pop().stop()


def _forget_the_users_settings() -> None:
    """The tests' outcome must not hang on what the caller's shell exports."""
    for variable in VARIABLES:
        os.environ.pop(variable.name, None)
        os.environ.pop(f"{variable.name}_FILE", None)


def _own_redis_database() -> None:
    """Give each xdist worker a numbered database of the one broker."""
    number = int(os.environ["PYTEST_XDIST_WORKER"].removeprefix("gw")) + 1
    url = os.environ["REDIS_URL"]
    if url.startswith("unix://") and "?" not in url:
        os.environ["REDIS_URL"] = f"{url}?db={number}"
