"""What is true about the simulated organization, for those who check verdicts against it."""

from __future__ import annotations

from ingest.simulator.story import Story
from ingest.simulator.world import World


def truth_document(world: World) -> dict[str, object]:
    """Seed, anchor and all stories as plain JSON values; hours count from the epoch, UTC."""
    return {
        "seed": world.seed,
        "anchor_hour": world.anchor_hour,
        "first_hour": world.first_hour,
        "stories": [_story(world, story) for story in world.stories],
    }


def _story(world: World, story: Story) -> dict[str, object]:
    return {
        "name": story.name,
        "cause": story.cause,
        "project_id": None if story.project is None else story.project.id,
        "project_name": None if story.project is None else story.project.name,
        "series": [
            {
                "model": truth.model,
                "expected": truth.expected,
                "acceptable": [truth.expected, *truth.acceptable],
                "published": truth.published,
            }
            for truth in story.truths
        ],
        "markers": [
            {"kind": one.kind, "hour": world.anchor_hour + one.hours, "note": one.note}
            for one in story.markers
        ],
    }
