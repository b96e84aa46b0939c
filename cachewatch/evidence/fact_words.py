"""What else the rows of a log say, in words: steps of the reads, keys, rates, pauses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cachewatch.analysis.figures import count, percent
from cachewatch.analysis.requests.analyse import RULES_VERSION
from cachewatch.analysis.requests.words import requests
from cachewatch.evidence.azure import azure_words

Document = Mapping[str, Any]
MOST_NAMED = 3
_STEPS = {
    "128": "Reads come in steps of 128 tokens",
    "384 mod 512": "Reads leave 384 tokens when divided by 512",
    "exact": "Reads end at exact tokens, as at breakpoints",
    "none": "N/A, no request read anything",
}
_BY = {
    "session": "one prefix for each session",
    "prefix": "one prefix for each prefix hash",
    "key": "one prefix for each key",
    "log": "all requests of a model together, since nothing tells them apart",
}


def fact_words(stored: Document, rejected: int, left_out: int) -> list[tuple[str, str]]:
    """Name and sentence of each fact, in a fixed order; N/A with a reason where the log cannot tell."""
    facts = stored["facts"]
    found = list(_facts(stored, facts)) if facts else []
    if azure := stored.get("azure_requests"):
        found.append(("Azure", azure_words(azure, stored["requests"])))
    read = stored["requests"] + stored["duplicates"] + left_out + rejected
    found.append(
        ("Rows left out", f"{left_out:,} of {read:,}, beside {stored['duplicates']:,} duplicates")
    )
    found.append(("Rows rejected", f"{rejected:,} of {read:,}"))
    return found


def older_rules(version: str) -> list[tuple[str, str]]:
    """A fact where other rules than the present ones made the findings, which are not made anew."""
    if version == RULES_VERSION:
        return []
    told = f"Found by older rules ({version}; they are {RULES_VERSION} now)"
    return [("Rules", f"{told}: send the log again to have it read by the present ones")]


def strangers(stored: Document, project: Sequence[str], model: str | None) -> list[tuple[str, str]]:
    """A fact where every row names another project or model than the series the log is attached to.

    `project`: the id and the name of the series' project, as far as known. A dated snapshot is the
    same model as its family. Logs that were read before the names were kept tell nothing.
    """
    named = stored.get("named", {})
    projects, models = named.get("project", []), named.get("model", [])
    told = []
    if projects and project and not set(projects) & set(project):
        told.append(f"another project ({_some(projects)})")
    if models and model and not any(_same_model(model, one) for one in models):
        told.append(f"another model ({_some(models)})")
    if not told:
        return []
    return [("Series", f"Its rows name {' and '.join(told)} than the series it is attached to")]


def _same_model(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return re.fullmatch(re.escape(short) + r"(-\d{4}-\d{2}-\d{2})?", long) is not None


def _some(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMED
    shown = ", ".join(names[:MOST_NAMED])
    return shown if more <= 0 else f"{shown} and {more} more"


def _facts(stored: Document, facts: Document) -> Iterator[tuple[str, str]]:
    yield "Granularity", _granularity(facts)
    yield "Prefix", _prefix(facts)
    yield "Keys", _known(facts["distinct_keys"], "distinct", "no key is reported")
    yield "Accounts", _known(facts["distinct_accounts"], "distinct", "no account is reported")
    yield (
        "Rate per key",
        _rate(facts["most_requests_a_minute_per_key"]),
    )
    yield "Longest pause", _pause(facts["longest_pause_seconds"])
    if (facts["replicas"] or 1) > 1:
        yield "Machines", f"{facts['replicas']} seem to take turns with one prefix"
    yield "Prompt cache diagnostics", _diagnostics(facts)
    wrote = "cache_write_tokens" in stored["columns"]
    yield "Prompt cache writes", "reported" if wrote else "N/A, not reported"


def _granularity(facts: Document) -> str:
    words = _STEPS.get(facts["granularity"], str(facts["granularity"]))
    ceiling = facts["ceiling_share"]
    return (
        words
        if ceiling is None
        else f"{words}; at most {percent(ceiling, 1)} of this input can be read"
    )


def _prefix(facts: Document) -> str:
    cold = facts["cold_first_calls"]
    by = _BY.get(facts["lineage"], f"told by {facts['lineage']}")
    return f"{count(facts['lineages'])} ({by}); {cold:,} first call{'' if cold == 1 else 's'}, cold by rule"


def _known(value: int | None, words: str, absent: str) -> str:
    return f"N/A, {absent}" if value is None else f"{value:,} {words}"


def _rate(most: int | None) -> str:
    if most is None:
        return "N/A, no key or no time is reported"
    return f"{requests(most)} in the busiest minute of a key"


def _pause(seconds: float | None) -> str:
    if seconds is None:
        return "N/A, no time is reported"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} minutes" if seconds < 7200 else f"{seconds / 3600:,.1f} hours"


def _diagnostics(facts: Document) -> str:
    told = facts["diagnosed_requests"]
    if told is None:
        return "N/A, not reported"
    return (
        f"{told:,} requests; same structure, still missed: {facts['same_structure_still_missed']:,}"
    )
