"""What may be sent: a JSON object, of known fields, with text that the database can store."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest
from ninja.parser import Parser
from pydantic import BeforeValidator, ConfigDict

from cachewatch.api.base_shape import Shape
from cachewatch.api.errors import FieldError, invalid


def _no_truth_value(number: object) -> object:
    # JSON's true would count as 1.
    if isinstance(number, bool):
        raise ValueError("must be a whole number")  # noqa: TRY004 -- pydantic reports this one
    return number


# A number in quotes is one too: shells quote what they fill in.
WholeNumber = Annotated[int, BeforeValidator(_no_truth_value)]


class Sent(Shape):
    """The base of every shape that is sent: a mistyped field is refused, not passed over."""

    model_config = ConfigDict(extra="forbid")


class BodyParser(Parser):
    """Reads bodies; one place for what no operation can take."""

    def parse_body(self, request: HttpRequest) -> dict[str, Any]:
        """The JSON object of a body. Raises ApiError 422 for other JSON, and ValueError for none."""
        body: object = super().parse_body(request)
        if not isinstance(body, dict):
            raise invalid(FieldError(name="body", message="must be a JSON object, such as {}"))
        bad = [name for name, value in body.items() if not _storable([name, value])]
        if bad:
            raise invalid(*map(_not_storable, bad))
        return body


def _storable(value: object) -> bool:
    """Whether Postgres can store all text in it: any that is UTF-8, without NUL."""
    if isinstance(value, str):
        return "\x00" not in value and not any("\ud800" <= letter <= "\udfff" for letter in value)
    if isinstance(value, dict):
        return _storable([*value.keys(), *value.values()])
    return all(map(_storable, value)) if isinstance(value, list) else True


def _not_storable(name: str) -> FieldError:
    sentence = "must not hold a NUL character or half of a surrogate pair"
    return FieldError(name=name if _storable(name) else "body", message=sentence)
