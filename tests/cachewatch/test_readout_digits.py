"""One repair, read out three ways: over the API, by `cachewatch readout`, and copied as evidence."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from cachewatch.diagnose.readout.command import main
from cachewatch.rollouts.models import Readout
from cachewatch.rollouts.services import measure_due
from ingest.models import Source
from ingest.normalise import UsageRow
from tests.cachewatch.people import Caller
from tests.cachewatch.rollouts.histories import (
    CONTROLS,
    SHIPPED_DAY,
    SHIPPED_HOUR,
    repaired,
    row,
    steady,
    store_rows,
)
from tests.cachewatch.usage_pages import bucket, page, write
from tests.cachewatch.verdicts.histories import days, falling
from tests.factories import at

NOW = at(SHIPPED_HOUR + 24 * 5 + 2, 10)
SHIPPED_AT = "2026-11-16T00:00:00Z"
KEY = {
    "source": "acme",
    "kind": "key-shipped",
    "project_id": "proj_a",
    "model": "gpt-5.4",
    "at": SHIPPED_AT,
}
# What only a stored readout has: its controls by id, and the markers beside its own.
STORED_ALONE = {"controls", "others"}
SENT_AS = {
    "project_id": "project_id",
    "model": "model",
    "api_key_id": "api_key_id",
    "service_tier": "service_tier",
    "batch": "batch",
    "requests": "num_model_requests",
    "input_tokens": "input_tokens",
    "cached_tokens": "input_cached_tokens",
    "uncached_tokens": "input_uncached_tokens",
    "output_tokens": "output_tokens",
}


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> datetime:
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    return NOW


@dataclass
class ThreeWays:
    """What the API, the command and the database say of one repair, and the report for people."""

    api: dict[str, Any]
    command: dict[str, Any]
    stored: dict[str, Any]
    report: str
    measures_file: list[dict[str, str]]


def usage_of_repair() -> list[UsageRow]:
    """proj_a falls with load until its key ships and is high since; four projects are steady."""
    rows = []
    for hour in days(0, SHIPPED_DAY + 5):
        rows.append(row(hour, "proj_a", repaired if hour >= SHIPPED_HOUR else falling))
        rows += [row(hour, name, steady) for name in CONTROLS]
    return rows


def pages_of(rows: list[UsageRow], path: Path) -> str:
    """The same usage as the provider would send it."""
    by_hour: dict[int, list[dict[str, Any]]] = {}
    for one in rows:
        sent = {name: getattr(one, field) for field, name in SENT_AS.items()}
        kind = "organization.usage.completions.result"
        by_hour.setdefault(one.hour, []).append({"object": kind} | sent)
    return write(path, page([bucket(hour, by_hour[hour]) for hour in sorted(by_hour)]))


@pytest.fixture
def told(
    acme: Source, owner: Caller, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> ThreeWays:
    rows, hours = usage_of_repair(), days(0, SHIPPED_DAY + 5)
    store_rows(acme, rows, hours, hours[-1] + 3)
    readout_id = owner.post("/markers", KEY).json()["rollout"]["readouts"][0]["id"]
    measure_due(acme, now=NOW)
    asked = [pages_of(rows, tmp_path / "usage.json"), "--project", "proj_a", "--model", "gpt-5.4"]
    asked += ["--shipped-at", SHIPPED_AT, "--now", NOW.isoformat()]
    filed = owner.client.get(f"/readouts/{readout_id}.csv").content.decode()
    stored = Readout.objects.get().document
    assert stored is not None
    return ThreeWays(
        api=owner.get(f"/readouts/{readout_id}").json(),
        command=json.loads(said_by(capsys, [*asked, "--json"])),
        stored=stored,
        report=said_by(capsys, asked),
        measures_file=list(csv.DictReader(io.StringIO(filed))),
    )


def said_by(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> str:
    assert main(arguments) == 0
    return capsys.readouterr().out


def numbers_of(measure: dict[str, Any], counted: tuple[str, str]) -> dict[str, Any]:
    """A measure of the API by the names of the command's document."""
    top, bottom = counted
    sides = {
        f"{side}{suffix}": measure[side][field]
        for side in ("before", "after")
        for suffix, field in (
            ("", "value"),
            (f"_{top}", "numerator"),
            (f"_{bottom}", "denominator"),
            ("_hours", "hours"),
        )
        if measure[side][field] is not None
    }
    alike = ("expected", "change", "interval", "direction", "reading")
    return sides | {name: measure[name] for name in alike}


def known_checks(said: dict[str, Any]) -> list[dict[str, Any]]:
    """The checks that files allow too: they know no markers."""
    return [one for one in said["checks"] if one["name"] != "other_markers"]


def test_the_command_prints_the_document_that_the_product_stores(told: ThreeWays) -> None:
    assert told.command["state"] == "improved"
    kept = {name: value for name, value in told.stored.items() if name not in STORED_ALONE}
    assert told.command | {"checks": known_checks(told.command)} == kept | {
        "checks": known_checks(kept)
    }


def test_each_measure_has_the_same_digits_over_the_api_and_by_the_command(told: ThreeWays) -> None:
    numbers = told.api["numbers"]
    counted = {
        "cached_per_request": ("cached", "requests"),
        "input_cost_per_request": ("usd", "requests"),
    }
    over_api = {
        one["name"]: numbers_of(one, counted.get(one["name"], ("cached", "input")))
        for one in numbers["measures"]
    }
    printed = {name: one for name, one in told.command["measures"].items() if one is not None}
    assert over_api == printed
    assert known_checks(numbers) == known_checks(told.command)
    for name in ("looks", "net_change", "placebo", "value", "minimum_detectable"):
        assert numbers[name] == told.command[name], name
    assert numbers["controls"]["change"] == told.command["control"]["change"]
    assert numbers["controls"]["interval"] == told.command["control"]["interval"]
    assert told.api["net_change"] == told.command["net_change"]["value"]
    assert [(row["measure"], float(row["change"])) for row in told.measures_file] == [
        (name, one["change"]) for name, one in printed.items()
    ]


@pytest.mark.parametrize("place", ["markdown", "report"])
def test_evidence_and_report_hold_the_digits_that_the_page_shows(
    told: ThreeWays, place: str
) -> None:
    text = {"markdown": told.api["markdown"], "report": told.report}[place]
    for one in told.api["numbers"]["measures"]:
        for shown in (
            one["label"],
            *(f"{one[side]['text']} ({one[side]['under']})" for side in ("before", "after")),
            one["change_text"],
            one["interval_text"],
        ):
            assert shown in text, one["name"]
    numbers = told.api["numbers"]
    for sentence in (
        told.api["heading"],
        told.api["caveat"],
        numbers["controls"]["sentence"],
        numbers["detectable_sentence"],
        numbers["value_sentence"],
    ):
        assert sentence in text
