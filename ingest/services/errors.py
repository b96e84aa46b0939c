"""Why a service could not do what was asked, each with one sentence for people.

SourceError            code, sentence
  KeyMissing           the source has no key, or its variable is not set
  KeyUnreadable        no configured field key opens the stored key
  SourceBusy           another walk of this source holds its lock
  SourceExists         another source reads the same address with the same key
  SourceRemoved        the source was removed after it was looked up
  SourceIsPushed       others push to the source; no provider is read for it
  PushRefused          the source takes no pushes, or not this one
"""

# ruff: noqa: N818 - a name that says what happened reads better where it is caught
from __future__ import annotations

from typing import ClassVar


class SourceError(Exception):
    """Something about a source that stops the service. `code` for programs, `sentence` for people."""

    code: ClassVar[str] = "source_failed"

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class KeyMissing(SourceError):
    """There is no key to read with."""

    code = "key_missing"


class KeyUnreadable(SourceError):
    """The stored key cannot be opened."""

    code = "key_unreadable"


class SourceBusy(SourceError):
    """Another process reads this source now."""

    code = "source_busy"


class SourceExists(SourceError):
    """The organization would be counted twice."""

    code = "source_exists"


class SourceRemoved(SourceError):
    """Somebody removed this source after it was looked up."""

    code = "source_removed"


class SourceIsPushed(SourceError):
    """There is no provider to read."""

    code = "source_is_pushed"


class PushRefused(SourceError):
    """A batch is not taken as a whole."""

    code = "push_refused"
