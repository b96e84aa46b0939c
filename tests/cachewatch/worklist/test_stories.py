"""The demo fleet as work: findings where verdicts are, notes without holes, lists that fit."""

from __future__ import annotations

import re

import pytest

from cachewatch.verdicts.browse import with_verdicts
from cachewatch.verdicts.detail import newest_verdict
from cachewatch.verdicts.presenting import evidence_of_verdict
from cachewatch.verdicts.services import classify_stale
from cachewatch.worklist.checklist import checklist
from cachewatch.worklist.handoff_notes import NOTE_KEYS, note_names, note_of
from cachewatch.worklist.models import Finding
from cachewatch.worklist.services import follow_verdicts
from ingest.models import Series, Source
from ingest.store import store_usage
from tests.cachewatch.demo_usage import ANCHOR, demo_week
from tests.factories import GROUPING, at, make_run

NOW = at(ANCHOR + 2)


@pytest.fixture
def fleet(source: Source) -> list[Series]:
    store_usage(source, demo_week(), run=make_run(source), grouping=GROUPING, now=NOW)
    classify_stale([source], now=NOW)
    follow_verdicts(source, now=NOW)
    return list(with_verdicts(Series.objects.all()))


def test_every_story_has_a_finding_where_its_verdict_is_one_a_list_and_notes_without_holes(
    fleet: list[Series],
) -> None:
    assert len(fleet) > 10
    having = set(Finding.objects.values_list("series", flat=True))
    for series in fleet:
        verdict = newest_verdict(series)
        assert verdict is not None
        evidence = evidence_of_verdict(verdict)
        assert evidence is not None
        assert (series.pk in having) == evidence.is_finding, series
        assert checklist(verdict, series, {}), series
        for key in NOTE_KEYS:
            text = note_of(key, series, None).markdown
            assert not re.search(r"\b(None|nan|inf)\b|\{\{|\}\}", text), (series, key)
            assert not re.search(r"(^|\s)-\d", text), (series, key)
            assert not re.search(r"(fall|rise)s? by \u2212", text), (series, key)
            for part in re.split(r"\.\s|\n\n", text):
                assert part.count("not known") <= part.count("____") <= 1, (series, key, part)
        if evidence.is_finding and evidence.verdict != "load-correlated-misses":
            assert note_names(series)[0].fits, series


def test_a_mix_names_its_parts_with_weight_and_share_in_a_table(fleet: list[Series]) -> None:
    series = next(one for one in fleet if (one.project_id or "").startswith("proj_knowledge"))
    note = note_of("traffic-mix", series, None)
    rows = re.findall(r"^\| .+, .+ \|$", note.markdown, re.MULTILINE)
    assert len(rows) == 3  # with the heading
    weights = [row.split(" | ")[1] for row in rows[1:]]
    assert sum(int(weight.rstrip("%")) for weight in weights) == 100
    assert '<th scope="col">Quiet weight</th>' in note.html
