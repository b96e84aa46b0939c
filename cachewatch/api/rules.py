"""How verdicts are made: the rules in words, how often they are right, and every threshold."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import Field, Router

from cachewatch.analysis.classify import RULES_VERSION
from cachewatch.analysis.decision_thresholds import DECISION_THRESHOLDS
from cachewatch.analysis.readout_thresholds import READOUT_THRESHOLDS
from cachewatch.analysis.thresholds import THRESHOLDS
from cachewatch.api.auth import require_somewhere
from cachewatch.api.base_shape import Shape
from cachewatch.api.examples import examples
from cachewatch.guide import ChapterName, chapters

router = Router(tags=["overview"])


class RulesPart(Shape):
    """A heading inside a chapter; `anchor` is its id in the chapter's HTML."""

    anchor: str
    title: str


class RulesChapter(Shape):
    """One chapter of the documentation, as HTML without scripts."""

    name: ChapterName
    title: str
    parts: list[RulesPart]
    html: str


class RulesThreshold(Shape):
    """One threshold in force where nothing else is set, and where its value comes from.

    `low` and `high` bound what a team may set it to; null where it is the same for everybody.
    """

    name: str
    label: str
    unit: str = Field(description="shares, ratios and points are 0 to 1")
    value: float
    low: float | None
    high: float | None
    source: str


class Rules(Shape):
    """What decides a verdict, from the same source as the documentation."""

    version: str
    chapters: list[RulesChapter]
    thresholds: list[RulesThreshold]

    model_config = examples(
        {
            "version": "full-5",
            "chapters": [
                {
                    "name": "verdicts",
                    "title": "Verdicts",
                    "parts": [{"anchor": "verdicts-words", "title": "Words"}],
                    "html": '<h3 id="verdicts-words">Words</h3>',
                }
            ],
            "thresholds": [
                {
                    "name": "min_hours",
                    "label": "Linked hours",
                    "unit": "hours",
                    "value": 24.0,
                    "low": 8.0,
                    "high": 168.0,
                    "source": "the published routing-scatter rule",
                }
            ],
        }
    )


@router.get("/rules", response=Rules)
def get_rules(request: HttpRequest) -> Rules:
    """The rules in words, how often they are right, what a finding costs, and every threshold."""
    require_somewhere(request, "read")
    return Rules(
        version=RULES_VERSION,
        chapters=[
            RulesChapter(
                name=chapter.name,
                title=chapter.title,
                parts=[RulesPart(**part._asdict()) for part in chapter.parts],
                html=chapter.html,
            )
            for chapter in chapters()
        ],
        thresholds=[
            RulesThreshold(
                name=one.name,
                label=one.label,
                unit=one.unit,
                value=one.default,
                low=one.low,
                high=one.high,
                source=one.source,
            )
            for one in (*THRESHOLDS, *DECISION_THRESHOLDS, *READOUT_THRESHOLDS)
        ],
    )
