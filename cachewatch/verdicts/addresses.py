"""How a series is named and addressed. A null id is shown as (none) and addressed as _none."""

from __future__ import annotations

from urllib.parse import quote

from ingest.models import Series

NO_ID = "_none"
NO_NAME = "(none)"
# What a browser's encodeURIComponent leaves as it is, so that both sides make one address.
_UNESCAPED = "!~*'()"


def segment(name: str | None) -> str:
    """One percent-encoded part of an address."""
    return NO_ID if name is None else quote(name, safe=_UNESCAPED)


def series_path(series: Series) -> str:
    """/series/<source>/<project>/<model>; `series.source` is loaded."""
    return f"/series/{series.source.slug}/{segment(series.project_id)}/{segment(series.model)}"


def project_label(series: Series) -> str:
    """The project's name where the provider gave one, else its id."""
    known: str | None = getattr(series, "project_name", None)
    return known or series.project_id or NO_NAME


def id_of(text: str) -> str | None:
    """What a part of an address or a filter means: _none is the null id."""
    return None if text == NO_ID else text
