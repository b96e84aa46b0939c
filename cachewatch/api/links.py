"""A link to somebody's own pages, as it is sent with a marker or a finding."""

from __future__ import annotations

import unicodedata
from typing import Annotated
from urllib.parse import urlsplit

from ninja import Field
from pydantic import AfterValidator

# What RFC 3986 has in no address, and a page or a shell would read as something else.
_NEVER = frozenset('"<>\\^`{|}')


def web_address(link: str) -> str:
    """A link to http or https with a host, its scheme in small letters; "" for none.

    Raises ValueError with what it must be.
    """
    if not link:
        return link
    scheme, colon, rest = link.partition("://")
    if scheme.lower() not in ("https", "http") or not colon:
        raise ValueError("must begin with https:// or http://")
    if any(one in _NEVER or unicodedata.category(one)[0] in "ZC" for one in link):
        raise ValueError(
            f"must not hold spaces, unseen characters or any of {' '.join(sorted(_NEVER))}"
        )
    address = f"{scheme.lower()}://{rest}"
    if not _has_host(address):
        raise ValueError("must be a whole address, such as https://example.org/1")
    return address


def _has_host(address: str) -> bool:
    try:
        parts = urlsplit(address)
        return bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:  # half of an IPv6 address, or a port that is no number
        return False


Link = Annotated[str, Field(max_length=1000), AfterValidator(web_address)]
