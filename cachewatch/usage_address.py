"""Where an admin key may be sent: the one rule for addresses that people and variables give."""

from __future__ import annotations

import re
from ipaddress import ip_address
from urllib.parse import urlsplit

_NAME = re.compile(rb"^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?\Z", re.IGNORECASE)
_HEXADECIMAL = re.compile(rb"^0x[0-9a-f]*\Z")
_LONGEST_NAME = 253


def checked_usage_address(text: str) -> str:
    """The address of a usage API, without a slash at its end.

    https, or http on this machine alone: an admin key must not cross a network in the clear. Raises
    ValueError with a sentence about the value.
    """
    address = text.strip().rstrip("/")
    try:
        parts = urlsplit(address)
        usable = parts.scheme in ("http", "https") and parts.port != 0
    except ValueError:
        usable = False
    # urlsplit passes over line breaks and tabs; a client does not.
    usable = usable and address.isprintable() and _is_host(parts.hostname or "")
    if not usable or parts.query or parts.fragment or parts.username or parts.password:
        raise ValueError("must be an address such as https://api.openai.com/v1")
    if parts.scheme == "http" and not _is_this_machine(str(parts.hostname)):
        raise ValueError("must start with https:// unless it is on this machine (127.0.0.1)")
    return address


def _is_host(host: str) -> bool:
    """Whether it is an IP address, or a name that could be looked up."""
    try:
        ip_address(host)
    except ValueError:
        return _is_name(host)
    return True


def _is_name(host: str) -> bool:
    try:
        name = host.encode("idna")
        name.decode("idna")  # fails where xn-- begins what stands for no letters
    except UnicodeError:
        return False
    return len(name) <= _LONGEST_NAME and _NAME.match(name) is not None and not _is_number(name)


def _is_number(name: bytes) -> bool:
    """Whether its last part is one: 2130706433, 0177.0.0.1 and 0x7f.1 are 127.0.0.1 to a socket."""
    last = name.rstrip(b".").rpartition(b".")[2].lower()
    return last.isdigit() or _HEXADECIMAL.match(last) is not None


def _is_this_machine(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
