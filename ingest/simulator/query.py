"""Query parameters as the usage API takes them, with its refusals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

from ingest.simulator.refusal import refused

WHOLE_NUMBER = re.compile(r"-?[0-9]{1,15}")
TRUE_WORDS, FALSE_WORDS = {"true", "1"}, {"false", "0"}


@dataclass(frozen=True)
class Query:
    """The parameters of one call. `lenient` passes over what strict reading refuses."""

    values: dict[str, list[str]] = field(default_factory=dict)
    lenient: bool = False

    @classmethod
    def parse(cls, text: str, lenient: bool) -> Query:
        """Read a query string; `name[]` is the same parameter as `name`."""
        values: dict[str, list[str]] = {}
        for name, value in parse_qsl(text, keep_blank_values=True):
            values.setdefault(name.removesuffix("[]"), []).append(value)
        return cls(values, lenient)

    def text(self, name: str) -> str | None:
        """The last value given for a parameter; None: not given."""
        given = self.values.get(name)
        return given[-1] if given else None

    def whole_number(self, name: str) -> int | None:
        """A whole number; raises RefusedError (400) for anything else."""
        given = self.text(name)
        if given is None:
            return None
        if not WHOLE_NUMBER.fullmatch(given):
            raise refused(
                400,
                f"Invalid type for '{name}': expected an integer, but got '{given[:40]}' instead.",
                param=name,
                code="invalid_type",
            )
        return int(given)

    def boolean(self, name: str) -> bool | None:
        """True or false; raises RefusedError (400) for anything else."""
        given = self.text(name)
        if given is None:
            return None
        if given.lower() in TRUE_WORDS | FALSE_WORDS:
            return given.lower() in TRUE_WORDS
        raise refused(
            400,
            f"Invalid type for '{name}': expected a boolean, but got '{given[:40]}' instead.",
            param=name,
            code="invalid_type",
        )

    def many(self, name: str) -> tuple[str, ...]:
        """Values of an array parameter: repeated, with brackets, or separated by commas."""
        given = self.values.get(name, [])
        return tuple(part for value in given for part in value.split(",") if part)

    def many_whole(self, name: str) -> tuple[str, ...]:
        """Values of an array parameter whose words may hold commas: repeated or with brackets."""
        return tuple(value for value in self.values.get(name, []) if value)

    def one_of(self, name: str, supported: Sequence[str], default: str) -> str:
        """One of the supported words; raises RefusedError (400) for another unless lenient."""
        given = self.text(name)
        if given is None or (self.lenient and given not in supported):
            return default
        if given not in supported:
            raise refused(400, _unsupported(given, supported), param=name, code="invalid_value")
        return given

    def some_of(self, name: str, supported: Sequence[str]) -> tuple[str, ...]:
        """Supported words in the order given, each once; a foreign one is refused unless lenient."""
        given = tuple(dict.fromkeys(self.many(name)))
        foreign = [word for word in given if word not in supported]
        if foreign and not self.lenient:
            raise refused(
                400, _unsupported(foreign[0], supported), param=name, code="invalid_value"
            )
        return tuple(word for word in given if word in supported)

    def limit(self, default: int, maximum: int) -> int:
        """How many items or buckets; refused beyond the maximum, never clamped, unless lenient."""
        given = self.whole_number("limit")
        if given is None:
            return default
        if 1 <= given <= maximum:
            return given
        if self.lenient:
            return default if given < 1 else maximum
        bound = f"less than or equal to {maximum}" if given > maximum else "greater than 0"
        raise refused(
            400, f"Invalid limit provided: {given}. Limit must be {bound}.", param="limit"
        )


def _unsupported(given: str, supported: Sequence[str]) -> str:
    words = ", ".join(f"'{word}'" for word in supported)
    return f"Invalid value: '{given[:40]}'. Supported values are: {words}."
