"""A planned prompt_cache_key, checked before it ships: its text, its rate, its granularity.

A key sends requests to a machine that holds their prefix, up to about 15 requests a minute; what is
beyond goes elsewhere. One that repeats too rarely has nothing to find there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Literal, NamedTuple

from cachewatch.analysis.cache_generation import UNKNOWN, Generation, generation_of
from cachewatch.analysis.figures import count
from cachewatch.analysis.key_shape import unit_of_shape
from cachewatch.analysis.key_text import has_unseen_character, real_id_in
from cachewatch.analysis.thresholds import KEY_LENGTH, KEY_RATE, WARM_REPEATS

Granularity = Literal["template", "tenant-document", "conversation", "message", "request"]
Severity = Literal["refused", "warning", "note"]
NoteCode = Literal[
    "empty",
    "unseen",
    "too-long",
    "real-id",
    "no-shards",
    "scatters",
    "rate-above-limit",
    "rate-at-least",
    "shards-not-needed",
    "shards-go-cold",
    "rate-unknown",
    "accounting-only",
]
GRANULARITIES: tuple[Granularity, ...] = (
    "template",
    "tenant-document",
    "conversation",
    "message",
    "request",
)
USED_ONCE: frozenset[Granularity] = frozenset({"message", "request"})

MINUTES_PER_HOUR = 60
UNSEEN_SENTENCE = "This holds a line break or a character that cannot be seen. Type the key anew."


class PeakLoad(NamedTuple):
    """How many requests come in a minute.

    Attributes:
        requests_per_minute: at the peak; None = not known.
        by_minute: it is the 99th percentile of minutes; else the mean minute of the busiest hour,
            which real peaks exceed.
        quiet_requests_per_hour: of the quiet hours; None = not known.

    """

    requests_per_minute: float | None
    by_minute: bool = False
    quiet_requests_per_hour: float | None = None


@dataclass(frozen=True)
class KeyPlan:
    """What is planned.

    Attributes:
        granularity: what one key is said to stand for; None = not said yet.
        key: its text, or its shape with placeholders such as `{tenant}`; None = not said yet.
        shards: keys that one unit is spread over.
        units_at_peak: how many templates, tenants or conversations are active in the peak minute;
            None = not known (one, for a template).

    """

    granularity: Granularity | None = None
    key: str | None = None
    shards: int = 1
    units_at_peak: int | None = None

    @property
    def unit(self) -> Granularity | None:
        """What one key stands for: as said, or as its placeholders say where those are finer."""
        shape = unit_of_shape(self.key)
        found = [one for one in (self.granularity, shape and shape.unit) if one is not None]
        return max(found, key=GRANULARITIES.index, default=None)

    @property
    def keys_at_peak(self) -> int | None:
        """How many keys share the peak minute; None = not known."""
        units = self.units_at_peak
        if units is None and self.unit in ("template", None):
            units = 1
        return None if units is None else max(units, 1) * max(self.shards, 1)


class KeyNote(NamedTuple):
    """One thing to know of a plan: what, how grave, of which field, and the sentence."""

    code: NoteCode
    severity: Severity
    field: str
    sentence: str


class KeyLint(NamedTuple):
    """All of it; `requests_per_minute_per_key` at the peak, None = not known."""

    notes: tuple[KeyNote, ...]
    requests_per_minute_per_key: float | None

    @property
    def refused(self) -> bool:
        """The plan cannot be saved as it is."""
        return any(note.severity == "refused" for note in self.notes)


def lint_key(plan: KeyPlan, load: PeakLoad, model: str | None, day: date | None = None) -> KeyLint:
    """What speaks against a planned key, the gravest first. Pure.

    Args:
        plan: the key.
        load: of the series that it is for.
        model: of the series; None = unknown, treated with the newest generation's caution.
        day: on which the key is to ship; None: today's contract.

    """
    rate = rate_per_key(plan, load)
    generation = generation_of(model, day)
    notes = [*key_text_notes(plan.key), *_shard_count_notes(plan), *_granularity_notes(plan)]
    if generation.key_improves_routing:
        notes += [*_rate_notes(plan, load, rate), *_cold_notes(plan, load, generation)]
    else:
        notes.append(_accounting_note(generation))
    order: tuple[Severity, ...] = ("refused", "warning", "note")
    return KeyLint(tuple(sorted(notes, key=lambda note: order.index(note.severity))), rate)


def rate_per_key(plan: KeyPlan, load: PeakLoad) -> float | None:
    """Requests a minute under one key at the peak; None where the load or the keys are not known.

    A key that is used once has at most one.
    """
    keys = plan.keys_at_peak
    if plan.unit in USED_ONCE:
        return None if load.requests_per_minute is None else min(1.0, load.requests_per_minute)
    if load.requests_per_minute is None or keys is None:
        return None
    return load.requests_per_minute / keys


def key_text_notes(key: str | None) -> Iterator[KeyNote]:
    """What is wrong with the text of a key alone: each of these refuses it."""
    if key is None:
        return
    longest = int(KEY_LENGTH.default)
    if not key.strip():
        yield KeyNote("empty", "refused", "key", "A key needs at least one character.")
    elif has_unseen_character(key):
        yield KeyNote("unseen", "refused", "key", UNSEEN_SENTENCE)
    if len(key) > longest:
        yield KeyNote(
            *("too-long", "refused", "key"),
            f"A key has at most {longest} characters; this one has {len(key)}.",
        )
    found = real_id_in(key)
    if found is not None:
        yield KeyNote(
            *("real-id", "refused", "key"),
            f"This holds what looks like {found}. Write its shape, such as "
            "`rag-answer-{tenant}`; real ids are not stored here.",
        )


def _shard_count_notes(plan: KeyPlan) -> Iterator[KeyNote]:
    if plan.shards < 1:
        yield KeyNote("no-shards", "refused", "shards", "There is at least one shard.")


def _granularity_notes(plan: KeyPlan) -> Iterator[KeyNote]:
    if plan.unit not in USED_ONCE:
        return
    shape = unit_of_shape(plan.key)
    read = shape is not None and shape.unit == plan.unit
    because = f"`{shape.placeholder}` is new on every {plan.unit}. " if read and shape else ""
    yield KeyNote(
        *("scatters", "warning", "key" if read else "granularity"),
        f"{because}A key per {plan.unit} scatters like no key: it is used once, so no later "
        "request can be sent to where its prefix is.",
    )


def _rate_notes(plan: KeyPlan, load: PeakLoad, rate: float | None) -> Iterator[KeyNote]:
    limit = KEY_RATE.default
    if plan.unit in USED_ONCE:
        return
    if rate is None:
        yield KeyNote(
            *("rate-unknown", "note", "units_at_peak"),
            f"Requests a minute per key are N/A; {_unknown_reason(plan, load)} "
            f"About {limit:.0f} a minute fit under one key.",
        )
    elif rate > limit:
        yield KeyNote("rate-above-limit", "warning", "shards", _above(rate, load))
    elif plan.shards > 1 and load.by_minute and rate * plan.shards <= limit:
        yield KeyNote(
            *("shards-not-needed", "warning", "shards"),
            f"One key would have {count(rate * plan.shards)} requests a minute at peak; about "
            f"{limit:.0f} fit, so shards only make more prefixes to keep warm.",
        )
    elif not load.by_minute:
        yield KeyNote(
            *("rate-at-least", "note", "shards"),
            f"At least {_rate(rate)} requests a minute per key at peak, from hourly numbers; "
            "minutes may show more.",
        )


def _above(rate: float, load: PeakLoad) -> str:
    basis = "in 1 of 100 minutes" if load.by_minute else "in the busiest hour, on average"
    return (
        f"{_rate(rate)} requests a minute per key {basis}; about {KEY_RATE.default:.0f} fit, over "
        "all prefixes under the key. Where the key carries many prefixes, a finer key or shards "
        "keep them together; where it carries one hot prefix, shards repair nothing."
    )


def _cold_notes(plan: KeyPlan, load: PeakLoad, generation: Generation) -> Iterator[KeyNote]:
    """Shards that quiet hours would not keep warm, even if a single unit were active then.

    How many are is not known; at peak there are more of them.
    """
    quiet = load.quiet_requests_per_hour
    if plan.shards < 2 or quiet is None or plan.unit in USED_ONCE:
        return
    minutes = generation.lifetime.usual[0]
    repeats = quiet / plan.shards * minutes / MINUTES_PER_HOUR
    if repeats < WARM_REPEATS.default:
        most = "" if plan.keys_at_peak == plan.shards else "at most "
        yield KeyNote(
            *("shards-go-cold", "warning", "shards"),
            f"In quiet hours each key would have {most}{repeats:.1f} requests in the {minutes:.0f} "
            f"minutes that an entry lives; {WARM_REPEATS.default:.0f} keep it warm.",
        )


def _accounting_note(generation: Generation) -> KeyNote:
    if generation.name == UNKNOWN.name:
        of, keys = " (its generation is not known)", "a key may not improve routing: since GPT-5.6"
    else:
        of, keys = f" ({generation.name})", "a key does not improve routing:"
    return KeyNote(
        *("accounting-only", "warning", "key"),
        f"For this model{of} {keys} it separates the accounting of the prompt cache, and too fine a "
        "key lowers the share. A breakpoint after the static part is the repair to try first.",
    )


def _unknown_reason(plan: KeyPlan, load: PeakLoad) -> str:
    if load.requests_per_minute is None:
        return "no hour of this series reports its requests."
    shape = unit_of_shape(plan.key)
    if shape is not None and plan.units_at_peak is None:
        return (
            f"`{shape.placeholder}` makes one key per {shape.unit}: say how many are active in the "
            "busiest minute."
        )
    return "say how many units are active in the busiest minute."


def _rate(rate: float) -> str:
    return f"{rate:.1f}" if rate < 10 else count(rate)
