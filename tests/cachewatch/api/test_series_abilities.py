"""The page of a series: what the caller may do there, and until when its model is served."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from cachewatch.accounts.models import Membership, Role, User
from cachewatch.verdicts.services import classify_stale
from ingest.models import Series, Source
from ingest.store import store_usage
from tests.cachewatch.people import Caller, make_member, token_caller
from tests.cachewatch.verdicts.histories import days
from tests.factories import GROUPING, HOUR, at, hourly_usage, make_run, make_source, usage_row


def detail(caller: Caller, project: str = "proj_a") -> dict[str, Any]:
    answer = caller.get(f"/series/{Series.objects.get(project_id=project).pk}")
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_the_page_says_what_the_caller_may_do_with_this_source_not_with_another(
    owner: Caller, bob: User, rita: User, week: Source
) -> None:
    assert detail(owner)["can"] == {"annotate": True}
    assert detail(Caller(bob))["can"] == {"annotate": True}
    assert detail(Caller(rita))["can"] == {"annotate": False}
    member_elsewhere = make_member("mo@example.org", Role.MEMBER, [make_source("initech")])
    Membership.objects.create(
        user=member_elsewhere, source=week, role=Role.READ_ONLY, created_at=at(HOUR)
    )
    assert Caller(member_elsewhere).get("/me").json()["can"]["annotate"] is True
    assert detail(Caller(member_elsewhere))["can"] == {"annotate": False}
    assert detail(token_caller(bob, "read"))["can"] == {"annotate": False}


def test_a_model_that_is_shut_down_soon_is_flagged_with_its_day(
    owner: Caller, acme: Source, clock: datetime
) -> None:
    rows = [
        usage_row(hour, project_id=f"proj_{place}", model=model)
        for hour in days(0, 7)
        for place, model in enumerate(("gpt-5", "gpt-5.4"))
    ]
    store_usage(acme, hourly_usage(rows), run=make_run(acme), grouping=GROUPING, now=clock)
    classify_stale([acme], now=clock)
    leaves, stays = detail(owner, "proj_0")["verdict"], detail(owner, "proj_1")["verdict"]
    assert ("model-retires" in leaves["flags"], leaves["retires_on"]) == (True, "2026-12-11")
    assert ("model-retires" in stays["flags"], stays["retires_on"]) == (False, None)
    listed = owner.get("/series?flag=model-retires").json()["items"]
    assert [row["verdict"]["retires_on"] for row in listed] == ["2026-12-11"]
