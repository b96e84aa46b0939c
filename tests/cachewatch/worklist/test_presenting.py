"""Findings in words: the chip, what cleared, and every kind of activity."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from cachewatch.worklist.models import Activity, Finding
from cachewatch.worklist.presenting import activity_sentence, cleared_sentence, standing_text

OPENED = datetime(2026, 11, 17, 9, 3, tzinfo=UTC)
TODAY = date(2026, 11, 26)


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"state": "new"}, "New, 9 days"),
        ({"state": "acknowledged"}, "Open 9 days"),
        ({"state": "in-progress", "opened_at": datetime(2026, 11, 25, tzinfo=UTC)}, "Open 1 day"),
        ({"state": "shipped"}, "Open 9 days"),
        ({"state": "regressed"}, "Regressed"),
        ({"state": "resolved"}, "Resolved"),
        ({"state": "accepted", "accepted_until": date(2026, 12, 4)}, "Accepted until 4 Dec 2026"),
        ({"state": "handed-off", "handed_to": "gateway team"}, "Handed off to gateway team"),
    ],
)
def test_the_chip_says_where_a_finding_stands(fields: dict[str, Any], text: str) -> None:
    finding = Finding(**{"opened_at": OPENED, "state_since": OPENED, **fields})
    assert standing_text(finding, TODAY) == text


def test_a_verdict_that_cleared_says_on_which_day_and_what_it_said() -> None:
    finding = Finding(cleared_on=date(2026, 11, 24), cleared_code="load-does-not-vary")
    sentence = "The verdict cleared on 24 Nov 2026; it said then: load does not vary."
    assert cleared_sentence(finding) == sentence
    assert cleared_sentence(Finding()) is None


@pytest.mark.parametrize(
    ("action", "fields", "sentence"),
    [
        ("opened", {"verdict": [None, "flat-low-share"]}, "Finding opened: flat low share"),
        (
            "verdict-cleared",
            {"verdict": ["flat-low-share", "healthy"]},
            "The verdict cleared: no finding",
        ),
        (
            "verdict-returned",
            {"verdict": ["healthy", "flat-low-share"]},
            "The verdict is back: flat low share",
        ),
        (
            "verdict-changed",
            {"verdict": ["flat-low-share", "cold-only-after-idle"]},
            "The verdict changed from flat low share to cold only after idle",
        ),
        (
            "verdict-changed",
            {
                "verdict": ["flat-low-share", "cold-only-after-idle"],
                "state": ["accepted", "new"],
            },
            "The verdict changed from flat low share to cold only after idle; new again",
        ),
        (
            "regressed",
            {"state": ["resolved", "regressed"]},
            "Regressed: the verdict is back in hours after the repair",
        ),
        (
            "acceptance-ended",
            {"state": ["accepted", "new"]},
            "The acceptance ended on its day; new again",
        ),
        (
            "shipped",
            {"state": ["in-progress", "shipped"], "marker": [None, 7]},
            "A repair was marked; shipped, was in progress",
        ),
        ("step", {"step": ["open", "done"]}, "Ticked a step"),
        ("step", {"step": ["open", "skipped"]}, "Skipped a step"),
        ("step", {"step": ["done", "open"]}, "Opened a step again"),
        ("team-note", {"text": ["", "a"]}, "Changed the team note"),
        ("comment", {}, "Commented"),
        (
            "changed",
            {"state": ["new", "acknowledged"], "owner": [None, "Mira"], "tracker": ["", "x"]},
            "Acknowledged, was new; owner Mira, was none; tracker link x, was none",
        ),
        ("changed", {"reason": ["", "r"]}, "Changed"),
        (
            "changed",
            {"marker": [7, None], "state": ["shipped", "handed-off"], "handed_to": ["", "x"]},
            (
                "Its repair marker counts no more; back to handed off, was shipped; "
                "handed to x, was none"
            ),
        ),
    ],
)
def test_every_activity_is_one_sentence(action: str, fields: dict[str, Any], sentence: str) -> None:
    assert activity_sentence(Activity(action=action, fields=fields)) == sentence


def test_no_action_is_without_a_sentence() -> None:
    with_fields = {"verdict": [None, "healthy"], "state": ["new", "new"], "step": ["open", "done"]}
    for action in Activity.Action.values:
        assert activity_sentence(Activity(action=action, fields=with_fields))
