"""docs/markers.md: what CI copies from it is accepted, and its tables name what there is."""

from __future__ import annotations

import json
import re
from pathlib import Path

from cachewatch.accounts.models import User
from cachewatch.rollouts.kinds import MARKER_WORDS
from cachewatch.rollouts.particulars import fields_of
from ingest.models import Series, Source
from ingest.simulator.stories import all_stories
from tests.cachewatch.people import token_caller

TEXT = (Path(__file__).parents[3] / "docs" / "markers.md").read_text()


def test_the_documented_curl_makes_one_marker_with_its_readout(bob: User, acme: Source) -> None:
    (body,) = re.findall(r"--data '(\{.*?\n  \})'", TEXT, re.DOTALL)
    sent = json.loads(body) | {"source": acme.slug}
    Series.objects.create(source=acme, project_id=sent["project_id"], model=sent["model"])
    ci = token_caller(bob, "annotate")
    first, again = (ci.post("/markers", sent) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    assert [one["state"] for one in first.json()["rollout"]["readouts"]] == ["collecting"]


def test_the_documented_series_is_one_of_the_demo() -> None:
    (body,) = re.findall(r"--data '(\{.*?\n  \})'", TEXT, re.DOTALL)
    sent = json.loads(body)
    series = {
        (story.project and story.project.id, truth.model)
        for story in all_stories()
        for truth in story.truths
    }
    assert sent["source"] == "demo"
    assert (sent["project_id"], sent["model"]) in series


def test_the_documented_check_of_a_key_is_answered(rita: User, acme: Source) -> None:
    (body,) = re.findall(r"--data '(\{.*\})'", TEXT)
    series = Series.objects.create(source=acme, project_id="proj_a", model="gpt-5.4")
    answer = token_caller(rita, "read").post(
        "/rollouts/lint", json.loads(body) | {"series_id": series.pk}
    )
    assert (answer.status_code, answer.json()["refused"]) == (200, False)


def test_the_table_of_kinds_is_complete_and_names_their_particulars() -> None:
    rows = re.findall(r"^\| (`[^|]+`) \| [^|]+ \| ([^|]+) \|$", TEXT, re.MULTILINE)
    named = {
        kind: set(re.findall(r"`(\w+)`", particulars.partition(":")[0]))
        for kinds, particulars in rows
        for kind in re.findall(r"`([a-z-]+)`", kinds)
        if kind in MARKER_WORDS
    }
    assert named == {kind: set(fields_of(kind)) for kind in MARKER_WORDS}
