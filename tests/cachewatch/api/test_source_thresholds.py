"""The thresholds of a source over HTTP: its series follow them, and their own come first."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from cachewatch.accounts.models import User
from cachewatch.verdicts.models import ThresholdOverride, Verdict
from cachewatch.verdicts.services import classify_stale
from ingest.models import Series, Source
from tests.cachewatch.people import Caller, error_of

ADDRESS = "/sources/acme/thresholds"
DEFAULTS = {"rho_floor": -0.4, "ratio_floor": 0.6, "quiet_floor": 0.15, "min_hours": 24}


def values_of(caller: Caller, series: Series) -> dict[str, Any]:
    values: dict[str, Any] = caller.get(f"/series/{series.pk}").json()["threshold_values"]
    return values


def test_a_source_has_the_defaults_until_an_admin_sets_others(ada: User, acme: Source) -> None:
    caller = Caller(ada)
    assert caller.get(ADDRESS).json() == DEFAULTS | {"set_by": "default"}
    changed = caller.call("PUT", ADDRESS, {"quiet_floor": 0.9}).json()
    assert changed == caller.get(ADDRESS).json()
    assert changed == DEFAULTS | {"quiet_floor": 0.9, "set_by": "source"}
    assert ThresholdOverride.objects.get().changed_by == ada
    assert caller.call("DELETE", ADDRESS).status_code == 204
    assert caller.get(ADDRESS).json() == DEFAULTS | {"set_by": "default"}


def test_the_verdicts_of_a_source_follow_its_thresholds(
    ada: User, week: Source, clock: datetime
) -> None:
    caller, series = Caller(ada), Series.objects.get(project_id="proj_a")
    caller.call("PUT", ADDRESS, {"min_hours": 168})
    assert classify_stale([week], now=clock) == 3
    newest = Verdict.objects.get(series=series, is_newest=True)
    assert newest.code == "too-few-linked-hours"
    assert values_of(caller, series) == DEFAULTS | {"min_hours": 168, "set_by": "source"}


def test_the_thresholds_of_a_series_come_before_those_of_its_source(
    ada: User, week: Source
) -> None:
    caller, series = Caller(ada), Series.objects.get(project_id="proj_a")
    caller.call("PUT", ADDRESS, {"quiet_floor": 0.9, "min_hours": 100})
    caller.call("PUT", f"/series/{series.pk}/thresholds", {"quiet_floor": 0.2})
    assert values_of(caller, series) == DEFAULTS | {
        "quiet_floor": 0.2,
        "min_hours": 100,
        "set_by": "series",
    }


def test_a_threshold_out_of_its_range_is_refused_by_name(owner: Caller, acme: Source) -> None:
    answer = owner.call("PUT", ADDRESS, {"rho_floor": 0.5})
    error = error_of(answer)
    assert (answer.status_code, error["fields"][0]["name"]) == (422, "rho_floor")
    assert not ThresholdOverride.objects.exists()


@pytest.mark.parametrize("source", ["globex", "nowhere"])
def test_thresholds_of_a_hidden_source_are_not_there(
    ada: User, globex: Source, source: str
) -> None:
    assert Caller(ada).get(f"/sources/{source}/thresholds").status_code == 404
