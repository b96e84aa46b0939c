"""The body of a push: plain or packed with gzip, of a bounded size however small it is packed."""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from collections.abc import Mapping
from typing import BinaryIO, cast

import msgspec
from django.http import HttpRequest

from cachewatch.api.errors import ApiError, FieldError, invalid
from ingest.openai_usage.json_text import decoded
from ingest.services import UNKNOWN_FIELD

MOST_MIB = 16
MOST_BYTES = MOST_MIB * 1024**2
_TOO_LARGE = f"Send at most {MOST_MIB} MiB at once, unpacked; send larger batches in parts."


def body_of(request: HttpRequest) -> bytes:
    """The unpacked body, without a byte order mark. Raises ApiError where it is too large, or packed in
    another way.
    """
    packing = request.headers.get("Content-Encoding", "identity").strip().lower()
    if packing not in ("", "identity", "gzip"):
        sentence = "Send the body plain, or packed with gzip (Content-Encoding: gzip)."
        raise ApiError(415, "unknown_packing", sentence)
    sent = _sent(request)
    body = _unpacked(sent) if packing == "gzip" else sent
    return body.removeprefix(codecs.BOM_UTF8)


def json_of(body: bytes) -> object:
    """The value of a JSON body. Raises ApiError 400 where it is none."""
    try:
        return decoded(body)
    except RecursionError as error:
        raise ApiError(400, "not_json", "The body is nested too deeply.") from error
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise ApiError(400, "not_json", f"The body is not JSON: {error}.") from error


def refuse_others(sent: Mapping[str, object], name: str) -> None:
    """Raise ApiError 422 where there is any field beside the one of that name."""
    unknown = [FieldError(name=other, message=UNKNOWN_FIELD) for other in sent if other != name]
    if unknown:
        raise invalid(*unknown)


def _sent(request: HttpRequest) -> bytes:
    told = request.META.get("CONTENT_LENGTH") or ""
    if told.isdigit() and int(told) > MOST_BYTES:
        raise ApiError(413, "too_large", _TOO_LARGE)
    stream: BinaryIO = cast("BinaryIO", request)
    # Exporters that pack as they send do not know the length; Django reads nothing then, and the
    # server ends the stream itself.
    if request.META.get("HTTP_TRANSFER_ENCODING") and request.META.get("wsgi.input_terminated"):
        stream = request.META["wsgi.input"]
    return _at_most(stream)


def _unpacked(packed: bytes) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(packed)) as file:
            return _at_most(cast("BinaryIO", file))
    except (OSError, EOFError, zlib.error) as error:
        sentence = "The body says that it is packed with gzip, and cannot be unpacked."
        raise ApiError(400, "damaged", sentence) from error


def _at_most(stream: BinaryIO) -> bytes:
    body = stream.read(MOST_BYTES + 1)
    if len(body) > MOST_BYTES:
        raise ApiError(413, "too_large", _TOO_LARGE)
    return body
