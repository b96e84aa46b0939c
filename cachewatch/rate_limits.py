"""How many requests a minute may bring: counted in Redis or Valkey, for all web processes together.

A window is a whole minute, and a count is one atomic INCR: what ninja and allauth keep, a list of
every request's time, is no way to count thousands a minute, and two processes overwrite each other's.
Where the broker does not answer, nothing is refused: a limit must not take the product down with it.
"""

from __future__ import annotations

import time
from ipaddress import IPv6Address, ip_address, ip_network

import redis
import structlog
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

WINDOW_S = 60
# After a failure, so that each request does not wait for the broker again.
_PAUSE_S = 5.0
# What one customer of a provider has as a rule (RFC 6177): else each could use 2**64 addresses.
_IPV6_PREFIX = 64

logger = structlog.get_logger(__name__)
_paused_until: list[float] = [0.0]


def seconds_to_wait(kind: str, who: str, most: int) -> int | None:
    """Count a request of `who`. None where it is within `most` a minute (0: no limit), else the whole
    seconds until the next window."""
    if not most or time.monotonic() < _paused_until[0]:
        return None
    window, passed_s = divmod(int(time.time()), WINDOW_S)
    try:
        count = _counted(f"rate-{kind}-{who}-{window}")
    except (redis.RedisError, OSError) as error:
        _paused_until[0] = time.monotonic() + _PAUSE_S
        logger.warning("rate_limits_off", exc_info=error)
        return None
    return None if count <= most else WINDOW_S - passed_s


def _counted(key: str) -> int:
    """How often this was called with the key."""
    cache.add(key, 0, timeout=2 * WINDOW_S)
    try:
        return cache.incr(key)
    except ValueError:  # it was dropped just now, for want of memory
        return 1


def caller_address(request: HttpRequest) -> str:
    """The address that CACHEWATCH_TRUSTED_PROXIES proxies saw, without a port.

    What the caller itself put into X-Forwarded-For is not believed.
    """
    proxies = settings.ALLAUTH_TRUSTED_PROXY_COUNT
    passed_on = request.headers.get("X-Forwarded-For", "").split(",") if proxies else []
    direct = str(request.META.get("REMOTE_ADDR", ""))
    told = passed_on[-proxies] if proxies and len(passed_on) >= proxies else direct
    try:
        return str(ip_address(_without_port(told.strip())))
    except ValueError:
        return direct


def address_of(request: HttpRequest) -> str:
    """Whose requests are counted together: the caller's address. An IPv6 address stands for its
    network of 64 bits."""
    told = caller_address(request)
    try:
        address = ip_address(told)
    except ValueError:
        return told
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return str(ip_network((int(address), _IPV6_PREFIX), strict=False).network_address)
    return told


def _without_port(told: str) -> str:
    """The address alone: some proxies write 192.0.2.1:4711 and [2001:db8::1]:4711."""
    if told.startswith("["):
        return told[1:].partition("]")[0]
    return told.partition(":")[0] if told.count(":") == 1 else told
