"""A source's address as a way into the operator's network: refused before anything is sent."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address, ip_network
from threading import Thread
from typing import Any

import pytest
from pytest_django import Settings

from cachewatch.usage_address import checked_usage_address
from ingest import services
from ingest.models import Source
from ingest.openai_usage.client import UsageClient
from ingest.openai_usage.errors import AddressRefused, RequestRefused, UsageError
from ingest.openai_usage.reach import guarded_transport, may_reach
from ingest.services.sources import DEMO_KEY
from tests.cachewatch.people import Caller, error_of
from tests.factories import HOUR, at, make_source

KEY = "sk-admin-0123456789"
PRIVATE = (
    *("127.0.0.1", "127.255.255.254", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1"),
    *("169.254.169.254", "100.64.0.1", "100.100.100.200", "192.0.2.1", "198.18.0.1"),
    *("224.0.0.1", "240.0.0.1", "255.255.255.255"),
    *("::", "::1", "fe80::1", "fc00::1", "fd00:ec2::254", "fec0::1", "ff02::1", "2001:db8::1"),
    # IPv4 inside IPv6: mapped, 6to4, NAT64, Teredo, and the retired plain form.
    *("::ffff:127.0.0.1", "::ffff:a9fe:a9fe", "2002:7f00:1::", "64:ff9b::a9fe:a9fe"),
    *("2001:0:4136:e378:8000:63bf:80ff:fffe", "::127.0.0.1"),
)
PUBLIC = ("1.1.1.1", "8.8.8.8", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101")
REFUSED = (
    "{host} leads into a private network or to this machine, where sources are read only if the "
    "operator allows it: with CACHEWATCH_SOURCE_NETWORKS."
)


class Recorder(ThreadingHTTPServer):
    """A server on this machine that notes what reaches it."""

    seen: list[tuple[str, str]]


class _Handler(BaseHTTPRequestHandler):
    server: Recorder

    def do_GET(self) -> None:
        self.server.seen.append((self.path.partition("?")[0], self.headers["Host"]))
        if self.path.startswith("/redirects"):
            self.send_response(302)
            self.send_header("Location", f"http://127.0.0.1:{self.server.server_port}/inside")
        else:
            self.send_response(404)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_arguments: Any) -> None:
        pass


@pytest.fixture
def inside() -> Iterator[Recorder]:
    """Something in the operator's network that nobody outside may reach."""
    server = Recorder(("127.0.0.1", 0), _Handler)
    server.seen = []
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def closed(settings: Settings) -> None:
    """As the product comes: the operator allows no network."""
    settings.SOURCE_NETWORKS = []


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Plays the name service: each look-up of a name takes the next answer."""
    real = socket.getaddrinfo

    def play(*answers: str) -> list[str]:
        waiting = list(answers)

        def look_up(host: str, port: int, *more: Any, **options: Any) -> list[Any]:
            if not host.endswith(".example"):
                return list(real(host, port, *more, **options))
            address = waiting.pop(0)
            family = socket.AF_INET6 if ":" in address else socket.AF_INET
            return [(family, socket.SOCK_STREAM, 6, "", (address, port))]

        monkeypatch.setattr("ingest.openai_usage.reach.socket.getaddrinfo", look_up)
        return waiting

    return play


@pytest.mark.parametrize("text", PRIVATE)
def test_an_address_that_is_not_public_is_out_of_reach_in_every_notation(text: str) -> None:
    assert not may_reach(ip_address(text), [])


@pytest.mark.parametrize("text", PUBLIC)
def test_a_public_address_is_in_reach(text: str) -> None:
    assert may_reach(ip_address(text), [])


def test_the_operator_allows_networks_and_nothing_beside_them() -> None:
    allowed = [ip_network("10.20.0.0/16")]
    assert may_reach(ip_address("10.20.1.2"), allowed)
    assert may_reach(ip_address("::ffff:10.20.1.2"), allowed)
    assert not may_reach(ip_address("10.21.1.2"), allowed)
    assert not may_reach(ip_address("127.0.0.1"), allowed)


@pytest.mark.parametrize(
    "address",
    [
        *("https://2130706433", "https://0x7f000001", "https://0177.0.0.1", "https://127.1"),
        *("https://0x7f.0.0.1", "https://017700000001", "https://127.0.0.1.0x0", "https://1."),
        *("http://10.0.0.1", "http://usage.example", "ftp://usage.example", "file:///etc/passwd"),
        *("https://user:pw@usage.example", "https://usage.example#@127.0.0.1", "gopher://x.y"),
        *("https://127.0.0.1\n.example", "https://[::1", "https://usage.example/v1?x=1", "//x.y"),
    ],
)
def test_an_address_that_hides_where_it_leads_is_no_address(address: str) -> None:
    with pytest.raises(ValueError, match=r"^must (be an address such as|start with https://)"):
        checked_usage_address(address)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]"])
def test_nothing_of_this_machine_is_asked_for_anybody(
    owner: Caller, closed: None, inside: Recorder, host: str
) -> None:
    scheme = "https" if "ffff" in host else "http"
    sent = {"admin_key": KEY, "base_url": f"{scheme}://{host}:{inside.server_port}/v1"}
    answer = owner.post("/sources", sent | {"name": "Inside"})
    message = REFUSED.format(host=host.strip("[]"))
    assert (answer.status_code, error_of(answer)["code"]) == (422, "address_refused")
    assert error_of(answer)["fields"] == [{"name": "base_url", "message": message}]
    tried = owner.post("/sources/probe", sent).json()
    assert (tried["ok"], tried["sentence"]) == (False, message)
    assert (inside.seen, Source.objects.count()) == ([], 0)


@pytest.mark.parametrize("address", ["10.0.0.5", "169.254.169.254", "fd00:ec2::254", "127.0.0.1"])
def test_a_name_that_leads_inside_is_refused_when_it_is_added_and_at_every_read(
    owner: Caller, closed: None, names: Callable[..., list[str]], address: str
) -> None:
    names(address, address)
    sent = {"name": "N", "admin_key": KEY, "base_url": "https://metadata.example/v1"}
    answer = owner.post("/sources", sent)
    message = REFUSED.format(host="metadata.example")
    assert error_of(answer)["fields"] == [{"name": "base_url", "message": message}]
    source = make_source(base_url="https://metadata.example/v1")
    services.update_source(source, admin_key=KEY, now=at(HOUR))
    assert services.probe_source(source, now=at(HOUR)).code == "address_refused"


def test_one_private_address_among_public_ones_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    both = [(2, 1, 6, "", ("1.1.1.1", 443)), (2, 1, 6, "", ("10.0.0.1", 443))]
    monkeypatch.setattr("ingest.openai_usage.reach.socket.getaddrinfo", lambda *_a, **_n: both)
    with (
        pytest.raises(AddressRefused),
        guarded_transport("https://x.example", []) as transport,
        UsageClient(base_url="https://x.example", admin_key=KEY, transport=transport) as client,
    ):
        client.list_projects()


def test_a_name_that_changes_its_answer_is_looked_up_once_for_each_request(
    inside: Recorder, names: Callable[..., list[str]]
) -> None:
    left = names("127.0.0.1", "127.0.0.2")  # the second one is what a rebinding name would say
    url = f"http://rebinding.example:{inside.server_port}/v1"
    transport = guarded_transport(url, [ip_network("127.0.0.1")])
    with UsageClient(base_url=url, admin_key=KEY, transport=transport) as client:
        with pytest.raises(RequestRefused, match="There is nothing at"):
            client.list_projects()
        assert left == ["127.0.0.2"]
        with pytest.raises(AddressRefused):
            client.list_projects()
    [(path, host)] = inside.seen
    assert path == "/v1/organization/projects"
    assert host == f"rebinding.example:{inside.server_port}"


def test_a_redirect_is_not_followed(inside: Recorder) -> None:
    url = f"http://127.0.0.1:{inside.server_port}/redirects"
    with (
        services.client_for(base_url=url, admin_key=KEY) as client,
        pytest.raises(RequestRefused, match=r"^The base URL redirects to 127\.0\.0\.1: the key is"),
    ):
        client.list_projects()
    assert [path for path, _host in inside.seen] == ["/redirects/organization/projects"]


def test_a_proxy_of_the_environment_is_not_asked_for_what_is_private(
    inside: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{inside.server_port}")
    with UsageClient(
        base_url="http://10.0.0.5/v1",
        admin_key=KEY,
        transport=guarded_transport("http://10.0.0.5/v1", []),
    ) as client:
        with pytest.raises(AddressRefused):
            client.list_projects()
        assert inside.seen == []
    public = "http://1.1.1.1/v1"
    with UsageClient(
        base_url=public, admin_key=KEY, transport=guarded_transport(public, [])
    ) as client:
        with pytest.raises(UsageError, match="There is nothing at"):
            client.list_projects()
        assert inside.seen == [("http://1.1.1.1/v1/organization/projects", "1.1.1.1")]


def test_the_demo_is_read_on_this_machine_and_cannot_be_pointed_elsewhere(
    owner: Caller, closed: None, inside: Recorder
) -> None:
    demo = services.ensure_demo_source(f"http://127.0.0.1:{inside.server_port}/v1", now=at(HOUR))
    assert demo is not None
    with services.client_of(demo) as client, pytest.raises(RequestRefused, match="404"):
        client.list_projects()
    assert len(inside.seen) == 1
    sent = {"base_url": "http://127.0.0.1:6379/v1", "admin_key": DEMO_KEY}
    answer = owner.patch(f"/sources/{demo.slug}", sent)
    sentence = "The address of demo data cannot be changed; add a source instead."
    assert (answer.status_code, error_of(answer)["message"]) == (422, sentence)
    demo.refresh_from_db()
    assert demo.base_url == f"http://127.0.0.1:{inside.server_port}/v1"


def test_what_the_operator_named_is_read_wherever_it_leads(
    closed: None, settings: Settings, inside: Recorder
) -> None:
    settings.USAGE_BASE_URL = f"http://127.0.0.1:{inside.server_port}/v1"
    with (
        services.client_for(base_url=settings.USAGE_BASE_URL, admin_key=KEY) as client,
        pytest.raises(RequestRefused, match="404"),
    ):
        client.list_projects()
    other = f"http://127.0.0.1:{inside.server_port}/other"
    with (
        services.client_for(base_url=other, admin_key=KEY) as client,
        pytest.raises(AddressRefused),
    ):
        client.list_projects()
    assert len(inside.seen) == 1
