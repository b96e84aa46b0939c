"""Whether a key helps a series, at which unit, and over how many shards.

The rule: the finest unit that repeats at least three times inside one lifetime and shares the long
part; shards only where one key carries many prefixes and its busy minutes exceed what fits under
one. From GPT-5.6 a key does not improve routing (OpenAI's prompt caching guide, September 2026).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal, NamedTuple

from cachewatch.analysis.cache_generation import Generation, generation_of
from cachewatch.analysis.key_advice import words
from cachewatch.analysis.key_advice.load import Load
from cachewatch.analysis.key_advice.shards import ONE, Shards, shards_for
from cachewatch.analysis.key_advice.thresholds import AFTER_IDLE, FEW_REQUESTS
from cachewatch.analysis.key_advice.units import UnitFacts
from cachewatch.analysis.key_plan import Granularity
from cachewatch.analysis.requests.thresholds import KEY_CHURN
from cachewatch.analysis.thresholds import KEY_RATE, MINIMUM_TOKENS

Helps = Literal["yes", "little", "no", "unknown"]


class KeysSent(NamedTuple):
    """Requests that carry a key, how many keys those are, and of how many requests in all."""

    requests_with: int
    distinct: int
    requests: int

    @property
    def used_once(self) -> bool:
        """Most keys are new with each request."""
        with_key = self.requests_with
        return with_key * 2 > self.requests and self.distinct >= KEY_CHURN.default * with_key > 1


class LoadFall(NamedTuple):
    """Cached shares, 0..1, of the quietest and of the busiest third of the hours."""

    quiet_share: float
    busy_share: float


@dataclass(frozen=True)
class Traffic:
    """One series.

    Attributes:
        model: None = not known. day: of the newest request, UTC; None = not known.
        load: its busy minute and quiet hour.
        units: what a key could stand for, the finest first.
        requests: how many are known of; None = not reported.
        prefixes: how many different prefixes the series has; None = not known.
        mean_input_tokens: None = not known. keys_sent: None = not known.
        fall: the shares of quiet and busy hours where misses were found to rise with load.
        sampled: the requests may be a part of all, so that each prefix may come more often.
        fan_out: the share falls as it does when workers start together (the control "fan-out" fired).

    """

    model: str | None
    day: date | None
    load: Load
    units: Sequence[UnitFacts]
    requests: int | None = None
    prefixes: int | None = None
    mean_input_tokens: float | None = None
    keys_sent: KeysSent | None = None
    fall: LoadFall | None = None
    sampled: bool = False
    fan_out: bool = False


@dataclass(frozen=True)
class KeyAdvice:
    """What to do.

    Attributes:
        helps: whether a key helps: "little" where the load fits on one machine anyway.
        generation: the contract of the model's cache.
        unit: what a key stands for; None: send none.
        shards: keys that a template is spread over; None where each unit has a key of its own, or
            none is sent.
        reasons: why, in sentences, the first is the verdict.
        by_prefixes: shards are planned, and how many prefixes there are decides what they do.
        race: requests start together, so that no key helps and one call that goes first does.

    """

    helps: Helps
    generation: Generation
    unit: Granularity | None
    shards: Shards | None
    reasons: tuple[str, ...]
    by_prefixes: bool = False
    race: bool = False


class _Verdict(NamedTuple):
    helps: Helps
    sentence: str
    plans: bool = True  # a key can be planned all the same
    race: bool = False


def advise(traffic: Traffic, unit: Granularity | None = None) -> KeyAdvice:
    """The advice for one series. Pure. `unit`: the user's own choice, instead of the finest."""
    generation = generation_of(traffic.model, traffic.day)
    chosen = unit or finest_unit(traffic.units)
    verdict = _fan_out(traffic, generation) or _verdict(traffic, generation, chosen)
    shown = chosen if unit is not None or (verdict.plans and verdict.helps != "no") else None
    shards = _shards(traffic, generation, verdict) if shown == "template" else None
    reasons = [verdict.sentence, *_beside(traffic, generation, shown, shards)]
    sharded = shards is not None and shards.needed > 1
    return KeyAdvice(
        *(verdict.helps, generation, shown, shards, tuple(dict.fromkeys(reasons))),
        by_prefixes=sharded and traffic.prefixes is None,
        race=verdict.race,
    )


def finest_unit(units: Sequence[UnitFacts]) -> Granularity | None:
    """The finest unit that comes often enough for a key and shares the long part; None: none does."""
    return next((unit.granularity for unit in units if unit.fits), None)


def _fan_out(traffic: Traffic, generation: Generation) -> _Verdict | None:
    """Before all else: what no key repairs."""
    if not traffic.fan_out:
        return None
    return _Verdict("no", words.fan_out(generation), plans=False, race=True)


def _verdict(traffic: Traffic, generation: Generation, unit: Granularity | None) -> _Verdict:
    """The first of these that holds."""
    sent, size = traffic.keys_sent, traffic.mean_input_tokens
    if not generation.key_improves_routing:
        known = generation_of(None).name != generation.name
        return _Verdict("no" if known else "unknown", words.generation(generation), plans=False)
    if (missing := _missing(traffic)) is not None:
        return _Verdict("unknown", missing, plans=False)
    if size is not None and size < MINIMUM_TOKENS.default:
        return _Verdict("no", words.short(size))
    if unit is None:
        return _Verdict("no", words.nothing_repeats(traffic.units, generation))
    if sent is not None and sent.used_once:
        return _Verdict("yes", words.used_once(sent.distinct, sent.requests_with))
    return _by_load(traffic, unit, generation)


def _facts_of(traffic: Traffic, unit: Granularity | None) -> UnitFacts | None:
    return next((one for one in traffic.units if one.granularity == unit), None)


def _missing(traffic: Traffic) -> str | None:
    """Why nothing can be said of the traffic; None where something can."""
    if traffic.requests is None:
        return None if traffic.units else words.NOT_REPORTED
    return words.few(traffic.requests) if traffic.requests < FEW_REQUESTS.default else None


def _by_load(traffic: Traffic, unit: Granularity, generation: Generation) -> _Verdict:
    peak, after_idle = traffic.load.peak, traffic.load.after_idle
    rate = peak.requests_per_minute
    if rate is None:
        return _Verdict("unknown", words.NO_TIMES)
    if not peak.by_minute:
        return _Verdict("unknown", words.by_hour(rate))
    if rate <= KEY_RATE.default:
        return _Verdict("little", words.fits(rate))
    if after_idle is not None and after_idle >= AFTER_IDLE.default:
        return _Verdict("no", words.race(after_idle), race=True)
    if unit != "template":
        return _by_unit(_facts_of(traffic, unit), unit, generation, rate)
    return _by_prefixes(traffic, rate, generation)


def _by_unit(
    facts: UnitFacts | None, unit: Granularity, generation: Generation, rate: float
) -> _Verdict:
    """Of a load that does not fit under one key, with a key for each of a finer unit."""
    if facts is None:
        return _Verdict("unknown", words.finer_unknown(unit, rate))
    if not facts.fits:
        return _Verdict("no", words.does_not_fit(unit, facts.repeating_share, generation))
    return _Verdict("yes", words.finer(unit, rate))


def _by_prefixes(traffic: Traffic, rate: float, generation: Generation) -> _Verdict:
    """Of a load that does not fit under one key, under keys of the template."""
    if traffic.prefixes is None:
        return _Verdict("unknown", words.prefixes_unknown(rate))
    if traffic.prefixes < 2:
        return _Verdict("no", words.one_prefix(rate))
    # Evenly spread, and even in a busy minute: how often a prefix comes while its entry lives.
    calls = rate * generation.lifetime.usual[1] / traffic.prefixes
    if calls < 1 and not traffic.sampled:
        return _Verdict("no", words.prefixes_expire(traffic.prefixes, calls, generation))
    return _Verdict("yes", words.many_prefixes(traffic.prefixes, rate))


def _shards(traffic: Traffic, generation: Generation, verdict: _Verdict) -> Shards:
    one_prefix = traffic.prefixes is not None and traffic.prefixes < 2
    if one_prefix or verdict.helps not in ("yes", "unknown"):
        return ONE
    return shards_for(traffic.load, generation.lifetime.usual[0])


def _beside(
    traffic: Traffic, generation: Generation, unit: Granularity | None, shards: Shards | None
) -> list[str]:
    """What else to know."""
    said = []
    sent = traffic.keys_sent
    if traffic.fan_out and not generation.key_improves_routing:
        said.append(words.generation(generation))
    if sent is not None and sent.requests_with and not generation.key_improves_routing:
        said.append(words.who_sends(sent.distinct, sent.requests_with))
    elif sent is not None and sent.requests_with and not sent.used_once:
        said.append(words.sent_already(sent.distinct, sent.requests_with, sent.requests))
    facts = _facts_of(traffic, unit)
    if unit is not None and unit != "template" and facts is None:
        said.append(words.unit_unknown(unit))
    if facts is not None and not facts.fits:
        said.append(words.does_not_fit(unit or "template", facts.repeating_share, generation))
    hot = None if facts is None else facts.requests_per_minute
    if unit not in (None, "template") and hot is not None and hot > KEY_RATE.default:
        said.append(words.hot_unit(hot))
    if shards is not None and shards.needed > 1:
        said += [words.shards(shards, traffic.load, generation), words.MANY_PREFIXES_ALONE]
    if generation.key_improves_routing and traffic.fall is not None and traffic.prefixes == 1:
        said.append(words.one_prefix_and_a_fall(*traffic.fall))
    return said
