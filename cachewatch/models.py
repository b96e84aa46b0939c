"""Where Django looks for models: the steps' models, re-exported, nothing else."""

from cachewatch.accounts.models import ApiToken, Membership, Role, SignInLink, User
from cachewatch.rollouts.models import Marker, MarkerChange, Readout, ReadoutChange, Rollout
from cachewatch.verdicts.models import ThresholdOverride, Verdict

__all__ = [
    "ApiToken",
    "Marker",
    "MarkerChange",
    "Membership",
    "Readout",
    "ReadoutChange",
    "Role",
    "Rollout",
    "SignInLink",
    "ThresholdOverride",
    "User",
    "Verdict",
]
