"""Where a request may go: to public addresses, and to networks that the operator names.

The check is of the address that is then connected to, at each request: a name that leads elsewhere
later, or answers differently the second time it is looked up, gets no further (DNS rebinding).
"""

from __future__ import annotations

import os
import socket
import ssl
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from ingest.openai_usage.errors import AddressRefused, RequestRefused

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

# RFC 6052: IPv4 addresses as networks that know IPv6 alone write them.
_NAT64 = IPv6Network("64:ff9b::/96")
_DEFAULT_PORT = {"http": 80, "https": 443}


def guarded_transport(base_url: str, networks: Sequence[Network]) -> httpx.BaseTransport:
    """The network, as far as requests to this URL may go; for UsageClient.

    Where the environment names a proxy, the proxy looks hosts up: then those that are private as
    seen from here are refused, and the rest is the proxy's to decide. Raises RequestRefused for
    certificates or a proxy of the environment that cannot be used.
    """
    with network_faults_in_words():
        proxy = _proxy_of(base_url)
        inner = httpx.HTTPTransport(proxy=proxy, verify=_certificates())
    return GuardedTransport(inner, networks) if proxy is None else ProxiedTransport(inner, networks)


def _certificates() -> ssl.SSLContext:
    """Whom to trust. Reading it takes a tenth of a second, more than a read of many hours.

    A folder, or several, are looked into by OpenSSL itself, at each connection.
    """
    file = os.environ.get("SSL_CERT_FILE")
    changed = Path(file).stat().st_mtime_ns if file else None
    return _certificates_read(file, os.environ.get("SSL_CERT_DIR"), changed)


@lru_cache(maxsize=4)
def _certificates_read(*_named_and_changed: str | int | None) -> ssl.SSLContext:
    return httpx.create_ssl_context()


@contextmanager
def network_faults_in_words() -> Iterator[None]:
    """Raises RequestRefused for certificates or a proxy of the environment that cannot be used."""
    try:
        yield
    except OSError as error:
        raise RequestRefused(
            "The certificates named by SSL_CERT_FILE or SSL_CERT_DIR cannot be read: "
            f"{error.strerror or type(error).__name__}."
        ) from None
    except (ValueError, ImportError, httpx.InvalidURL):
        raise RequestRefused(
            "The proxy named by HTTP_PROXY, HTTPS_PROXY or ALL_PROXY cannot be used; "
            "set an http:// or https:// address there."
        ) from None


def _proxy_of(base_url: str) -> str | None:
    host = urlsplit(base_url).hostname or ""
    proxies = urllib.request.getproxies()
    named = proxies.get(urlsplit(base_url).scheme) or proxies.get("all")
    return None if not named or urllib.request.proxy_bypass(host) else named


class GuardedTransport(httpx.BaseTransport):
    """Looks a host up once, checks all that comes, and connects to what was checked.

    The Host header and, for TLS, the name that the certificate has to be of stay the host's own.
    """

    def __init__(self, inner: httpx.BaseTransport, networks: Sequence[Network]) -> None:
        self._inner = inner
        self._networks = networks

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """The answer of the first of the host's addresses that can be connected to.

        Raises AddressRefused, and httpx.ConnectError where there is no such host.
        """
        *others, last = checked_addresses(request.url, self._networks)
        for address in others:
            try:
                return self._inner.handle_request(_sent_to(address, request))
            except (httpx.ConnectError, httpx.ConnectTimeout):
                continue
        return self._inner.handle_request(_sent_to(last, request))

    def close(self) -> None:
        """Close the connections."""
        self._inner.close()


class ProxiedTransport(GuardedTransport):
    """Hands requests to a proxy, but for hosts that are known here and private."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """The answer of the proxy. Raises AddressRefused."""
        with suppress(httpx.ConnectError):
            checked_addresses(request.url, self._networks)
        return self._inner.handle_request(request)


def checked_addresses(url: httpx.URL, networks: Sequence[Network]) -> list[Address]:
    """What the host of a URL leads to; at least one address.

    Raises AddressRefused where one of them is neither public nor in the networks, and
    httpx.ConnectError where there is none.
    """
    port = url.port or _DEFAULT_PORT[url.scheme]
    try:
        found = socket.getaddrinfo(url.raw_host.decode("ascii"), port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise httpx.ConnectError(str(error)) from error
    addresses = list(dict.fromkeys(ip_address(place[4][0]) for place in found))
    if not all(may_reach(address, networks) for address in addresses):
        raise AddressRefused(
            f"{url.host} leads into a private network or to this machine, where sources are read "
            "only if the operator allows it: with CACHEWATCH_SOURCE_NETWORKS."
        )
    return addresses


def may_reach(address: Address, networks: Sequence[Network]) -> bool:
    """Whether an address, or the IPv4 address that it carries, is public or in the networks."""
    meant = _carried(address) or address
    if any(one in network for network in networks for one in (address, meant)):
        return True
    site_local = isinstance(meant, IPv6Address) and meant.is_site_local
    return meant.is_global and not (meant.is_multicast or meant.is_reserved or site_local)


def _carried(address: Address) -> IPv4Address | None:
    if isinstance(address, IPv4Address):
        return None
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo and address.teredo[1])


def _sent_to(address: Address, request: httpx.Request) -> httpx.Request:
    name = request.url.raw_host.decode("ascii")
    return httpx.Request(
        request.method,
        request.url.copy_with(host=str(address)),
        headers=request.headers,
        stream=request.stream,
        extensions=request.extensions | {"sni_hostname": name},
    )
