"""A throw-away Postgres and Valkey in a temporary folder, and Django set up on them.

The settings are those of the product: its servers as `cachewatch run` starts them, durable.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.timing import Clock, with_servers
from cachewatch.embedded.binaries import find_postgres, find_valkey
from cachewatch.embedded.postgres import Postgres
from cachewatch.embedded.services import DATABASE, create_database
from cachewatch.embedded.valkey import Valkey
from cachewatch.environment import VARIABLES

SECRETS = {
    "CACHEWATCH_SECRET_KEY": "bench-secret-key-of-no-value",
    "CACHEWATCH_FIELD_KEYS": "YmVuY2gtZmllbGQta2V5LW9mLW5vLXZhbHVlLTEyMzQ=",
    "CACHEWATCH_HASH_KEY": "bench-hash-key-of-no-value",
}
# What is measured is the work of an answer; one client asks for far more than a person would.
NO_LIMITS = {
    f"CACHEWATCH_{whose}_REQUESTS_PER_MINUTE": "0" for whose in ("ADDRESS", "CALLER", "COSTLY")
}


@dataclass(frozen=True)
class Servers:
    """The servers of one bench run."""

    folder: Path
    postgres: Postgres
    valkey: Valkey

    @property
    def cpu(self) -> Clock:
        """Processor time of this process and of Postgres."""
        return with_servers(self.postgres.pid or 0)

    @property
    def environment(self) -> dict[str, str]:
        """What another process needs to work on the same database and broker."""
        return (
            SECRETS
            | NO_LIMITS
            | {
                "CACHEWATCH_LOCAL_DIR": str(self.folder / "local"),
                "DATABASE_URL": self.postgres.url(DATABASE),
                "REDIS_URL": self.valkey.url,
            }
        )


@contextmanager
def servers() -> Iterator[Servers]:
    """Start them with an empty, migrated database; stop and delete everything at the end."""
    folder = Path(tempfile.mkdtemp(prefix="cachewatch-bench-"))
    folder.chmod(0o711)  # as root, Postgres runs as another user and must get in
    postgres = Postgres(find_postgres(), folder, folder / "postgres.log")
    valkey = Valkey(find_valkey(), folder, folder / "valkey.log", durable=False)
    try:
        postgres.start()
        valkey.start()
        create_database(postgres.url("postgres"), DATABASE)
        started = Servers(folder, postgres, valkey)
        _set_up_django(started)
        yield started
    finally:
        _disconnect()
        valkey.stop()
        postgres.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _set_up_django(started: Servers) -> None:
    """Django's settings load once in a process: later servers take the place of earlier ones."""
    for variable in VARIABLES:
        os.environ.pop(variable.name, None)
    os.environ |= started.environment | {
        "DJANGO_SETTINGS_MODULE": "cachewatch.settings",
        "CACHEWATCH_LOG_LEVEL": "WARNING",
    }
    is_first = "django.conf" not in sys.modules or not _configured()
    import django

    django.setup()
    if not is_first:
        _use(started)
    from django.core.management import call_command

    call_command("migrate", verbosity=0)


def _configured() -> bool:
    from django.conf import settings

    return settings.configured


def _use(started: Servers) -> None:
    from django.db import connection

    from cachewatch.environment_values import database_settings

    connection.close()
    connection.settings_dict |= database_settings(started.postgres.url(DATABASE))


def _disconnect() -> None:
    if "django.db" in sys.modules:
        from django.db import connections

        connections.close_all()
