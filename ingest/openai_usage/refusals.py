"""From an answer that is not 200 to the error that says, in one sentence, what to do."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from http import HTTPStatus
from typing import NamedTuple

import msgspec

from ingest.normalise import SECONDS_PER_HOUR
from ingest.openai_usage.errors import (
    AnswerTimedOut,
    GroupingRefused,
    KeyRejected,
    LimitRefused,
    LookbackExceeded,
    ProviderFailed,
    RateLimited,
    RequestRefused,
    ScopeMissing,
    UsageError,
)
from ingest.openai_usage.plain_text import plain_text

USAGE_SCOPE = "api.usage.read"
MANAGEMENT_SCOPE = "api.management.read"
LOOKBACK_CODE = "reporting_lookback_exceeded"
OPTIONAL_DIMENSIONS = ("api_key_id", "service_tier", "batch")  # in the order they are given up
ADMIN_KEYS_PAGE = "platform.openai.com/settings/organization/admin-keys"
ADMIN_KEY = "an admin key"
_KEY_KINDS = {
    "sk-admin-": ADMIN_KEY,
    "sk-proj-": "a project key",
    "sk-svcacct-": "a service account key",
}
_MAY_PASS = {
    HTTPStatus.REQUEST_TIMEOUT,
    HTTPStatus.CONFLICT,
    HTTPStatus.TOO_MANY_REQUESTS,
}
# The parameter `limit`, not one of the many other limits that a message may speak of.
_PAGE_LIMIT = re.compile(
    r"""['"`]limit['"`]|\blimit\ provided\b|\binvalid\ limit\b|\blimit\ parameter\b
    |\bparameter:?\ limit\b|\blimit\ must\ be\ (?:less|smaller|lower|at\ most|between|no\ )""",
    re.IGNORECASE | re.VERBOSE,
)
_QUOTED_CHARACTERS = 200
_KEPT_CHARACTERS = 2_000


class Refusal(NamedTuple):
    """An answer other than 200, as far as it is needed to explain it."""

    status: int
    message: str  # the provider's words, with anything that looks like a key taken out
    code: str
    param: str
    retry_after_s: float | None
    path: str  # "/organization/usage/completions"
    key_kind: str | None  # "a project key"; None: not to be told from its beginning


class _ErrorObject(msgspec.Struct):
    message: object = None
    code: object = None
    param: object = None


class _ErrorBody(msgspec.Struct):
    error: _ErrorObject | str


def key_kind(key: str) -> str | None:
    """What kind of key this is, by its beginning; None where that does not tell."""
    return next((name for start, name in _KEY_KINDS.items() if key.startswith(start)), None)


def read_error_body(body: bytes) -> tuple[str, str, str]:
    """(message, code, param) of an error body; `error` may be an object or a bare text.

    Of a body in any other shape the beginning is the message.
    """
    try:
        error = msgspec.json.decode(body, type=_ErrorBody).error
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return _clean(body.decode("utf-8", "replace")), "", ""
    if isinstance(error, str):
        return _clean(error), "", ""
    return _clean(error.message or ""), str(error.code or ""), str(error.param or "")


def explain(refusal: Refusal) -> UsageError:
    """The error for an answer other than 200. Only 401 and 403 ever speak of the key."""
    status = refusal.status
    if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        return _about_the_key(refusal)
    if status in _MAY_PASS or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return _about_the_provider(refusal)
    if status in {HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY}:
        return _about_the_request(refusal)
    if status == HTTPStatus.NOT_FOUND:
        return RequestRefused(
            f"There is nothing at {refusal.path} below the base URL (404): "
            "the base URL has to end in the API version, as https://api.openai.com/v1 does."
        )
    return RequestRefused(f"The provider refused the request ({status}{_said(refusal)}).")


def _about_the_provider(refusal: Refusal) -> UsageError:
    status, wait_s = refusal.status, refusal.retry_after_s
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        wait = "" if wait_s is None else f", for {wait_s:,.0f} s"
        return RateLimited(f"The provider asks to slow down (429){wait}.", retry_after_s=wait_s)
    if status in {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.GATEWAY_TIMEOUT}:
        return AnswerTimedOut(f"The provider did not answer in time ({status}).")
    sentence = f"The provider failed ({status}{_said(refusal)}); the key is not the cause."
    return ProviderFailed(sentence, retry_after_s=wait_s)


def _about_the_key(refusal: Refusal) -> UsageError:
    needed = needed_scope(refusal.path)
    if refusal.key_kind not in {None, ADMIN_KEY}:
        return KeyRejected(
            f"This is {refusal.key_kind}, and only an admin key of the organization (sk-admin-...) "
            f"with the scope {needed} can read this: make one at {ADMIN_KEYS_PAGE}."
        )
    scopes = _missing_scopes(refusal.message)
    if scopes or "insufficient permissions" in refusal.message.lower():
        return _scope_missing(scopes or (needed,))
    if refusal.status == HTTPStatus.UNAUTHORIZED:
        return KeyRejected(
            "The provider does not accept this key (401): it is wrong, revoked or expired; an "
            f"admin key of the organization (sk-admin-...) with the scope {needed} is needed."
        )
    if re.search(r"country|region|\bip\b|^<", refusal.message, re.IGNORECASE):
        return RequestRefused(f"Access from here was refused (403{_said(refusal)}).")
    return _scope_missing((needed,))


def needed_scope(path: str) -> str:
    """The scope that an admin key needs to read this path."""
    return USAGE_SCOPE if "/usage/" in path or path.endswith("/costs") else MANAGEMENT_SCOPE


def _missing_scopes(message: str) -> tuple[str, ...]:
    found = re.search(r"missing scopes?:?\s*([\w.]+(?:\s*,\s*[\w.]+)*)", message, re.IGNORECASE)
    names = re.split(r"\s*,\s*", found.group(1)) if found else []
    return tuple(name.strip(".") for name in names if "." in name.strip("."))


def _scope_missing(scopes: tuple[str, ...]) -> ScopeMissing:
    return ScopeMissing(
        f"The key lacks the scope {' and '.join(scopes)}: make an admin key of the organization "
        f"(sk-admin-...) that has it at {ADMIN_KEYS_PAGE}; adding it to an existing key may not work.",
        scopes,
    )


def _about_the_request(refusal: Refusal) -> RequestRefused:
    message, said = refusal.message, _said(refusal)
    earliest = re.search(
        r"earliest supported start date:?\s*(\d{4}-\d\d-\d\d)", message, re.IGNORECASE
    )
    if refusal.code == LOOKBACK_CODE or earliest:
        sentence = f"The provider no longer keeps usage from so long ago ({refusal.status}{said})."
        return LookbackExceeded(sentence, _date_hour(earliest.group(1)) if earliest else None)
    if _is_about_grouping(refusal):
        sentence = f"The provider refused the grouping ({refusal.status}{said})."
        return GroupingRefused(sentence, _refused_dimension(message))
    if refusal.param == "limit" or _PAGE_LIMIT.search(message):
        most = re.search(r"(?:equal to|at most|maximum(?: of| is)?|exceed)\s*(\d+)", message)
        sentence = f"The provider refused the page size ({refusal.status}{said})."
        return LimitRefused(sentence, int(most.group(1)) if most else None)
    return RequestRefused(f"The provider refused the request ({refusal.status}{said}).")


def _is_about_grouping(refusal: Refusal) -> bool:
    """`batch` is an everyday word: it counts where grouping is spoken of, or in quotes."""
    if re.search(r"group[_ ]?(by|ing)", f"{refusal.param} {refusal.message}", re.IGNORECASE):
        return True
    return any(
        re.search(rf"\b{name}\b" if "_" in name else rf"['\"`]{name}['\"`]", refusal.message)
        for name in OPTIONAL_DIMENSIONS
    )


def _refused_dimension(message: str) -> str | None:
    """The one optional dimension that the message complains about; None where it is not clear.

    What follows "supported values are" or the like is what would have been fine.
    """
    head, *tail = re.split(
        r"\b(?:supported|allowed|valid|permitted|available) values|\bmust be\b|\bone of\b",
        message,
        maxsplit=1,
        flags=re.IGNORECASE,
    )
    complained = [name for name in OPTIONAL_DIMENSIONS if re.search(rf"\b{name}\b", head)]
    if not complained and tail:
        complained = [name for name in OPTIONAL_DIMENSIONS if name not in tail[0]]
    return complained[0] if len(complained) == 1 else None


def _date_hour(date: str) -> int | None:
    try:
        moment = datetime.strptime(date, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        return None
    return int(moment.timestamp()) // SECONDS_PER_HOUR


def _said(refusal: Refusal) -> str:
    """The provider's own words, shortened, to stand behind the status."""
    if not refusal.message:
        return ""
    words = refusal.message[:_QUOTED_CHARACTERS]
    return f": {words}..." if len(words) < len(refusal.message) else f": {words.rstrip('.')}"


def without_keys(text: str) -> str:
    """The text with everything that looks like a key, whole or in part, taken out."""
    return re.sub(r"\bsk-[\w*.…-]+", "sk-...", text)


def _clean(text: object) -> str:
    # Keys last: one with a character in it that is dropped would not look like a key before.
    return without_keys(" ".join(plain_text(str(text)).split()))[:_KEPT_CHARACTERS]
