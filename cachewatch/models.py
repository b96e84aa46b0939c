"""Where Django looks for models: the steps' models, re-exported, nothing else."""

from cachewatch.accounts.models import ApiToken, Membership, Role, SignInLink, User
from cachewatch.evidence.models import EvidenceImport
from cachewatch.rollouts.models import (
    Marker,
    MarkerChange,
    Readout,
    ReadoutChange,
    ReadoutWatch,
    Rollout,
)
from cachewatch.verdicts.models import Decision, ThresholdOverride, Verdict
from cachewatch.worklist.models import Activity, Finding, StepMark, TeamNote

__all__ = [
    "Activity",
    "ApiToken",
    "Decision",
    "EvidenceImport",
    "Finding",
    "Marker",
    "MarkerChange",
    "Membership",
    "Readout",
    "ReadoutChange",
    "ReadoutWatch",
    "Role",
    "Rollout",
    "SignInLink",
    "StepMark",
    "TeamNote",
    "ThresholdOverride",
    "User",
    "Verdict",
]
