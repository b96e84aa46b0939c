"""The demo fleet: every story shows its true cause, with the numbers that decide."""

from __future__ import annotations

import re

import pytest

from cachewatch.analysis.explain import detail
from cachewatch.analysis.thresholds import DEFAULTS
from cachewatch.diagnose.judging import diagnose
from ingest.simulator.stories import all_stories
from ingest.simulator.truth import truth_document
from ingest.simulator.world import World
from tests.cachewatch.demo_usage import ANCHOR, demo_week

NOW_SECONDS = (ANCHOR + 2) * 3600.0
TRUTHS = [
    (story["project_id"], one)
    for story in truth_document(World(all_stories(), 1, ANCHOR))["stories"]
    for one in story["series"]
]
FORETOLD = [(project, one) for project, one in TRUTHS if one["published"]]


def stories(truths: list) -> pytest.MarkDecorator:
    ids = [f"{project}-{one['model']}" for project, one in truths]
    return pytest.mark.parametrize(("project", "truth"), truths, ids=ids)


def judged(rules: str) -> dict:
    found = diagnose(
        demo_week(), days=None, now_seconds=NOW_SECONDS, rules=rules, thresholds=DEFAULTS
    )
    return {(one.project_id, one.model): one.evidence for one in found.series}


@pytest.fixture(scope="module")
def full():
    return judged("full")


@pytest.fixture(scope="module")
def published():
    return judged("published")


@stories(TRUTHS)
def test_every_story_shows_its_true_cause_and_names_numbers(project, truth, full):
    evidence = full[project, truth["model"]]
    assert evidence.verdict == truth["expected"]
    assert re.search(r"\d", detail(evidence))


@stories(FORETOLD)
def test_the_published_rule_says_what_the_story_foretells(project, truth, full, published):
    series = project, truth["model"]
    assert published[series].verdict == truth["published"]
    assert full[series].published_state == truth["published"]


def test_the_deciding_control_has_fired(full):
    fired = {
        project: [one.name for one in full[project, model].controls if one.status == "fired"]
        for project, model in full
    }
    assert "share-over-load" in fired["proj_ragAnswer01"]
    assert "fan-out" in fired["proj_reportFan06"]
    assert "cold-after-idle" in fired["proj_nightDig07"]
    assert "below-minimum" in fired["proj_tagSuggest09"]
    assert "expiring-prefixes" in fired["proj_complianc10"]
    assert "level-shift" in fired["proj_invoicePar11"]
    assert "writes-not-read" in fired["proj_codeReview13"]
    assert "traffic-mix" in fired["proj_knowledge15"]
    assert "prompt-length" in fired["proj_caseSummar16"]
