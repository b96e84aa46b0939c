"""Where Django looks for models: the steps' models, re-exported, nothing else."""

from cachewatch.accounts.models import ApiToken, Membership, Role, SignInLink, User
from cachewatch.verdicts.models import ThresholdOverride, Verdict

__all__ = ["ApiToken", "Membership", "Role", "SignInLink", "ThresholdOverride", "User", "Verdict"]
