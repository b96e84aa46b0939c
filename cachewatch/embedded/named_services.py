"""The database and the broker that the environment names: whether they answer, asked at the start."""

from __future__ import annotations

import psycopg
import redis

from cachewatch.embedded.binaries import LOWEST_POSTGRES_MAJOR
from cachewatch.embedded.errors import EmbeddedError
from cachewatch.environment_values import broker_address, database_settings

_PATIENCE_SECONDS = 10


def check_database(url: str) -> None:
    """Connect as Django will. Raises EmbeddedError where that fails or the server is too old."""
    settings = database_settings(url)
    options = {
        "dbname": settings["NAME"],
        "user": settings["USER"],
        "password": settings["PASSWORD"],
        "host": settings["HOST"],
        "port": settings["PORT"],
        "connect_timeout": _PATIENCE_SECONDS,
    }
    given = {name: value for name, value in options.items() if value} | settings["OPTIONS"]
    try:
        with psycopg.connect(**given) as connection:
            major = connection.info.server_version // 10_000
    except psycopg.Error as error:
        raise _unusable("DATABASE_URL", "database", error) from error
    if major < LOWEST_POSTGRES_MAJOR:
        raise EmbeddedError(
            f"the database of DATABASE_URL is Postgres {major}; it must be"
            f" {LOWEST_POSTGRES_MAJOR} or newer"
        )


def check_broker(url: str) -> None:
    """Ask for a PONG. Raises EmbeddedError where none comes."""
    try:
        with redis.Redis.from_url(
            broker_address(url),
            socket_timeout=_PATIENCE_SECONDS,
            socket_connect_timeout=_PATIENCE_SECONDS,
        ) as client:
            client.ping()
    except (redis.RedisError, OSError, ValueError) as error:
        raise _unusable("REDIS_URL", "broker", error) from error


def _unusable(variable: str, service: str, error: Exception) -> EmbeddedError:
    words = " ".join(str(error).split()) or type(error).__name__
    return EmbeddedError(
        f"the {service} of {variable} cannot be used: {words.rstrip('.')}; start it, correct"
        f" {variable}, or leave it unset for the embedded one"
    )
