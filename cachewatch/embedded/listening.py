"""The web server's socket, bound before anything is started, and the question whether it answers."""

from __future__ import annotations

import errno
import http.client
import socket

from cachewatch.embedded.errors import EmbeddedError

_BACKLOG = 128
_REASONS = {
    errno.EADDRINUSE: "is taken by another program; set PORT to a free one",
    errno.EACCES: "needs root; set PORT to 1024 or higher",
    errno.EADDRNOTAVAIL: "is not an address of this machine; set CACHEWATCH_BIND to one",
}


def listen(address: str, port: int) -> socket.socket:
    """A listening TCP socket on the address; port 0 takes a free one.

    Bound here and inherited by the web server: whoever answers on it is ours. Raises EmbeddedError
    where the port is taken or the address cannot be used.
    """
    try:
        family = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((address, port), family=family, backlog=_BACKLOG)
    except UnicodeError as error:  # no name of a host, as one of a hundred letters
        raise EmbeddedError(f"{address}:{port} is no address; correct CACHEWATCH_BIND") from error
    except OSError as error:
        reason = _REASONS.get(error.errno or 0, f"cannot be used: {error.strerror}")
        raise EmbeddedError(f"{address}:{port} {reason}") from error


def health(address: str, port: int, host_header: str) -> tuple[bool, str]:
    """Ask GET /healthz: whether it says 200, and else what it said or why there is no answer."""
    reachable = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(address, address)  # noqa: S104
    connection = http.client.HTTPConnection(reachable, port, timeout=5)
    try:
        connection.request("GET", "/healthz", headers={"Host": host_header})
        answer = connection.getresponse()
        said = answer.read(500).decode(errors="replace").strip()
    except (OSError, http.client.HTTPException) as error:
        return False, f"{error}"
    finally:
        connection.close()
    return answer.status == http.client.OK, f"status {answer.status}: {said}"
