"""What `diagnose --json` adds under the rules in force."""

import json
from math import log

import pytest

from cachewatch.analysis.classify import classify
from cachewatch.analysis.controls.every import NAMES
from cachewatch.analysis.evidence import Evidence
from cachewatch.analysis.gather import evidence_of
from cachewatch.diagnose.judging import Diagnosis, Judged
from cachewatch.diagnose.report_json import document
from tests.cachewatch.analysis.cells_of import batches_of, days_of, share_of_load, verdict_of
from tests.cachewatch.analysis.series_of import BASE_HOUR, hour_row

SCATTER = "load-correlated-misses"
ADDED = {
    "controls",
    "flags",
    "generation",
    "since",
    "since_provisional",
    "cell",
    "thresholds",
    "avoidable",
}


def falling(load: float) -> float:
    return 0.8 - 0.4 * max(0.0, log(load / 300) / log(13))


def series_in_json(evidence: Evidence) -> dict:
    one = Judged("proj_1", "gpt-5.4", evidence)
    return json.loads(document(Diagnosis(BASE_HOUR, BASE_HOUR + 168, [one], [], 0, 0, 0)))[
        "series"
    ][0]


@pytest.mark.parametrize(
    ("cells", "verdict"),
    [
        ({"key_a": share_of_load(falling)}, SCATTER),
        ({"key_a": share_of_load(lambda _load: 0.8)}, "healthy"),
        ({"key_a": share_of_load(lambda _load: 0.0)}, "no-cached-tokens"),
        ({"key_a": share_of_load(lambda _load: 0.05)}, "flat-low-share"),
        ({"key_a": days_of(lambda *_: 3000.0, load=[0.4] * 24)}, None),
        ({"key_a": [hour_row(0, 10, 0.5)]}, "too-few-linked-hours"),
    ],
)
def test_every_verdict_is_valid_json_with_every_control(cells, verdict):
    found = series_in_json(verdict_of(cells))
    assert verdict in (None, found["verdict"])
    assert set(found) >= ADDED
    assert [control["name"] for control in found["controls"]] == list(NAMES)
    for control in found["controls"]:
        assert control["status"] in ("ruled_out", "open", "not_testable", "fired")
        assert control["statement"]
        assert control["to_flip"] is None or control["to_flip"]
    assert (found["generation"], found["avoidable"]) == ("up to GPT-5.4", None)


def test_the_guilty_cell_its_onset_and_the_distances_are_given():
    begins = days_of(
        lambda load, place: 4000.0 * (falling(load) if place >= 4 * 24 + 3 else 0.8), days=8
    )
    cells = {"key_a": begins, "key_b": share_of_load(lambda _load: 0.8, days=8)}
    found = series_in_json(verdict_of(cells))
    assert found["verdict"] == SCATTER
    assert found["cell"]["api_key_id"] == "key_a"
    assert found["since"] == "2026-08-21T09:00:00Z"
    rows = {row["name"]: row for row in found["thresholds"]}
    assert rows["gap_points"]["limit"] == 0.05
    assert rows["gap_points"]["side"] == "at or above"
    assert rows["gap_points"]["margin"] > 0


def test_thresholds_of_other_findings_are_told_from_those_of_the_verdict():
    found = series_in_json(verdict_of({"key_a": share_of_load(lambda _load: 0.6)}))
    assert found["verdict"] == "healthy"
    of_finding = {row["name"]: row["finding"] for row in found["thresholds"]}
    assert (of_finding["gap_points"], of_finding["flat_floor"]) == ("", "flat-low-share")


def test_the_published_rule_adds_nothing():
    batch, _, _ = batches_of({"key_a": share_of_load(falling)})
    published = evidence_of(classify(batch, rules="published"), 0)
    assert not ADDED & set(series_in_json(published))
