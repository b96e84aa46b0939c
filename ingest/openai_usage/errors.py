"""What can go wrong when usage is read, each with one sentence for people.

UsageError                  code, sentence
  KeyRejected               the key is wrong, revoked, expired, malformed, or of another kind
  ScopeMissing              the key is known, but may not read this: `scopes` says which are missing
  RateLimited               429 until the patience ran out
  ProviderFailed            5xx, no connection
    AnswerTimedOut          no answer, or not the whole answer, in time
  RequestRefused            any other 4xx, or a redirect
    GroupingRefused         a group_by value is not supported here: `dimension`, if named
    LimitRefused            too many buckets asked for: `maximum`, if named
    AddressRefused          the address is private, and the operator did not allow it
    LookbackExceeded        start_time lies before the history that is kept: `earliest_hour`, if named
  BadAnswer                 an answer (or a file) that is not what was asked for: `place`, `reason`
    AnswerTooLarge          more bytes than are read into memory

No error carries the admin key, or a provider's text that may hold parts of it, and none carries
what cannot be printed: sentences are shown on terminals and stored.
"""

# ruff: noqa: N818 - a name that says what happened reads better where it is caught

from __future__ import annotations

from typing import ClassVar

from ingest.openai_usage.plain_text import plain_text


class UsageError(Exception):
    """Usage could not be read. `code` is for programs, `sentence` for people."""

    code: ClassVar[str] = "usage_failed"

    def __init__(self, sentence: str, *, retry_after_s: float | None = None) -> None:
        self.sentence = plain_text(sentence)
        super().__init__(self.sentence)
        self.retry_after_s = retry_after_s  # seconds the provider asked to wait; None: not said


class KeyRejected(UsageError):
    """The provider does not accept this key at all."""

    code = "key_rejected"


class ScopeMissing(UsageError):
    """The key is known, but lacks the scopes named in `scopes`."""

    code = "scope_missing"

    def __init__(self, sentence: str, scopes: tuple[str, ...] = ()) -> None:
        super().__init__(sentence)
        self.scopes = scopes


class RateLimited(UsageError):
    """The provider asked to slow down, for longer than we wait."""

    code = "rate_limited"


class ProviderFailed(UsageError):
    """The provider, or the way to it, failed. Says nothing about the key."""

    code = "provider_failed"


class AnswerTimedOut(ProviderFailed):
    """The answer did not come, or not whole, in time."""

    code = "timed_out"


class RequestRefused(UsageError):
    """The provider understood the key and refused the request itself."""

    code = "request_refused"


class AddressRefused(RequestRefused):
    """The base URL leads where sources must not be read from. Nothing was sent."""

    code = "address_refused"


class GroupingRefused(RequestRefused):
    """A group_by value is not supported. `dimension` is None where the answer does not say which."""

    code = "grouping_refused"

    def __init__(self, sentence: str, dimension: str | None = None) -> None:
        super().__init__(sentence)
        self.dimension = dimension


class LimitRefused(RequestRefused):
    """More buckets were asked for than the provider gives. `maximum` is None where it is not said."""

    code = "limit_refused"

    def __init__(self, sentence: str, maximum: int | None = None) -> None:
        super().__init__(sentence)
        self.maximum = maximum


class LookbackExceeded(RequestRefused):
    """The start lies before the history that is kept.

    `earliest_hour` (whole UTC hours since the epoch) is None where the answer does not say it.
    """

    code = "lookback_exceeded"

    def __init__(self, sentence: str, earliest_hour: int | None = None) -> None:
        super().__init__(sentence)
        self.earliest_hour = earliest_hour


class BadAnswer(UsageError):
    """What came is not a page of hourly completions usage. `place` says where, `reason` why."""

    code = "bad_answer"

    def __init__(self, place: str, reason: str) -> None:
        self.place, self.reason = plain_text(place), plain_text(reason)
        super().__init__(f"{self.place}: {self.reason}" if place else self.reason)

    def __reduce__(self) -> tuple[type[BadAnswer], tuple[str, str]]:
        """Errors cross process borders; two arguments make this one."""
        return type(self), (self.place, self.reason)


class AnswerTooLarge(BadAnswer):
    """The answer is larger than is read into memory at once."""

    code = "answer_too_large"
