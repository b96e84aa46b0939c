"""Who may see and write markers, and what their lists cost."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from cachewatch.accounts.models import Role, User
from ingest.models import Series, Source
from tests.cachewatch.api.marker_calls import KEY, NOW, listed, posted
from tests.cachewatch.people import Caller, error_of, make_member


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> datetime:
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    return NOW


@pytest.fixture
def series(acme: Source) -> Series:
    return Series.objects.create(source=acme, project_id="proj_a", model="gpt-5.4")


def test_a_reader_writes_nothing_and_a_stranger_learns_of_nothing(
    owner: Caller, rita: User, globex: Source, series: Series
) -> None:
    made = posted(owner, KEY)
    path = f"/markers/{made['id']}"
    reader = Caller(rita)
    assert reader.get(path).status_code == 200
    for method, where, body in (
        ("POST", "/markers", KEY),
        ("PATCH", path, {"note": "x"}),
        ("DELETE", path, None),
        ("POST", f"{path}/confirm", None),
    ):
        assert error_of(reader.call(method, where, body))["code"] == "role_too_low"
    elsewhere = Caller(make_member("gina@example.org", Role.MEMBER, [globex]))
    assert elsewhere.get(path).status_code == 404
    assert elsewhere.patch(path, {"note": "x"}).status_code == 404
    assert elsewhere.post("/markers", KEY).status_code == 404
    assert listed(elsewhere) == []
    assert elsewhere.get(f"/markers?series_id={series.pk}").status_code == 404


@pytest.mark.parametrize(("path", "queries"), [("/markers", 8), ("/rollouts", 8), ("/readouts", 8)])
def test_a_list_does_not_ask_once_per_row(
    owner: Caller, acme: Source, path: str, queries: int
) -> None:
    for number in range(3):
        Series.objects.create(source=acme, project_id=f"p{number}", model="gpt-5.4")
        posted(owner, KEY | {"project_id": f"p{number}"})
    for limit in (1, 3):
        with CaptureQueriesContext(connection) as asked:
            answer = owner.get(f"{path}?limit={limit}").json()
        assert (len(answer["items"]), answer["total"]) == (limit, 3)
        assert len(asked) == queries
