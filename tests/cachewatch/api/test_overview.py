"""The overview and the freshness in the header."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from cachewatch.verdicts.models import Decision, Verdict
from cachewatch.verdicts.money import NO_CLAIM
from ingest.models import Series, Source, SourceHour
from tests.cachewatch.people import Caller
from tests.cachewatch.verdicts.histories import (
    DAY_LOAD,
    TOKENS_A_REQUEST,
    days,
    flat_low,
    store_hours,
)
from tests.factories import HOUR, make_source


def test_the_overview_sums_the_newest_verdicts(owner: Caller, week: Source) -> None:
    overview = owner.get("/overview").json()
    assert overview["headline"] == "$439 to $774 a week avoidable in 1 of 3 series"
    assert overview["window"] == {
        "start": "2026-11-02T00:00:00Z",
        "end": "2026-11-09T00:00:00Z",
        "hours": 168,
    }
    pooled = overview["pooled"]
    assert pooled["input_tokens"] == 3 * 7 * sum(DAY_LOAD) * TOKENS_A_REQUEST
    assert pooled["share"] == pooled["cached_tokens"] / pooled["input_tokens"]
    assert overview["previous_pooled"] is None
    assert (overview["series"], overview["projects"], overview["findings"]) == (3, 3, 3)
    assert (overview["new_findings"], overview["losing_under_load"]) == (3, 1)
    assert overview["verdict_counts"] == [
        {"code": "load-correlated-misses", "count": 1},
        {"code": "flat-low-share", "count": 2},
    ]
    groups = [(group["name"], group["count"]) for group in overview["groups"]]
    assert groups == [
        *(("routing", 1), ("prefix", 2), ("lifetime", 0), ("mix-or-change", 0)),
        *(("no-finding", 0), ("no-data", 0)),
    ]
    assert owner.get("/series/facets").json()["groups"] == overview["groups"]
    assert overview["near_threshold"] == 0
    assert overview["sources"] == [{"slug": "acme", "name": "Acme", "kind": "openai"}]
    assert overview["has_source"] is True


def test_only_hours_that_are_read_whole_are_counted_as_complete(
    owner: Caller, week: Source
) -> None:
    SourceHour.objects.filter(source=week, hour__lt=HOUR + 69).delete()
    window = owner.get("/overview").json()["window"]
    assert window == {
        "start": "2026-11-02T00:00:00Z",
        "end": "2026-11-09T00:00:00Z",
        "hours": 99,
    }


def test_an_hour_is_complete_where_every_source_of_the_window_has_read_it(
    owner: Caller, week: Source
) -> None:
    globex = make_source("globex")
    assert owner.get("/overview").json()["window"]["hours"] == 168
    store_hours(globex, days(4, 6), flat_low)
    assert owner.get("/overview").json()["window"]["hours"] == 48


def test_series_that_miss_a_threshold_by_little_are_counted(owner: Caller, week: Source) -> None:
    Verdict.objects.filter(series__project_id="proj_b").update(
        code="healthy", flags=["low", "near-threshold"]
    )
    Verdict.objects.filter(series__project_id="proj_a").update(flags=["near-threshold"])
    assert owner.get("/overview").json()["near_threshold"] == 1  # proj_a is a finding already


def test_the_overview_counts_the_series_that_the_table_lists(owner: Caller, week: Source) -> None:
    Series.objects.create(source=week, project_id="proj_idle", model="gpt-5.4")
    store_hours(week, days(7, 8), flat_low, read_at_hour=HOUR + 194, proj_new=flat_low)
    overview, table = owner.get("/overview").json(), owner.get("/series").json()
    assert overview["series"] == table["total"] == 5
    assert overview["projects"] == len({row["project_id"] for row in table["items"]}) == 5
    assert overview["headline"].endswith("avoidable in 1 of 5 series")


def test_the_overview_adds_up_what_is_avoidable_and_names_the_largest(
    owner: Caller, week: Source
) -> None:
    overview, table = owner.get("/overview").json(), owner.get("/series").json()["items"]
    found = overview["avoidable"]
    assert (found["priced"], found["unpriced"], found["priced_share"]) == (1, 0, 1.0)
    assert (found["amount"], found["price_date"]) == ("$439 to $774", "2026-11-08")
    assert found["covers"] == "1 series priced; prices of 8 Nov 2026"
    (largest,) = overview["largest"]
    row = table[0]
    assert largest["avoidable"] == row["avoidable"]
    assert largest["avoidable"]["usd_per_week"] == found["usd_per_week"]
    assert (largest["code"], largest["word"]) == (row["verdict"]["code"], row["verdict"]["word"])
    for name in ("id", "path", "project_name", "model_name", "money"):
        assert largest[name] == row[name]


def test_findings_without_a_price_are_counted_and_no_dollar_is_made_up(
    owner: Caller, week: Source
) -> None:
    verdict = Verdict.objects.filter(series__project_id="proj_a")
    verdict.update(
        avoidable_usd_low=None, avoidable_usd_high=None, price_date=None, priced_share=0.0
    )
    overview = owner.get("/overview").json()
    found = overview["avoidable"]
    assert (found["usd_per_week"], found["amount"]) == (None, "unpriced")
    assert (found["priced"], found["unpriced"], found["covers"]) == (0, 1, "1 finding unpriced")
    assert overview["headline"].endswith("tokens a week avoidable in 1 of 3 series, unpriced")
    assert "$" not in overview["headline"]


def test_without_a_claim_the_headline_counts_the_series_that_lose_under_load(
    owner: Caller, week: Source
) -> None:
    Verdict.objects.update(**NO_CLAIM)
    overview = owner.get("/overview").json()
    assert overview["headline"] == "1 of 3 series loses its prompt cache under load"
    assert (overview["avoidable"]["amount"], overview["largest"]) == ("none claimed", [])
    assert overview["avoidable"]["usd_per_week"] is None


def test_series_whose_hours_are_not_settled_yet_have_traffic_and_no_all_clear(
    owner: Caller, week: Source
) -> None:
    nothing: dict[str, None] = dict.fromkeys(("requests", "input_tokens", "cached_tokens"))
    Verdict.objects.update(**NO_CLAIM, **nothing, code="too-few-linked-hours")
    overview = owner.get("/overview").json()
    assert overview["headline"] == "No series can be judged yet: 3 of 3 have too few hours"
    Series.objects.update(last_hour=HOUR - 200)
    assert owner.get("/overview").json()["headline"] == "No traffic in the last 7 days"


def test_before_the_first_verdict_no_hours_are_claimed(owner: Caller, acme: Source) -> None:
    Series.objects.create(source=acme, project_id="proj_a", model="gpt-5.4")
    overview = owner.get("/overview").json()
    assert (overview["window"], overview["series"]) == (None, 1)
    assert overview["headline"].startswith("No verdict yet")


def test_hours_without_any_usage_that_could_be_placed_promise_no_verdict(
    owner: Caller, acme: Source, clock: datetime
) -> None:
    waiting = "No verdict yet: the first one follows the first hours that are read"
    assert owner.get("/overview").json()["headline"] == waiting
    hour = int(clock.timestamp()) // 3600 - 3
    SourceHour.objects.create(source=acme, hour=hour, fetched_at=clock, grouping="")
    overview = owner.get("/overview").json()
    expected = "No verdict yet: the hours read so far hold no usage that could be placed"
    assert (overview["series"], overview["headline"]) == (0, expected)
    Series.objects.create(source=acme, project_id="proj_a", model="gpt-5.4")
    assert owner.get("/overview").json()["headline"] == waiting


def test_a_source_that_others_push_to_waits_for_its_first_push(owner: Caller) -> None:
    pushed = make_source("gateway", kind=Source.Kind.REQUESTS)
    waiting = "No verdict yet: waiting for the first push"
    assert owner.get("/overview").json()["headline"] == waiting
    Series.objects.create(source=pushed, project_id="proj_a", model="gpt-5.4")
    settling = "No verdict yet: the first one follows once an hour that was pushed has settled"
    assert owner.get("/overview").json()["headline"] == settling


def test_the_week_before_is_compared_once_it_has_verdicts(owner: Caller, fortnight: Source) -> None:
    overview = owner.get("/overview").json()
    assert round(overview["previous_pooled"]["share"], 3) == 0.1
    assert overview["pooled"]["share"] > 0.2
    assert overview["new_findings"] == 0


def test_a_finding_that_began_more_than_two_days_ago_is_not_new(
    owner: Caller, week: Source
) -> None:
    Decision.objects.update(since_day="2026-11-05")
    assert owner.get("/overview").json()["new_findings"] == 0


def test_nothing_connected_is_said_and_no_number_is_made_up(owner: Caller) -> None:
    overview = owner.get("/overview").json()
    assert overview["headline"] == "No data yet: connect an OpenAI organization to start"
    assert overview["has_source"] is False
    assert (overview["window"], overview["series"]) == (None, 0)
    assert overview["pooled"] == {"share": None, "cached_tokens": None, "input_tokens": None}


def test_freshness_marks_twelve_hours_and_the_end_of_complete_history(
    owner: Caller, week: Source
) -> None:
    fresh = owner.get("/freshness").json()
    assert fresh["complete_to"] == "2026-11-09T00:00:00Z"
    assert [hour["state"] for hour in fresh["hours"]] == [
        *["complete"] * 9,
        "missing",
        "missing",
        "open",
    ]
    assert fresh["hours"][-1]["hour"] == "2026-11-09T02:00:00Z"
    assert (fresh["hours_behind"], fresh["stale"], fresh["settling_hours"]) == (2, False, 0)
    assert fresh["demo"] is False


def test_freshness_of_several_sources_is_the_worst_of_them(
    owner: Caller, week: Source, clock: datetime
) -> None:
    globex = make_source("globex")
    assert owner.get("/freshness").json()["complete_to"] is None
    first = int(clock.timestamp()) // 3600 - 11
    for hour in range(first, first + 7):
        SourceHour.objects.create(source=globex, hour=hour, fetched_at=clock, grouping="")
    fresh = owner.get("/freshness").json()
    assert fresh["complete_to"] == "2026-11-08T22:00:00Z"
    assert [hour["state"] for hour in fresh["hours"]] == [
        *["complete"] * 7,
        *["missing"] * 4,
        "open",
    ]
    assert (fresh["hours_behind"], fresh["stale"]) == (4, True)
    Source.objects.filter(pk=globex.pk).update(paused=True)
    assert owner.get("/freshness").json()["complete_to"] == "2026-11-09T00:00:00Z"


def test_hours_before_a_first_push_are_no_missing_hours(owner: Caller, clock: datetime) -> None:
    def states() -> list[str]:
        return [hour["state"] for hour in owner.get("/freshness").json()["hours"]]

    pushed = make_source("gateway", kind=Source.Kind.REQUESTS)
    assert states() == ["open"]
    hour = int(clock.timestamp()) // 3600
    for told in (hour - 4, hour - 2):
        SourceHour.objects.create(source=pushed, hour=told, fetched_at=clock, grouping="")
    assert states() == ["complete", "missing", "complete", "missing", "open"]


def test_freshness_turns_stale_after_more_than_three_hours(
    owner: Caller, week: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    complete_to = datetime(2026, 11, 9, tzinfo=UTC)
    for minutes, stale in ((179, False), (180, False), (181, True)):
        now = complete_to + timedelta(minutes=minutes)
        monkeypatch.setattr(timezone, "now", lambda now=now: now)
        fresh = owner.get("/freshness").json()
        assert (fresh["complete_to"], fresh["stale"]) == ("2026-11-09T00:00:00Z", stale)
