"""A log on its way in: from the body or a form into the folder for uploads, a piece at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.core.files.uploadhandler import FileUploadHandler
from django.http import HttpRequest
from django.http.multipartparser import MultiPartParser, MultiPartParserError
from django.utils import timezone

from cachewatch.api.auth import access
from cachewatch.api.errors import ApiError, FieldError, invalid
from cachewatch.api.queueing import queue_evidence
from cachewatch.evidence import services
from cachewatch.evidence.services.receiving import USUAL_NAME
from cachewatch.evidence.services.states import UNREAD
from cachewatch.evidence.spool import (
    MOST_BYTES,
    Incoming,
    UploadRefused,
    incoming,
    too_large,
    too_many,
    uploads_folder,
)
from ingest.request_logs import LogRefused

CHUNK_BYTES = 1024**2
_FORM = "multipart/form-data"
_FORM_BYTES = CHUNK_BYTES  # what a form may add to its files
_FILE = {"type": "string", "format": "binary"}
BODY = {
    "requestBody": {
        "required": True,
        "description": "The log itself: JSON, JSON lines or CSV, plain or packed with gzip; or a "
        "form whose files are parts of one log (by a token)",
        "content": {
            "application/octet-stream": {"schema": _FILE},
            _FORM: {"schema": {"type": "object", "properties": {"file": _FILE}}},
        },
    }
}


def received(request: HttpRequest, new: services.NewImport) -> services.Received:
    """Take the body and have it read. Raises ApiError with what stands against it."""

    def receive() -> services.Received:
        folder = uploads_folder()
        with incoming(folder, _size(request)) as upload:
            _take(request, upload, new.file_name or USUAL_NAME)
            user, now = access(request).user, timezone.now()
            return services.receive(upload, new, folder, by=user, now=now)

    return received_by(receive)


def received_by(receive: Callable[[], services.Received]) -> services.Received:
    """What a service receives, handed to a worker. Raises ApiError with what stands against it."""
    try:
        made = receive()
    except UploadRefused as refused:
        raise _upload_error(refused) from refused
    except LogRefused as refused:
        field = "file" if refused.where else "format"
        # The sentences are those of the command line.
        raise refusal(field, str(refused).replace(" with --format", "")) from refused
    except services.BeingRead as error:
        sentence = "This log is being received right now; look at the list in a moment."
        raise ApiError(409, "being_read", sentence) from error
    if made.row.state in UNREAD:
        queue_evidence()
    return made


def refusal(field: str, sentence: str) -> ApiError:
    """What stands against a log, at the field of the form that is to blame."""
    return invalid(FieldError(name=field, message=sentence))


def _take(request: HttpRequest, upload: Incoming, name: str) -> None:
    size = _size(request)
    if request.content_type == _FORM:
        if size > MOST_BYTES + _FORM_BYTES:
            raise too_large()
        _take_form(request, upload, size)
        return
    if size > MOST_BYTES:
        raise too_large()
    upload.begin(name)
    stream = _Counted(request)
    while piece := stream.read(CHUNK_BYTES):
        upload.add(piece)
    _refuse_short(stream, size)


def _take_form(request: HttpRequest, upload: Incoming, size: int) -> None:
    """The files of a form, piece by piece. Raises ApiError where it is none, or was read already."""
    if hasattr(request, "_files"):  # for the CSRF token, which a browser sends with a form
        sentence = "A form is taken with a token; a browser sends the log itself as the body."
        raise ApiError(415, "not_a_log", sentence)
    stream: Any = _Counted(request)
    try:
        MultiPartParser(request.META, stream, [_IntoUpload(upload)], request.encoding).parse()
    except TooManyFilesSent as error:
        raise too_many() from error
    except (MultiPartParserError, RequestDataTooBig, TooManyFieldsSent) as error:
        raise ApiError(400, "bad_form", "The form could not be understood.") from error
    _refuse_short(stream, size)


class _Counted:
    """The body, with how much of it was read."""

    def __init__(self, request: HttpRequest) -> None:
        self._request = request
        self.bytes_read = 0

    def read(self, size: int | None = None, /) -> bytes:
        """The next bytes; none at the end, or where the caller has gone."""
        try:
            piece: bytes = self._request.read(size)
        except OSError:
            return b""
        self.bytes_read += len(piece)
        return piece


class _IntoUpload(FileUploadHandler):
    """Hands the pieces of a form's files over, and keeps none."""

    chunk_size = CHUNK_BYTES

    def __init__(self, upload: Incoming) -> None:
        super().__init__()
        self._upload = upload

    def new_file(self, field_name: str, file_name: str, *args: Any, **more: Any) -> None:
        """The next file of the form."""
        super().new_file(field_name, file_name, *args, **more)
        self._upload.begin(file_name)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:  # noqa: ARG002 - Django's
        """The next piece of it."""
        self._upload.add(raw_data)

    def file_complete(self, file_size: int) -> None:
        """Nothing of it is left to hand on."""


def _refuse_short(stream: _Counted, size: int) -> None:
    if stream.bytes_read < size:
        raise UploadRefused("the upload ended before all of the log had come; send it again")


def _size(request: HttpRequest) -> int:
    """The length of the body. Raises ApiError where it is not said."""
    told = request.META.get("CONTENT_LENGTH") or ""
    if not told.isdigit():
        if request.META.get("HTTP_TRANSFER_ENCODING"):
            raise ApiError(411, "length_required", "Send the log with its Content-Length.")
        return 0
    return int(told)


def _upload_error(refused: UploadRefused) -> ApiError:
    status, code = (413, "too_large") if refused.too_large else (400, "cut_short")
    if refused.unusable:
        status, code = 503, "no_room"
    return ApiError(status, code, f"{refused.sentence[0].upper()}{refused.sentence[1:]}.")
