"""Values of the environment that need more than a type: addresses, keys and an e-mail address.

Every function raises ConfigurationError with a sentence that names the variable, says what it must
look like, and repeats no secret.
"""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

from cryptography.fernet import Fernet
from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from cachewatch.environment import VARIABLES, ConfigurationError, Environment
from cachewatch.set_prices import overrides_of
from cachewatch.usage_address import checked_usage_address

_DATABASE_SCHEMES = ("postgresql", "postgres")
_BROKER_SCHEMES = ("redis", "rediss", "unix")
_NEW_FIELD_KEY = (
    'python3 -c "import base64, os; print(base64.urlsafe_b64encode(os.urandom(32)).decode())"'
)


def check(environment: Environment) -> None:
    """Read every value of this file that is set, for a start that is refused before it begins.

    And each of the others once, since the file that is to hold it may not be readable.
    """
    for variable in VARIABLES:
        environment.optional(variable.name)
    public_url(environment, port=0)
    owner_email(environment)
    usage_base_url(environment)
    source_networks(environment)
    overrides_of(environment)
    if keys := environment.optional("CACHEWATCH_FIELD_KEYS"):
        field_keys(keys)
    if database := environment.optional("DATABASE_URL"):
        database_settings(database)
    if broker := environment.optional("REDIS_URL"):
        broker_address(broker)


def public_url(environment: Environment, port: int) -> str:
    """The address people use, without a slash at its end; by default this machine's own."""
    given = environment.optional("CACHEWATCH_PUBLIC_URL")
    if given is None:
        return f"http://127.0.0.1:{port}"
    address = given.strip().rstrip("/")
    parts = _split(address)
    beside = parts and (parts.path or parts.query or parts.fragment or parts.username)
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname or beside:
        raise ConfigurationError(
            "CACHEWATCH_PUBLIC_URL must be an address such as https://cachewatch.example.com,"
            " without a path"
        )
    return address


def owner_email(environment: Environment) -> str:
    """The first owner's address, in lower case."""
    given = environment.text("CACHEWATCH_OWNER_EMAIL")
    address = given.strip().lower()
    try:
        validate_email(address)
    except ValidationError as error:
        raise ConfigurationError(
            f"CACHEWATCH_OWNER_EMAIL is {given!r}; it must be an e-mail address"
        ) from error
    return address


def usage_base_url(environment: Environment) -> str:
    """Where the usage API of the source made from OPENAI_ADMIN_KEY lives."""
    given = environment.text("CACHEWATCH_USAGE_BASE_URL")
    try:
        return checked_usage_address(given)
    except ValueError as error:
        # What is no address may hold anything, so it is not repeated.
        raise ConfigurationError(f"CACHEWATCH_USAGE_BASE_URL {error}") from error


def source_networks(environment: Environment) -> list[IPv4Network | IPv6Network]:
    """The networks inside which a source may be read; an address is a network of itself."""
    found = []
    for text in environment.items("CACHEWATCH_SOURCE_NETWORKS"):
        try:
            found.append(ip_network(text))
        except ValueError as error:
            raise ConfigurationError(
                f"CACHEWATCH_SOURCE_NETWORKS holds {text!r}; it must be a list of networks such as"
                " 10.20.0.0/16, separated by commas"
            ) from error
    return found


def field_keys(text: str) -> list[str]:
    """The Fernet keys of a comma separated list, newest first."""
    keys = [key.strip() for key in text.split(",") if key.strip()]
    for number, key in enumerate(keys, start=1):
        try:
            Fernet(key)
        except ValueError as error:
            raise ConfigurationError(
                f"CACHEWATCH_FIELD_KEYS: key {number} of {len(keys)} is no Fernet key (32 bytes in"
                f" URL-safe base64); make one with {_NEW_FIELD_KEY}"
            ) from error
    if not keys:
        raise ConfigurationError("CACHEWATCH_FIELD_KEYS holds no key")
    return keys


def database_settings(url: str) -> dict[str, Any]:
    """Django's database settings of a postgres:// address; the query string goes to libpq."""
    parts = _service_address("DATABASE_URL", url, _DATABASE_SCHEMES)
    options = dict(pair.split("=", 1) for pair in parts.query.split("&") if pair)
    name = parts.path.lstrip("/")
    if not name or "/" in name or "@" in name:
        raise _unreadable("DATABASE_URL", "postgresql://user:password@host:5432/name")
    host = unquote(options.pop("host", parts.hostname or ""))
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(name),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": host,
        "PORT": str(parts.port or ""),
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {key: unquote(value) for key, value in options.items()},
        "TEST": {"NAME": None},
    }


def broker_address(url: str) -> str:
    """The address of a Redis or Valkey, as redis-py reads it."""
    parts = _service_address("REDIS_URL", url, _BROKER_SCHEMES)
    number = parts.path.lstrip("/")
    if parts.scheme != "unix" and number and not (number.isascii() and number.isdecimal()):
        raise _unreadable("REDIS_URL", "redis://:password@host:6379/0")
    return url


def _service_address(name: str, url: str, schemes: tuple[str, ...]) -> SplitResult:
    parts = _split(url)
    if parts is not None and parts.scheme not in schemes:
        starts = " or ".join(f"{scheme}://" for scheme in schemes)
        raise ConfigurationError(f"{name} must start with {starts}; others are not supported")
    pairs = [] if parts is None else [pair for pair in parts.query.split("&") if pair]
    if parts is None or parts.fragment or not all("=" in pair for pair in pairs):
        raise _unreadable(name, f"{schemes[0]}://user:password@host:port/name")
    return parts


def _unreadable(name: str, example: str) -> ConfigurationError:
    return ConfigurationError(
        f"{name} cannot be read; it must look like {example}, with / ? # @ : and % of a password"
        " written as %2F %3F %23 %40 %3A and %25"
    )


def _split(address: str) -> SplitResult | None:
    """The parts of an address; None where it is none, or has no number where its port should be."""
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return None
    return parts
