"""One series over HTTP: its page, hours, history and thresholds."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from itertools import pairwise
from typing import Any

import pytest

from cachewatch.accounts.models import User
from cachewatch.analysis.controls.every import NAMES
from cachewatch.verdicts.models import ThresholdOverride, Verdict
from cachewatch.verdicts.services import classify_stale
from ingest.models import ApiKeyName, Series, Source
from ingest.store import store_usage
from tests.cachewatch.people import Caller, error_of
from tests.cachewatch.verdicts.histories import DAY_LOAD, TOKENS_A_REQUEST, days, falling
from tests.factories import GROUPING, HOUR, at, hourly_usage, make_run, make_source, usage_row


def series_id(project: str | None = "proj_a") -> int:
    return Series.objects.get(project_id=project).pk


def detail(caller: Caller, project: str | None = "proj_a", query: str = "") -> dict[str, Any]:
    answer = caller.get(f"/series/{series_id(project)}{query}")
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_the_gap_has_its_interval_unless_hours_changed_since(owner: Caller, week: Source) -> None:
    page = detail(owner)
    found = page["intervals"]
    gap = page["busy"]["share"] - page["quiet"]["share"]
    assert found["gap"][0] <= gap <= found["gap"][1] < -0.4
    # The history falls with load without a chance: a perfect correlation has no error.
    assert (found["rho"], found["days"], found["confidence"]) == (None, 7, 0.9)
    Verdict.objects.filter(series_id=page["id"]).update(busy_share=0.5)
    assert detail(owner)["intervals"] is None


def test_the_page_of_a_series_holds_its_evidence(owner: Caller, week: Source) -> None:
    ApiKeyName.objects.create(source=week, api_key_id="key_1", project_id="proj_a", name="gateway")
    page = detail(owner)
    assert page["window"] == {"start": "2026-11-02T00:00:00Z", "end": "2026-11-09T00:00:00Z"}
    assert page["excluded"]["unknown_before"] == 1
    assert [row["name"] for row in page["thresholds"]] == [
        *("gap_points", "gap_days_agree", "quiet_floor", "beyond_length"),
        *("noise_ratio", "clock_fraction", "min_hours"),
    ]
    assert all(row["passes"] is not False for row in page["thresholds"])
    assert page["threshold_values"] == {
        "rho_floor": -0.4,
        "ratio_floor": 0.6,
        "quiet_floor": 0.15,
        "min_hours": 24,
        "set_by": "default",
    }
    assert [list(step) for step in page["repairs"]] == [
        ["key", "step", "why", "how", "result", "samples"]
    ] * len(page["repairs"])
    work = owner.get(f"/series/{page['id']}/work").json()
    assert [step["samples"] for step in page["repairs"]] == [
        step["samples"] for step in work["checklist"]
    ]
    assert page["repairs"][0]["samples"][0]["label"] == "HTTP"
    assert page["api_keys"] == [{"api_key_id": "key_1", "name": "gateway"}]
    assert page["decided_at"] == "2026-11-09T02:10:00Z"
    assert page["lede"]


def test_the_page_of_a_series_says_what_is_ruled_out_and_what_is_open(
    owner: Caller, week: Source
) -> None:
    page = detail(owner)
    assert [control["name"] for control in page["controls"]] == list(NAMES)
    controls = {control["name"]: control for control in page["controls"]}
    assert controls["share-over-load"]["status"] == "fired"
    assert controls["prompt-length"] == {
        "name": "prompt-length",
        "status": "ruled_out",
        "statement": "Busy prompts are 100% as long as quiet ones, and 1,363 cached tokens a request "
        "become 328: length leaves 52 points of a fall of 52 points.",
        "to_flip": "Half of the fall explained by the length of the prompts.",
        "numbers": controls["prompt-length"]["numbers"],
    }
    assert controls["prompt-length"]["numbers"]["size_change"] == 1.0
    assert (controls["fan-out"]["status"], controls["region"]["status"]) == ("open", "not_testable")
    assert page["generation"] == "up to GPT-5.4"
    assert (page["cell"], page["verdict"]["onset"]) == (None, None)
    assert page["stability"]["stands"] is True
    assert round(page["stability"]["without_one_day"], 2) == 0.52
    assert (page["verdict"]["flags"], page["verdict"]["near_threshold"]) == ([], False)


def store_guilty_key(source: Source) -> None:
    """Two keys of one load; the one named gateway scatters from the fourth day on, no other does."""
    ApiKeyName.objects.create(
        source=source, api_key_id="key_a", project_id="proj_a", name="gateway"
    )
    rows = []
    for hour in days(0, 7):
        load = DAY_LOAD[hour % 24]
        tokens = load * TOKENS_A_REQUEST
        shares = {"key_a": falling(load) if hour >= HOUR + 72 else 0.7, "key_b": 0.7}
        for key, share in shares.items():
            cached = round(tokens * share)
            counted = {"requests": load, "input_tokens": tokens, "cached_tokens": cached}
            rows.append(usage_row(hour, api_key_id=key, uncached_tokens=tokens - cached, **counted))
    now = at(HOUR + 24 * 7 + 2, 10)
    store_usage(source, hourly_usage(rows), run=make_run(source), grouping=GROUPING, now=now)
    classify_stale([source], now=now)


@pytest.mark.usefixtures("clock")
def test_a_guilty_key_is_named_with_the_time_it_began(owner: Caller, acme: Source) -> None:
    store_guilty_key(acme)
    page = detail(owner)
    assert page["verdict"]["code"] == "load-correlated-misses"
    assert page["cell"] == {
        "api_key_id": "key_a",
        "api_key_name": "gateway",
        "service_tier": "default",
        "batch": False,
    }
    assert page["verdict"]["onset"] == {"at": "2026-11-05T09:00:00Z", "provisional": False}
    (row,) = owner.get("/series").json()["items"]
    assert row["verdict"] == page["verdict"]


def test_a_series_that_is_not_classified_yet_has_a_page(owner: Caller, acme: Source) -> None:
    Series.objects.create(source=acme, project_id="proj_a", model="gpt-5.4")
    page = detail(owner)
    assert (page["verdict"], page["window"], page["thresholds"]) == (None, None, [])
    assert (page["linked_hours"], page["excluded"]) == (None, None)
    assert (page["controls"], page["stability"], page["generation"]) == ([], None, None)
    assert page["lede"].startswith("Not classified yet")
    assert page["lede"].endswith("within a minute of the first read.")


def test_a_pushed_series_is_classified_once_a_pushed_hour_has_settled(owner: Caller) -> None:
    pushed = make_source("gateway", kind=Source.Kind.BUCKETS)
    series = Series.objects.create(source=pushed, project_id="proj_a", model="gpt-5.4")
    page = owner.get(f"/series/{series.pk}").json()
    assert page["lede"] == (
        "Not classified yet: the first verdict follows once an hour that was pushed has settled."
    )


@pytest.mark.parametrize(
    ("project", "model"), [("proj_a", "gpt-5.4"), ("_none", "gpt-5.4"), ("proj_a", "ft:org/x y")]
)
def test_a_series_is_found_by_its_address(
    owner: Caller, week: Source, project: str, model: str
) -> None:
    Series.objects.create(source=week, project_id="proj_a", model="ft:org/x y")
    found = owner.client.get(
        "/api/v1/series/by-path", {"source": "acme", "project": project, "model": model}
    ).json()
    assert (found["project_id"] or "_none", found["model"]) == (project, model)


def test_an_address_percent_encodes_slashes_and_spaces(owner: Caller, acme: Source) -> None:
    Series.objects.create(source=acme, project_id="proj_a", model="ft:org/x y")
    assert detail(owner)["path"] == "/series/acme/proj_a/ft%3Aorg%252Fx%20y"


def test_neighbours_follow_the_order_of_the_table(owner: Caller, week: Source) -> None:
    def around(series: int, query: str) -> tuple[int | None, int | None]:
        page = owner.get(f"/series/{series}{query}").json()
        return page["previous_id"], page["next_id"]

    for query in ("", "?sort=-project", "?sort=share"):
        table = [row["id"] for row in owner.get(f"/series{query}").json()["items"]]
        assert [around(series, query) for series in table] == [
            (None, table[1]),
            (table[0], table[2]),
            (table[1], None),
        ]
    outside = "?verdict=load-correlated-misses"
    assert around(series_id("proj_a"), outside) == (None, None)
    assert around(series_id("proj_b"), outside) == (None, None)


def test_the_hours_are_the_window_and_those_since(owner: Caller, week: Source) -> None:
    hours = owner.get(f"/series/{series_id()}/hours").json()
    assert (hours["start"], hours["end"]) == ("2026-11-02T00:00:00Z", "2026-11-09T03:00:00Z")
    assert hours["complete_to"] == "2026-11-09T00:00:00Z"
    states = [hour["state"] for hour in hours["items"]]
    assert states[0] == "unknown_before"
    assert states[1:168] == ["used"] * 167
    assert states[168:] == ["missing", "settling", "open"]
    thirds = Counter(hour["third"] for hour in hours["items"])
    assert (thirds["quiet"], thirds["busy"]) == (55, 55)
    second = hours["items"][1]
    assert second == {
        "hour": "2026-11-02T01:00:00Z",
        "state": "used",
        "requests": 150,
        "input_tokens": 300_000,
        "cached_tokens": 208_800,
        "cache_write_tokens": None,
        "share": 0.696,
        "third": "quiet",
    }
    assert hours["items"][168]["requests"] is None


@pytest.mark.parametrize(
    ("query", "start", "end"),
    [
        ("?from=2026-11-03T05&to=2026-11-03T07", "2026-11-03T05:00:00Z", "2026-11-03T07:00:00Z"),
        ("?from=2026-11-03&to=2026-11-04", "2026-11-03T00:00:00Z", "2026-11-04T00:00:00Z"),
        (
            "?from=2026-11-03T05:59:59Z&to=2026-11-03T08:00:00%2B01:00",
            "2026-11-03T05:00:00Z",
            "2026-11-03T07:00:00Z",
        ),
        ("?from=1793682000&to=1793685600", "2026-11-03T05:00:00Z", "2026-11-03T06:00:00Z"),
        ("?to=2026-11-03T07", "2026-11-02T00:00:00Z", "2026-11-03T07:00:00Z"),
    ],
)
def test_a_span_is_taken_in_every_spelling(
    owner: Caller, week: Source, query: str, start: str, end: str
) -> None:
    hours = owner.get(f"/series/{series_id()}/hours{query}").json()
    assert (hours["start"], hours["end"]) == (start, end)
    assert hours["items"][0]["hour"] == start


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("?from=yesterday", "from"),
        ("?from=2026-11-03T05:00:00", "from"),
        ("?to=-1", "to"),
        ("?to=99999999999999", "to"),
        ("?from=2026-11-03T05&to=2026-11-03T05", "to"),
        ("?from=2026-10-01&to=2026-11-03", "to"),
    ],
)
def test_a_span_that_cannot_be_is_refused_by_name(
    owner: Caller, week: Source, query: str, field: str
) -> None:
    answer = owner.get(f"/series/{series_id()}/hours{query}")
    error = error_of(answer)
    assert (answer.status_code, error["fields"][0]["name"]) == (422, field)


def test_history_is_runs_of_days_with_their_flips(owner: Caller, fortnight: Source) -> None:
    history = owner.get(f"/series/{series_id()}/verdicts").json()
    runs = history["items"]
    assert history["complete_to"] == "2026-11-16T00:00:00Z"
    assert history["days_stored"] == sum(run["days"] for run in runs) == 8
    assert (runs[0]["start"], runs[0]["flipped_from"]) == ("2026-11-08", None)
    assert runs[0]["code"] == "flat-low-share"
    assert runs[-1]["code"] == "load-correlated-misses"
    assert runs[-1]["end"] == "2026-11-16"
    for before, after in pairwise(runs):
        assert before["end"] == after["start"]
        assert after["flipped_from"] == before["code"]


def test_a_day_without_a_verdict_ends_a_run_and_is_no_flip(
    owner: Caller, fortnight: Source
) -> None:
    Verdict.objects.filter(day="2026-11-10").delete()
    runs = owner.get(f"/series/{series_id()}/verdicts").json()["items"]
    after_gap = next(run for run in runs if run["start"] == "2026-11-11")
    assert after_gap["flipped_from"] is None


def test_an_admin_sets_thresholds_and_takes_them_back(
    ada: User, week: Source, clock: datetime
) -> None:
    caller, address = Caller(ada), f"/series/{series_id()}/thresholds"
    page = caller.call("PUT", address, {"quiet_floor": 0.9}).json()
    assert page["threshold_values"]["quiet_floor"] == 0.9
    assert page["threshold_values"]["set_by"] == "series"
    assert ThresholdOverride.objects.get().changed_by == ada
    classify_stale([week], now=clock)
    assert detail(caller)["verdict"]["code"] != "load-correlated-misses"
    assert caller.call("DELETE", address).status_code == 204
    assert detail(caller)["threshold_values"]["set_by"] == "default"


@pytest.mark.parametrize("values", [{"rho_floor": 0.5}, {"min_hours": 1000}])
def test_a_threshold_out_of_its_range_is_refused_by_name(
    owner: Caller, week: Source, values: dict[str, float]
) -> None:
    answer = owner.call("PUT", f"/series/{series_id()}/thresholds", values)
    error = error_of(answer)
    assert (answer.status_code, error["fields"][0]["name"]) == (422, next(iter(values)))
    assert not ThresholdOverride.objects.exists()
