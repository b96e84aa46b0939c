"""Repair lists by verdict, and by what the model's prompt cache does."""

from cachewatch.analysis.repairs.choose import repairs, repairs_for, still_open
from cachewatch.analysis.repairs.step import Repair

__all__ = ["Repair", "repairs", "repairs_for", "still_open"]
