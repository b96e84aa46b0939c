"""All stories of the demo fleet, in the order in which their projects are listed."""

from __future__ import annotations

from ingest.simulator import stories_accounting, stories_prefix, stories_routing
from ingest.simulator.story import Story


def all_stories() -> tuple[Story, ...]:
    """Every story; each has a project of its own."""
    return stories_routing.stories() + stories_prefix.stories() + stories_accounting.stories()
