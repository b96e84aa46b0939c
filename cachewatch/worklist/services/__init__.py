"""Every write of findings, steps, notes and comments."""

from cachewatch.worklist.services.changing import Changes, change_finding
from cachewatch.worklist.services.following import Followed, follow_verdicts
from cachewatch.worklist.services.steps import set_step
from cachewatch.worklist.services.writing import add_comment, set_team_note

__all__ = [
    "Changes",
    "Followed",
    "add_comment",
    "change_finding",
    "follow_verdicts",
    "set_step",
    "set_team_note",
]
