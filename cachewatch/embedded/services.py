"""The services the product needs: those that the environment names, else embedded ones."""

from __future__ import annotations

import contextlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path

import psycopg
from psycopg import sql

from cachewatch.embedded.binaries import find_postgres, find_valkey
from cachewatch.embedded.errors import EmbeddedError
from cachewatch.embedded.local_secrets import write_private
from cachewatch.embedded.named_services import check_broker, check_database
from cachewatch.embedded.postgres import Postgres
from cachewatch.embedded.valkey import Valkey
from cachewatch.environment import Environment

DATABASE = "cachewatch"


@dataclass(frozen=True)
class Addresses:
    """Where the database and the broker answer."""

    database_url: str
    redis_url: str


class Services:
    """Starts, watches and stops the embedded services that the environment leaves to us.

    `public_url` is where people find the product; commands beside it make their links with it.
    """

    def __init__(self, local_folder: Path, environment: Environment, public_url: str) -> None:
        logs = local_folder / "logs"
        self._public_url = public_url
        self._notice = local_folder / "services.json"
        self._database_url = environment.optional("DATABASE_URL")
        self._redis_url = environment.optional("REDIS_URL")
        self.postgres = (
            None
            if self._database_url
            else Postgres(find_postgres(), local_folder, logs / "postgres.log")
        )
        self.valkey = (
            None if self._redis_url else Valkey(find_valkey(), local_folder, logs / "valkey.log")
        )

    def start(self) -> Addresses:
        """Start what is ours, make the database, and leave a notice for `manage.py` of this folder.

        Raises EmbeddedError where a service does not come up, or one that the environment names
        does not answer; what was started is stopped then.
        """
        if self._database_url:
            check_database(self._database_url)
        if self._redis_url:
            check_broker(self._redis_url)
        try:
            if self.postgres:
                self.postgres.start()
                create_database(self.postgres.url("postgres"), DATABASE)
            if self.valkey:
                self.valkey.start()
        except BaseException:
            self.stop()
            raise
        self._leave_notice()
        return self.addresses()

    def addresses(self) -> Addresses:
        """The addresses in use; known once the services have started."""
        return Addresses(
            self.postgres.url(DATABASE) if self.postgres else str(self._database_url),
            self.valkey.url if self.valkey else str(self._redis_url),
        )

    def _leave_notice(self) -> None:
        """The product's address, and those of embedded services: any other may hold a password."""
        ours = {"database_url": self.postgres, "redis_url": self.valkey}
        known = asdict(self.addresses())
        notice = {name: known[name] for name, service in ours.items() if service}
        notice["public_url"] = self._public_url
        write_private(self._notice, json.dumps(notice, indent=2) + "\n")

    def restart_ended(self) -> list[str]:
        """Start again what is ours and has ended; the names of those, none where all run."""
        restarted = []
        if self.postgres and self.postgres.pid is None:
            self.postgres.start()
            restarted.append("Postgres")
        if self.valkey and self.valkey.pid is None:
            self.valkey.start()
            restarted.append("Valkey")
        return restarted

    def stop(self) -> None:
        """Stop what is ours: the broker, then the database. Safe to call at any time."""
        with contextlib.suppress(FileNotFoundError):
            self._notice.unlink()
        if self.valkey:
            self.valkey.stop()
        if self.postgres:
            self.postgres.stop()


def create_database(server_url: str, name: str) -> None:
    """Create the database unless it exists. Raises EmbeddedError where the server refuses."""
    try:
        with psycopg.connect(server_url, autocommit=True) as connection:
            found = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name])
            if found.fetchone() is None:
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    except psycopg.Error as error:
        raise EmbeddedError(f"the database {name} could not be made: {error}") from error
