"""A stored import as pages show it: headings, arms, causes and facts in words, made from its document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

from cachewatch.analysis.figures import count, percent
from cachewatch.analysis.requests.cause_words import (
    CAUSE_WORDS,
    UNKNOWN,
    UNKNOWN_WORDS,
    CauseWords,
    heading,
)
from cachewatch.analysis.requests.findings import Cause
from cachewatch.analysis.requests.parts import parts_of_hundred
from cachewatch.analysis.requests.thresholds import CHANCE, SMALL_ARM
from cachewatch.analysis.requests.words import p_value, requests
from cachewatch.analysis.thresholds import MINIMUM_TOKENS
from cachewatch.evidence.dollar_words import Cost, cost_of, cost_of_all, price_lines
from cachewatch.evidence.models import EvidenceImport

Document = Mapping[str, Any]
_UNREAD: Mapping[str, str] = {
    EvidenceImport.State.QUEUED: "The log waits to be read",
    EvidenceImport.State.RUNNING: "The log is being read",
}
# Why requests cannot be judged, as usable.py tells them apart.
_NOT_JUDGED: Mapping[str, str] = {
    "unreported": "without token counts",
    "suspect": "with impossible token counts",
    "invented": "streamed, with zeros that are not believed",
    "batch_tier": "of batch jobs",
    "ineligible": f"below {count(MINIMUM_TOKENS.default)} tokens",
}
_IN_TURNS = ("alternating", "A/B/A", "mixed")


class MissedPart(NamedTuple):
    """One cause of missed tokens. `percent_text` sums to 100.0 % over all parts. `usd`: None = N/A."""

    cause: str
    words: CauseWords
    tokens: int
    share: float | None
    percent_text: str
    requests: int
    usd: float | None
    cost: Cost


class ArmReading(NamedTuple):
    """How an arm stands against the one that the others are compared with."""

    p: float | None
    p_text: str
    reading: str
    differs: bool
    is_small: bool


def words_of(cause: str) -> CauseWords:
    """The words of a cause or of what no rule matched."""
    return UNKNOWN_WORDS if cause == UNKNOWN else CAUSE_WORDS[cast("Cause", cause)]


def title(row: EvidenceImport, stored: Document | None) -> str:
    """What an import says in one line; `stored`: its document, with points or without."""
    if stored is None:
        return row.error or _UNREAD.get(row.state, "The log was not read")
    first = stored["findings"][0]
    has_keys = "prompt_cache_key" in stored["columns"]
    return heading(first["cause"], first["confidence"], has_keys=has_keys)


def missed_parts(stored: Document) -> list[MissedPart]:
    """Missed tokens by cause, the most first; the unknown is always there, and last."""
    missed, in_requests = stored["missed_tokens"], stored["missed_requests"]
    known = {cause: n for cause, n in missed["by_cause"].items() if cause != UNKNOWN}
    by_tokens = sorted(known.items(), key=lambda one: -one[1])
    parts = [*by_tokens, (UNKNOWN, missed["by_cause"][UNKNOWN])]
    total = missed["total"]
    told = parts_of_hundred([tokens for _, tokens in parts])
    usd = usd_of(stored)
    return [
        MissedPart(
            *(cause, words_of(cause), tokens, tokens / total if total else None),
            *(part, in_requests.get(cause, 0)),
            usd=None if usd is None else usd["by_cause"].get(cause),
            cost=cost_of(usd, cause, tokens),
        )
        for (cause, tokens), part in zip(parts, told, strict=True)
    ]


def usd_of(stored: Document) -> Mapping[str, Any] | None:
    """What missed tokens cost; None for an import from before prices were asked."""
    found: Mapping[str, Any] | None = stored["missed_tokens"].get("usd")
    return found


def missed_heading(stored: Document) -> str:
    """What stands over the parts."""
    total = stored["missed_tokens"]["total"]
    if not stored["points_of"]:
        return "No request could be judged, so missed tokens are not known"
    if not total:
        return "No token that was readable was missed"
    most = max(missed_parts(stored), key=lambda one: one.tokens)
    name = "of unknown cause" if most.cause == UNKNOWN else most.words.word.lower()
    return f"Of {count(total)} missed tokens, {most.percent_text} are {name}"


def baseline(stored: Document) -> str | None:
    """The arm that the others are compared with: the first one that is in most comparisons."""
    labels = [str(arm["label"]) for arm in stored["arms"]]
    pairs = stored["comparisons"]
    if len(labels) < 2 or not pairs:
        return None
    return max(labels, key=lambda one: sum(one in (pair["a"], pair["b"]) for pair in pairs))


def arm_readings(stored: Document) -> list[ArmReading]:
    """One for each arm, in their order."""
    base = baseline(stored)
    by_label = {arm["label"]: arm for arm in stored["arms"]}
    return [_arm_reading(stored, by_label, arm, base) for arm in stored["arms"]]


def _arm_reading(
    stored: Document, by_label: Mapping[str, Any], arm: Mapping[str, Any], base: str | None
) -> ArmReading:
    small = arm["n"] < SMALL_ARM.default
    if base is None or arm["label"] == base:
        word = "reference arm" if base else "the only arm"
        return ArmReading(None, "baseline" if base else "", word, False, small)
    pair = next(
        (one for one in stored["comparisons"] if {one["a"], one["b"]} == {base, arm["label"]}), None
    )
    if pair is None:
        return ArmReading(None, "", "differs in several columns, not compared", False, small)
    p, other = pair["p"], by_label[base]
    if p is None or arm["share"] is None or other["share"] is None:
        return ArmReading(None, "N/A", "nothing to compare", False, small)
    if p >= CHANCE.default:
        return ArmReading(p, p_value(p), "no detectable difference", False, small)
    more = arm["share"] > other["share"]
    return ArmReading(p, p_value(p), "reads more" if more else "reads less", True, small)


def arms_heading(stored: Document) -> str:
    """What stands over the arms."""
    base = baseline(stored)
    if base is None:
        return "What the requests read"
    told = zip(stored["arms"], arm_readings(stored), strict=True)
    differing = [arm["label"] for arm, reading in told if reading.differs]
    if not differing:
        return f"No arm differs from {base} by more than chance"
    others = len(stored["arms"]) - 1
    only = "Only " if len(differing) == 1 and others > 1 else ""
    verb = "differs" if len(differing) == 1 else "differ"
    return f"{only}{_listed(differing)} {verb} from {base}"


def order_note(stored: Document) -> str:
    """What the order of the arms leaves open; empty where they ran by turns or mixed."""
    layouts = {one["layout"] for one in stored["comparisons"]} - set(_IN_TURNS)
    if not layouts:
        return ""
    told = ", ".join(sorted(layouts))
    return f"Arms do not alternate ({told}), so what changed with time may explain a difference."


def strip_heading(stored: Document) -> str:
    """What stands over the requests one by one."""
    missed, beside = sum(stored["missed_requests"].values()), _not_judged(stored)
    if not missed:
        return f"No request missed what was readable{beside}"
    told = f"{requests(missed)} of {stored['points_of']:,} missed what was readable"
    full = stored.get("missed_in_full", 0)  # older documents do not have it
    if full:
        told += f"; {_in_full(full, missed)}, as no request read much more"
    return told + beside


def _not_judged(stored: Document) -> str:
    """What is said of the requests of the log that are in no row; empty where all are."""
    by_reason = stored.get("not_judged", {})  # older documents do not have it
    if not by_reason:
        return ""
    why = ", ".join(f"{n:,} {_NOT_JUDGED[reason]}" for reason, n in by_reason.items())
    n = sum(by_reason.values())
    return f"; {n:,} more {'is' if n == 1 else 'are'} left out ({why})"


def _in_full(full: int, missed: int) -> str:
    if full == missed:
        return "it counts as a full read" if full == 1 else "they count as full reads"
    return f"{full:,} of them " + ("counts as a full read" if full == 1 else "count as full reads")


def _listed(names: Sequence[str]) -> str:
    if len(names) > 3:
        return f"{len(names)} arms"
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def markdown(row: EvidenceImport, link: str, facts: Sequence[tuple[str, str]]) -> str:
    """The import as evidence to paste elsewhere: no name, key or account is in what it is made from."""
    lines = [f"**{title(row, row.document)}**", ""]
    if row.document is not None:
        lines += _document_lines(row.document, facts)
    return "\n".join([*lines, "", link, ""])


def _document_lines(stored: Document, facts: Sequence[tuple[str, str]]) -> Iterator[str]:
    for one in stored["findings"]:
        yield f"- {one['confidence']}: {one['statement']} {one['does_not_prove']}"
    yield ""
    yield from _missed_lines(stored)
    if stored["arms"]:
        yield ""
        yield from _arm_lines(stored)
    yield ""
    yield from (f"- {name}: {value}" for name, value in facts)


def _missed_lines(stored: Document) -> Iterator[str]:
    usd, total = usd_of(stored), stored["missed_tokens"]["total"]
    yield f"{missed_heading(stored)}:"
    for part in missed_parts(stored):
        word, cost = part.words.word.lower(), part.cost
        told = f"{count(part.tokens)} tokens, {cost.amount}{_noted(cost)}"
        yield f"- {part.percent_text} {word} ({told})"
    if total:
        cost = cost_of_all(usd, total)
        yield f"- in dollars: {cost.amount}{_noted(cost)}; {'; '.join(price_lines(usd))}"


def _noted(cost: Cost) -> str:
    return f" ({cost.note})" if cost.note else ""


def _arm_lines(stored: Document) -> Iterator[str]:
    yield "| Arm | n | Zeros | Partial | Full | 95% interval of full | Cached share | p |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|"
    for arm, reading in zip(stored["arms"], arm_readings(stored), strict=True):
        low, high = arm["hit_interval"]
        share = "N/A" if arm["share"] is None else percent(arm["share"], 1)
        cells = [
            arm["label"].replace("|", "\\|"),
            *(str(arm[name]) for name in ("n", "zeros", "partial", "full")),
            f"{percent(low)} to {percent(high)}",
            f"{share} ({count(arm['cached_tokens'])} / {count(arm['input_tokens'])})",
            reading.p_text,
        ]
        yield f"| {' | '.join(cells)} |"
    if note := order_note(stored):
        yield ""
        yield note
