"""Links are whole web addresses."""

from __future__ import annotations

import pytest

from cachewatch.api.links import web_address
from tests.cachewatch.people import Caller, error_of


@pytest.mark.parametrize(
    ("link", "kept"),
    [
        ("", ""),
        ("https://tracker.example.org/RAG-12?a=b&c=%20#d", None),
        ("http://127.0.0.1:8000/1", None),
        ("https://[::1]:8443/x", None),
        ("https://b\u00fccher.example/\u00fc", None),
        ("HTTPS://X.org/A", "https://X.org/A"),
    ],
)
def test_a_whole_address_is_kept_with_its_scheme_in_small_letters(
    link: str, kept: str | None
) -> None:
    assert web_address(link) == (link if kept is None else kept)


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ("javascript:alert(1)", "must begin with https:// or http://"),
        ("ftp://x.org", "must begin with https:// or http://"),
        ("https:x.org", "must begin with https:// or http://"),
        (" https://x.org", "must begin with https:// or http://"),
        ("https://[::1", "must be a whole address"),
        ("https://", "must be a whole address"),
        ("https:///path", "must be a whole address"),
        ("https://x.org:port/", "must be a whole address"),
        ('https://x"onclick=alert(1)', "must not hold spaces"),
        ("https://x.org/\n<script>", "must not hold spaces"),
        ("https://x.org/a b", "must not hold spaces"),
        ("https://x.org/\u202egpj", "must not hold spaces"),
    ],
)
def test_what_is_no_address_is_refused_in_words(link: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        web_address(link)


@pytest.mark.usefixtures("acme")
def test_a_marker_with_half_an_address_is_refused_by_name(owner: Caller) -> None:
    answer = owner.post("/markers", {"source": "acme", "kind": "deploy", "link": "https://[::1"})
    assert answer.status_code == 422
    assert [one["name"] for one in error_of(answer)["fields"]] == ["link"]
