"""The numbers behind one verdict, as plain values: what is stored, shown and put into words.

None is "not reported" or "undefined", never zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cachewatch.analysis.case import DayFall, Level
from cachewatch.analysis.cells import CellLabel
from cachewatch.analysis.controls.control import Control
from cachewatch.analysis.reading import Rules
from cachewatch.analysis.stability import Stability
from cachewatch.analysis.thresholds import ELIGIBLE_INPUT, Thresholds
from cachewatch.analysis.verdict_codes import COLD, FLAT_LOW, NO_CACHED, SCATTER, SPARSE

FINDINGS = frozenset({SCATTER, FLAT_LOW, COLD, SPARSE})


@dataclass(frozen=True)
class Pooled:
    """Totals of a set of hours; `share` is None without input."""

    hours: int
    requests: int
    input_tokens: int
    cached_tokens: int
    share: float | None


@dataclass(frozen=True)
class Third:
    """The quietest or the busiest third of the linked hours."""

    hours: int
    requests: int
    input_tokens: int
    cached_tokens: int
    share: float
    requests_per_hour: float
    low_requests: int
    high_requests: int


@dataclass(frozen=True)
class Evidence:
    """One verdict and its numbers.

    Attributes:
        verdict: code, one of verdict_codes.VERDICTS.
        published_state: what the published rule alone says of the same window.
        rules: the rules in force.
        pooled: all hours with known requests, input and cached tokens.
        linked: the hours that follow an hour with traffic, which the verdict is about.
        cold: the hours that follow an hour without traffic.
        quiet, busy: thirds of the linked hours; None with `third_reason` where there is no split.
        third_reason: "too_few_hours" or "one_load"; None where the thirds are given.
        rho: rank correlation of share and requests over the linked hours.
        excluded: hours left out, by reason.
        thresholds: in force.
        reason: what decided where the verdict alone does not say it, else "".
        cell: the API key, batch setting and tier that the verdict is about; None = all of them.
        since_hour: first hour of the state of affairs that the verdict is about, where it began
            inside the window; whole UTC hours since the epoch.
        provisional: it began too lately to be sure.
        generation: the contract of the model's prompt cache.
        fall: the contrast inside service days; None under the published rules.
        level: daily shares before and after the best split of the days; likewise.
        stability: the fall with parts left out; None where there is no contrast.
        controls: how every other cause stands; none under the published rules.
        flags: what stands beside the verdict, see flags.py.
        rate_ratio: where the load does not vary, requests an hour of a service day's busy third over
            those of its quiet third, on the day that varies most; None elsewhere, and without a
            service day of enough hours.
        retires_on: day on which the model is shut down, as YYYY-MM-DD, where it is near.

    """

    verdict: str
    published_state: str
    rules: Rules
    pooled: Pooled
    linked: Pooled
    cold: Pooled
    quiet: Third | None
    busy: Third | None
    third_reason: str | None
    rho: float | None
    excluded: Mapping[str, int]
    thresholds: Thresholds
    reason: str = ""
    cell: CellLabel | None = None
    since_hour: int | None = None
    provisional: bool = False
    generation: str = ""
    fall: DayFall | None = None
    level: Level | None = None
    stability: Stability | None = None
    controls: tuple[Control, ...] = ()
    flags: tuple[str, ...] = ()
    retires_on: str | None = None
    rate_ratio: float | None = None

    @property
    def mean_input(self) -> float | None:
        """Input tokens a request over all counted hours; None without requests."""
        pooled = self.pooled
        return pooled.input_tokens / pooled.requests if pooled.requests > 0 else None

    @property
    def is_finding(self) -> bool:
        """See is_finding()."""
        return is_finding(self.verdict, self.mean_input, self.rules)

    def control(self, name: str) -> Control | None:
        """The control of that name."""
        return next((one for one in self.controls if one.name == name), None)


def is_finding(verdict: str, mean_input: float | None, rules: Rules) -> bool:
    """Whether a verdict is a finding: something to repair, exit status 1.

    "No cached tokens" is one where the mean input clearly reaches the minimum. Under the
    published rules only "misses rise with load" is.
    """
    if rules == "published":
        return verdict == SCATTER
    if verdict == NO_CACHED:
        return mean_input is not None and mean_input >= ELIGIBLE_INPUT.default
    return verdict in FINDINGS


def window_numbers(evidence: Evidence) -> dict[str, float | None]:
    """The numbers of a window by the names that rows and reports have for them.

    Shares 0..1, rates in requests an hour, totals over the linked hours; None where there is none.
    """
    quiet, busy, pooled = evidence.quiet, evidence.busy, evidence.pooled
    nothing = pooled.hours == 0
    return {
        "rho": evidence.rho,
        "quiet_share": quiet.share if quiet else None,
        "busy_share": busy.share if busy else None,
        "quiet_rate": quiet.requests_per_hour if quiet else None,
        "busy_rate": busy.requests_per_hour if busy else None,
        "pooled_share": pooled.share,
        "input_tokens": None if nothing else pooled.input_tokens,
        "cached_tokens": None if nothing else pooled.cached_tokens,
        "requests": None if nothing else pooled.requests,
        "linked_hours": evidence.linked.hours,
    }


def evidence_from_record(record: Mapping[str, Any]) -> Evidence:
    """Read back what was written as JSON, each dataclass as an object of its fields."""
    parts = dict(record)
    for name in ("pooled", "linked", "cold"):
        parts[name] = Pooled(**parts[name])
    for name in ("quiet", "busy"):
        parts[name] = Third(**parts[name]) if parts[name] else None
    if parts.get("fall"):
        pair = tuple(parts["fall"]["cached_per_request"])
        parts["fall"] = DayFall(**parts["fall"] | {"cached_per_request": pair})
    if parts.get("level"):
        parts["level"] = Level(**parts["level"])
    if parts.get("stability"):
        parts["stability"] = Stability(**parts["stability"])
    if parts.get("cell"):
        parts["cell"] = CellLabel(**parts["cell"])
    parts["controls"] = tuple(Control(**one) for one in parts.get("controls", ()))
    parts["flags"] = tuple(parts.get("flags", ()))
    return Evidence(**parts | {"thresholds": Thresholds(**parts["thresholds"])})
