"""How a series is named and addressed. A null id is shown as (none) and addressed as _none."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

from ingest.models import Series

NO_ID = "_none"
_EMPTY_ID = "_empty"
NO_NAME = "(none)"
# What a browser's encodeURIComponent leaves as it is, so that both sides make one address.
_UNESCAPED = "!~*'()"
# Encoded twice, since servers, proxies and browsers decode an address before they take it apart: a
# slash; the sign itself; a control character; an id that reads as _none, as no part, or as a step
# up; and the end of an id that reads as a file of the page.
_MISREAD = re.compile(r"[%/\x00-\x1f\x7f]|\A_(?=(?:none|empty)\Z)|\A\.{1,2}\Z|\.(?=(?:csv|json)\Z)")


def segment(name: str | None) -> str:
    """One percent-encoded part of an address; id_of reads it back once a server has decoded it."""
    if not name:
        return NO_ID if name is None else _EMPTY_ID
    return quote(_MISREAD.sub(_encoded, name), safe=_UNESCAPED)


def _encoded(found: re.Match[str]) -> str:
    return "".join(f"%{ord(letter):02X}" for letter in found[0])


def series_path(series: Series) -> str:
    """/series/<source>/<project>/<model>; `series.source` is loaded."""
    return f"/series/{series.source.slug}/{segment(series.project_id)}/{segment(series.model)}"


def project_label(series: Series) -> str:
    """The project's name where the provider gave one, else its id."""
    known: str | None = getattr(series, "project_name", None)
    return known or series.project_id or NO_NAME


def id_of(text: str) -> str | None:
    """The id that a decoded part of an address means: _none is the null id."""
    if text in (NO_ID, _EMPTY_ID):
        return None if text == NO_ID else ""
    return unquote(text)
