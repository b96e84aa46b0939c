"""Words that depend on what else is stored: other markers, hours that are unread, traffic that ends."""

from __future__ import annotations

from cachewatch.rollouts.models import Readout
from cachewatch.rollouts.presenting import markdown
from cachewatch.rollouts.services import measure_due
from ingest.models import Series, Source
from tests.cachewatch.rollouts.histories import (
    CONTROLS,
    SHIPPED_DAY,
    SHIPPED_HOUR,
    row,
    steady,
    store_repair,
    store_rows,
)
from tests.cachewatch.rollouts.test_readouts import MODEL, after_days, ship
from tests.cachewatch.verdicts.histories import days
from tests.factories import at


def words() -> list[tuple[str, list[str], str]]:
    """State, reasons and heading of every readout, the earliest first."""
    found = Readout.objects.order_by("rollout__marker__starts_at")
    documents = [(one.state, one.document or {}) for one in found]
    return [(state, one["reasons"], one["texts"]["heading"]) for state, one in documents]


def test_two_keys_a_day_apart_contaminate_each_other_though_nothing_moved(acme: Source) -> None:
    store_repair(acme, SHIPPED_DAY + 5, after=steady, before=steady)
    now = after_days(5)
    ship(acme, now)
    ship(acme, now, starts_at=at(SHIPPED_HOUR - 24))
    measure_due(acme, now=now)
    first, second = "key shipped (Sun 15 Nov 00:00 UTC)", "key shipped (Mon 16 Nov 00:00 UTC)"
    assert words() == [
        ("contaminated", ["other_markers"], f"Two changes at once: the {first} and {second}"),
        ("contaminated", ["other_markers"], f"Two changes at once: the {second} and {first}"),
    ]


def test_a_series_that_begins_with_its_marker_is_not_measurable_once_the_days_before_are_read(
    acme: Source,
) -> None:
    late = days(SHIPPED_DAY, SHIPPED_DAY + 2)
    store_rows(acme, [row(hour, "proj_a", steady) for hour in late], late, late[-1] + 3)
    ship(acme, after_days(2))
    measure_due(acme, now=after_days(2))
    assert [one[:2] for one in words()] == [("collecting", ["hours-to-read"])]
    early = days(SHIPPED_DAY - 7, SHIPPED_DAY)
    store_rows(acme, [row(hour, CONTROLS[0], steady) for hour in early], early, late[-1] + 3)
    assert measure_due(acme, now=after_days(2)) == 1
    assert [one[:2] for one in words()] == [("not-measurable", ["no-traffic-before"])]
    assert Series.objects.get(project_id="proj_a").model == MODEL


def test_traffic_that_stops_after_the_marker_is_said_with_the_hour(acme: Source) -> None:
    store_repair(acme, SHIPPED_DAY + 1)
    silent = days(SHIPPED_DAY + 1, SHIPPED_DAY + 3)
    store_rows(acme, [row(hour, CONTROLS[0], steady) for hour in silent], silent, silent[-1] + 3)
    ship(acme, after_days(3))
    measure_due(acme, now=after_days(3))
    ((state, reasons, heading),) = words()
    assert (state, reasons) == ("collecting", ["traffic-stopped"])
    assert heading == (
        "No traffic since Tue 17 Nov 00:00 UTC, 48 hours; look again on Fri 20 Nov 00:00 UTC."
    )


def test_evidence_claims_no_value_without_a_change_also_where_older_rules_stored_one(
    acme: Source,
) -> None:
    store_repair(acme, SHIPPED_DAY + 5, after=steady, before=steady)
    ship(acme, after_days(5))
    measure_due(acme, now=after_days(5))
    found = Readout.objects.get()
    assert found.state == "no-detectable-change"
    assert found.document is not None
    found.document["texts"]["value"] = "Value: \u22121.33M cached tokens a week; $4.8 more spent."
    copied = markdown(found, "https://cachewatch.example.com/readouts/1")
    assert "- Value: N/A, none is claimed without a change that can be told.\n" in copied
    assert "$4.8" not in copied
