"""Every threshold of the advice on keys; those of a planned key are in analysis/thresholds.py."""

from __future__ import annotations

from cachewatch.analysis.thresholds import PRACTICE, Threshold

UNIT_REPEATS = Threshold(
    *("unit_repeats", "Requests whose unit repeats inside one lifetime", "share", 0.5, PRACTICE)
)
UNIT_KNOWN = Threshold("unit_known", "Requests that name their unit", "share", 0.8, PRACTICE)
LONG_PART = Threshold(
    *(
        "long_part",
        "What a conversation shares over what all requests share",
        "ratio",
        1.5,
        PRACTICE,
    )
)
TEMPLATE_PERCENTILE = Threshold(
    "template_percentile",
    "Percentile of input that no template can be longer than",
    *("percent", 5, PRACTICE),
)
PEAK_PERCENTILE = Threshold("peak_percentile", "Percentile of minutes", "percent", 99, PRACTICE)
AFTER_IDLE = Threshold(
    *("after_idle", "Requests of busy minutes that follow an idle one", "share", 0.5, PRACTICE)
)
FEW_REQUESTS = Threshold(
    "few_requests", "Requests that say something of the load", "requests", 20, PRACTICE
)
KEY_ADVICE_THRESHOLDS = (
    *(
        UNIT_REPEATS,
        UNIT_KNOWN,
        LONG_PART,
        TEMPLATE_PERCENTILE,
        PEAK_PERCENTILE,
        AFTER_IDLE,
        FEW_REQUESTS,
    ),
)
# The largest that can be assumed.
MOST_PREFIXES = 10_000_000
MOST_REQUESTS_PER_MINUTE = 100_000.0
