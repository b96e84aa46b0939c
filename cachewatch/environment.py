"""Every environment variable that cachewatch reads: one table, read loudly.

docs/configuration.md prints this table; a test keeps the two equal. A secret may also come from a
file: `NAME_FILE` names it, as container platforms hand secrets over.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


class ConfigurationError(Exception):
    """A variable holds a value that cannot be used. The message names it and says what to do."""


@dataclass(frozen=True)
class Variable:
    """One environment variable: its name, what it holds, its default in words, and its meaning."""

    name: str
    kind: str  # text, integer, boolean, list, secret
    default: str | None
    meaning: str


VARIABLES: tuple[Variable, ...] = (
    Variable("PORT", "integer", "8000", "TCP port of the web server"),
    Variable(
        "DATABASE_URL",
        "secret",
        None,
        "Postgres 15 or newer; unset: the embedded Postgres under the local folder",
    ),
    Variable(
        "REDIS_URL",
        "secret",
        None,
        "Redis or Valkey 7 or newer; unset: the embedded Valkey under the local folder",
    ),
    Variable(
        "OPENAI_ADMIN_KEY",
        "secret",
        None,
        "organization admin key (sk-admin-...); set: a source is made that names this variable and never stores the key",
    ),
    Variable(
        "OPENAI_API_KEY",
        "secret",
        None,
        "API key of a project (sk-proj-...), read by `cachewatch probe` alone and never stored",
    ),
    Variable(
        "CACHEWATCH_USAGE_BASE_URL",
        "text",
        "https://api.openai.com/v1",
        "where the usage API of the source made from OPENAI_ADMIN_KEY lives, https except on this machine; OPENAI_BASE_URL is ignored on purpose",
    ),
    Variable(
        "CACHEWATCH_SOURCE_NETWORKS",
        "list",
        None,
        "networks inside which a source may be read beside public addresses, such as 10.20.0.0/16 or 127.0.0.1; the address of CACHEWATCH_USAGE_BASE_URL needs none",
    ),
    Variable("CACHEWATCH_BIND", "text", "127.0.0.1", "address the web server listens on"),
    Variable(
        "CACHEWATCH_PUBLIC_URL",
        "text",
        None,
        "address people use, for links and CSRF, without a path; unset: http://127.0.0.1:PORT",
    ),
    Variable(
        "CACHEWATCH_ALLOWED_HOSTS",
        "list",
        None,
        "more host names the web server answers to, beside 127.0.0.1, localhost and the host of CACHEWATCH_PUBLIC_URL",
    ),
    Variable(
        "CACHEWATCH_TRUSTED_PROXIES",
        "integer",
        "0",
        "reverse proxies in front that add the caller's address to X-Forwarded-For; tries to sign in are counted by that address",
    ),
    Variable(
        "CACHEWATCH_ADDRESS_REQUESTS_PER_MINUTE",
        "integer",
        "12000",
        "requests of one address in a minute, by the address that CACHEWATCH_TRUSTED_PROXIES proxies saw; 0: no limit",
    ),
    Variable(
        "CACHEWATCH_CALLER_REQUESTS_PER_MINUTE",
        "integer",
        "6000",
        "requests of one API token, or of one person in browsers, in a minute; 0: no limit",
    ),
    Variable(
        "CACHEWATCH_COSTLY_REQUESTS_PER_MINUTE",
        "integer",
        "60",
        "of those, requests that ask a provider or read an uploaded log; 0: no limit",
    ),
    Variable("CACHEWATCH_DEBUG", "boolean", "false", "Django debug pages; never in production"),
    Variable("CACHEWATCH_LOG_LEVEL", "text", "INFO", "DEBUG, INFO, WARNING or ERROR"),
    Variable(
        "CACHEWATCH_LOCAL_DIR",
        "text",
        ".local",
        "folder of the embedded services' data and secrets, relative to the project",
    ),
    Variable(
        "CACHEWATCH_SECRET_KEY",
        "secret",
        None,
        "Django's signing key; embedded: generated under the local folder",
    ),
    Variable(
        "CACHEWATCH_FIELD_KEYS",
        "secret",
        None,
        "Fernet keys for stored admin keys, newest first, separated by commas; embedded: generated",
    ),
    Variable(
        "CACHEWATCH_HASH_KEY",
        "secret",
        None,
        "key for hashes of tokens, sign-in links, and ids of pushed requests; embedded: generated",
    ),
    Variable(
        "CACHEWATCH_OWNER_EMAIL",
        "text",
        "owner@localhost",
        "e-mail address of the first owner, made at first start",
    ),
    Variable(
        "CACHEWATCH_DEMO",
        "text",
        "auto",
        "auto: the bundled simulator runs while no real source exists; off: never",
    ),
    Variable(
        "CACHEWATCH_PRICES",
        "text",
        None,
        "prices that go before the public list, as TOML, see below; CACHEWATCH_PRICES_FILE names a file with them",
    ),
    Variable("CACHEWATCH_WEB_THREADS", "integer", "8", "threads of the web server"),
    Variable("CACHEWATCH_WORKER_CONCURRENCY", "integer", "2", "processes of the Celery worker"),
)
_BY_NAME = {variable.name: variable for variable in VARIABLES}
_MOST_DIGITS = 18
_SHOWN_CHARACTERS = 60
_TRUE, _FALSE = {"1", "true", "yes", "on"}, {"0", "false", "no", "off", ""}


class Environment:
    """Typed reads of the declared variables from a mapping such as os.environ.

    Raises ConfigurationError for a value of the wrong kind; KeyError for an undeclared name.
    """

    def __init__(self, values: Mapping[str, str] | None = None) -> None:
        self._values = os.environ if values is None else values

    def optional(self, name: str) -> str | None:
        """The variable's text, from NAME or the file in NAME_FILE; its default where neither is set."""
        variable = _BY_NAME[name]
        value, file_name = self._values.get(name), self._values.get(f"{name}_FILE")
        if value and file_name:
            raise ConfigurationError(f"{name} and {name}_FILE are both set; keep one")
        if file_name:
            return _read_secret_file(name, file_name)
        return value or variable.default

    def is_set(self, name: str) -> bool:
        """Whether somebody set the variable, by itself or by its file."""
        return bool(self._values.get(name) or self._values.get(f"{name}_FILE"))

    def text(self, name: str) -> str:
        """The variable's text. Raises ConfigurationError where it has neither value nor default."""
        value = self.optional(name)
        if value is None:
            raise ConfigurationError(f"{name} is not set: {_BY_NAME[name].meaning}")
        return value

    def integer(self, name: str, *, low: int, high: int) -> int:
        """A whole number in [low, high]."""
        value = self.text(name)
        number = _whole_number(value)
        if number is None or not low <= number <= high:
            raise ConfigurationError(
                f"{name} is {_shown(value)}; it must be a whole number from {low} to {high}"
            )
        return number

    def boolean(self, name: str) -> bool:
        """true/yes/on/1 or false/no/off/0."""
        value = self.text(name).strip().lower()
        if value not in _TRUE | _FALSE:
            raise ConfigurationError(f"{name} is {_shown(value)}; it must be true or false")
        return value in _TRUE

    def choice(self, name: str, choices: tuple[str, ...]) -> str:
        """One of the given words."""
        value = self.text(name)
        if value not in choices:
            raise ConfigurationError(
                f"{name} is {_shown(value)}; it must be one of {', '.join(choices)}"
            )
        return value

    def items(self, name: str) -> list[str]:
        """A comma separated list without its empty parts."""
        return [part.strip() for part in (self.optional(name) or "").split(",") if part.strip()]


def _whole_number(text: str) -> int | None:
    """The number, or None; one of more than a few digits is none either."""
    digits = text.strip()
    # A superscript two passes for a digit elsewhere; int() refuses it, and 4,300 digits too.
    if not digits.isascii() or not digits.isdecimal() or len(digits) > _MOST_DIGITS:
        return None
    return int(digits)


def _shown(value: str) -> str:
    return repr(value if len(value) <= _SHOWN_CHARACTERS else f"{value[:_SHOWN_CHARACTERS]}...")


def _read_secret_file(name: str, file_name: str) -> str:
    try:
        value = Path(file_name).read_text(encoding="utf-8").strip()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no UTF-8 text"
        raise ConfigurationError(
            f"{name}_FILE names {file_name}, which cannot be read: {why}; correct it, or set {name}"
        ) from error
    if not value:
        raise ConfigurationError(f"{name}_FILE names {file_name}, which is empty")
    return value
