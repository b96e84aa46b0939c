"""What a provider says differently the next time, and clocks that do not agree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ingest.models import IngestRun, Reject
from tests.faults.reading import connect, now_of, outcome, read, stored_of
from tests.faults.stored import differences
from tests.faults.wire import SERIES, Change, Wire, wire

pytestmark = pytest.mark.django_db
Page = dict[str, Any]
THREE_HOURS_S = 3 * 3_600


@pytest.fixture
def provider() -> Iterator[Wire]:
    with wire() as served:
        yield served


def first_bucket(change: Callable[[Page], None]) -> Change:
    """A change of the first bucket of each page: hours that settled long ago."""
    return lambda page: change(page["data"][0])


def revises(bucket: Page) -> None:
    for row in bucket["results"]:
        row["input_cached_tokens"] += 128


def loses_its_rows(bucket: Page) -> None:
    bucket["results"] = []


def gains_a_row(bucket: Page) -> None:
    bucket["results"].append(bucket["results"][0] | {"api_key_id": "key_late"})


def reorders(page: Page) -> None:
    page["data"].reverse()
    for bucket in page["data"]:
        bucket["results"].reverse()


def leaves_out_a_bucket(page: Page) -> None:
    del page["data"][3]


def repeats_a_bucket(page: Page) -> None:
    page["data"].append(page["data"][0])


def clips_a_bucket(page: Page) -> None:
    page["data"][0]["end_time"] -= 60


def adds_fields_that_nobody_knows(page: Page) -> None:
    page["warnings"] = ["late"]
    for bucket in page["data"]:
        bucket["final"] = False
        for row in bucket["results"]:
            row["input_holographic_tokens"] = {"total": 1}


# Each change, how a read of it ends, and how many revisions it and its taking back leave.
CHANGES: tuple[tuple[Change, tuple[str, str], int], ...] = (
    (first_bucket(revises), ("ok", ""), 2 * 2 * SERIES),
    (first_bucket(loses_its_rows), ("ok", ""), 2 * 2 * SERIES),
    (first_bucket(gains_a_row), ("ok", ""), 2 * 2),
    (reorders, ("ok", ""), 0),
    (leaves_out_a_bucket, ("ok", ""), 0),
    (clips_a_bucket, ("ok", ""), 0),
    (adds_fields_that_nobody_knows, ("ok", ""), 0),
    (repeats_a_bucket, ("failed", "bad_answer"), 0),
)
NAMES = [
    *("revised", "rows that vanish", "a late row", "reordered", "a bucket left out"),
    *("a clipped bucket", "unknown fields", "a bucket sent twice"),
]


@pytest.mark.parametrize(("change", "ended", "revisions"), CHANGES, ids=NAMES)
def test_what_changes_and_changes_back_leaves_the_rows_of_an_undisturbed_source(
    provider: Wire, change: Change, ended: tuple[str, str], revisions: int
) -> None:
    undisturbed, source = connect(provider, "undisturbed"), connect(provider, "disturbed")
    now = now_of(provider)
    read(undisturbed, now)
    read(source, now)
    provider.change = change
    assert outcome(read(source, now)) == ended
    changed = stored_of(source)
    provider.recover()
    assert outcome(read(source, now)) == ("ok", "")

    expected, found = stored_of(undisturbed), stored_of(source)
    assert len(found.pop("revisions")) == revisions
    assert expected.pop("revisions") == []
    assert differences(expected | {"revisions": []}, found | {"revisions": []}) == []
    if not revisions:  # what was not said, or could not be read, took nothing away
        assert changed["buckets"] == expected["buckets"]
        assert changed["hours"] == expected["hours"]


@pytest.mark.parametrize("change", [change for change, _, _ in CHANGES], ids=NAMES)
def test_a_first_read_of_a_changed_answer_is_made_up_for_by_the_next_one(
    provider: Wire, change: Change
) -> None:
    undisturbed, source = connect(provider, "undisturbed"), connect(provider, "disturbed")
    now = now_of(provider)
    read(undisturbed, now)
    provider.change = change
    read(source, now)
    provider.recover()
    read(source, now)
    found = stored_of(source)
    rows = found.pop("revisions")
    assert all(row[4] is None or row[5] is None or row[4] != row[5] for row in rows)
    assert differences(stored_of(undisturbed), found | {"revisions": []}) == []


def test_a_value_that_cannot_be_read_is_a_reject_until_it_can(provider: Wire) -> None:
    undisturbed, source = connect(provider, "undisturbed"), connect(provider, "disturbed")
    now = now_of(provider)
    read(undisturbed, now)

    def spoils(page: Page) -> None:
        page["data"][0]["results"][0]["input_tokens"] = "very many"
        page["data"][1]["results"][0]["model"] = {"name": "gpt"}

    provider.change = spoils
    assert outcome(read(source, now)) == ("ok", "")
    assert Reject.objects.filter(source=source).count() == 2 * 2  # of two pages
    assert IngestRun.objects.get(source=source).rows_rejected == 2 * 2
    provider.recover()
    read(source, now)
    found = stored_of(source)
    # The count that became known is a revision: its hour had settled without it.
    assert [row[2:4] for row in found.pop("revisions")] == [
        (found["hours"][0][0], 1),
        (found["hours"][24][0], 1),
    ]
    assert differences(stored_of(undisturbed), found | {"revisions": []}) == []


@pytest.mark.parametrize("ahead_s", [THREE_HOURS_S, -THREE_HOURS_S, 90, -90])
def test_a_clock_that_goes_wrong_for_a_while_costs_no_hour(provider: Wire, ahead_s: int) -> None:
    undisturbed, source = connect(provider, "undisturbed"), connect(provider, "disturbed")
    ours = now_of(provider)
    provider.now_s -= ahead_s  # seen from the provider, our clock is so far ahead
    assert outcome(read(source, ours)) == ("ok", "")
    provider.now_s += max(ahead_s, 0)
    read(source, now_of(provider))
    read(undisturbed, now_of(provider))
    expected, found = stored_of(undisturbed), stored_of(source)
    first = min(hour for hour, _ in expected["hours"])
    for name, place in (("hours", 0), ("buckets", 6)):
        kept = [row for row in found[name] if row[place] >= first]  # the other asked for older ones
        assert kept == expected[name]
    assert found["revisions"] == []
