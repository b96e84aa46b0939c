"""What a key may read, and how far back: a few small requests, and one sentence."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import datetime
from typing import Literal, NamedTuple

from ingest.normalise import SECONDS_PER_HOUR, hour_text
from ingest.openai_usage.connection import Answer, Connection, Params
from ingest.openai_usage.errors import (
    AnswerTimedOut,
    KeyRejected,
    LookbackExceeded,
    ScopeMissing,
    UsageError,
)
from ingest.openai_usage.names import PROJECTS_PATH
from ingest.openai_usage.page import decode_page
from ingest.openai_usage.refusals import MANAGEMENT_SCOPE, USAGE_SCOPE
from ingest.openai_usage.retrying import Patience
from ingest.openai_usage.walking import COMPLETIONS_PATH, LOOKBACK_STEPS_DAYS

ScopeState = Literal["granted", "missing", "unknown"]
# Somebody waits in front of a form: the total is for all questions of a probe together.
PROBE_PATIENCE = Patience(tries=3, total_s=20.0, first_wait_s=0.5, longest_wait_s=5.0)


class ProbeResult(NamedTuple):
    """What a key may read, and how far back."""

    usage: ScopeState  # api.usage.read
    management: ScopeState  # api.management.read
    lookback_hour: int | None  # the earliest hour known to be kept, whole UTC hours since the epoch
    lookback_is_limit: bool  # an earlier start was refused; False: none was asked for
    code: str | None  # of the error that says why usage cannot be read; None where it can
    sentence: str

    @property
    def scopes(self) -> dict[str, ScopeState]:
        """The two states by the names of their scopes."""
        return {USAGE_SCOPE: self.usage, MANAGEMENT_SCOPE: self.management}


class _Questions:
    """Questions over one connection, which all together take no longer than `patience`."""

    def __init__(self, connection: Connection, patience: Patience) -> None:
        self._connection = connection
        self._patience = patience
        self._end_s = time.monotonic() + patience.total_s

    def ask(self, path: str, params: Params) -> Answer:
        """The answer to one of them. Raises UsageError."""
        left_s = self._end_s - time.monotonic()
        if left_s <= 0:
            raise AnswerTimedOut(
                f"The provider did not answer within {self._patience.total_s:.0f} s."
            )
        return self._connection.get(path, params, patience=replace(self._patience, total_s=left_s))


def probe(
    connection: Connection, now: datetime, patience: Patience = PROBE_PATIENCE
) -> ProbeResult:
    """Ask what the key may read. Never raises UsageError: what fails is in `code` and `sentence`.

    `now`: an aware datetime. What could not be asked before `patience` ended is unknown.
    """
    questions = _Questions(connection, patience)
    now_hour = int(now.timestamp()) // SECONDS_PER_HOUR
    try:
        _ask_one_hour(questions, now_hour - 1)
    except (KeyRejected, ScopeMissing) as error:
        management = "missing" if isinstance(error, KeyRejected) else _management(questions)
        return ProbeResult("missing", management, None, False, error.code, error.sentence)
    except UsageError as error:
        return ProbeResult("unknown", "unknown", None, False, error.code, error.sentence)
    management = _management(questions)
    lookback_hour, is_limit = _lookback(questions, now_hour)
    sentence = _sentence(management, lookback_hour, is_limit=is_limit)
    return ProbeResult("granted", management, lookback_hour, is_limit, None, sentence)


def _ask_one_hour(questions: _Questions, start_hour: int) -> None:
    """One bucket from that hour, the smallest request there is. Raises UsageError."""
    params: Params = [
        ("start_time", start_hour * SECONDS_PER_HOUR),
        ("end_time", (start_hour + 1) * SECONDS_PER_HOUR),
        ("bucket_width", "1h"),
        ("limit", 1),
    ]
    answer = questions.ask(COMPLETIONS_PATH, params)
    decode_page(answer.body, "the answer")


def _management(questions: _Questions) -> ScopeState:
    try:
        questions.ask(PROJECTS_PATH, [("limit", 1)])
    except (KeyRejected, ScopeMissing):
        return "missing"
    except UsageError:
        return "unknown"
    return "granted"


def _lookback(questions: _Questions, now_hour: int) -> tuple[int | None, bool]:
    """The earliest hour known to be kept, and whether an earlier start was refused."""
    refused = False
    for days in LOOKBACK_STEPS_DAYS:
        start_hour = now_hour - days * 24
        try:
            _ask_one_hour(questions, start_hour)
        except LookbackExceeded as refusal:
            refused = True
            if refusal.earliest_hour is not None:
                return refusal.earliest_hour, True
        except UsageError:
            return None, refused
        else:
            return start_hour, refused
    return None, refused


def _sentence(management: ScopeState, lookback_hour: int | None, *, is_limit: bool) -> str:
    names = {
        "granted": "The key reads usage, and the names of projects and keys",
        "missing": "The key reads usage; projects and keys appear by their ids, because it lacks "
        f"the scope {MANAGEMENT_SCOPE}",
        "unknown": "The key reads usage; whether it reads the names of projects could not be asked",
    }[management]
    if lookback_hour is None:
        return f"{names}; how far back usage is kept could not be found out."
    kept = "usage is kept from" if is_limit else "usage is kept at least from"
    return f"{names}; {kept} {hour_text(lookback_hour)}."
