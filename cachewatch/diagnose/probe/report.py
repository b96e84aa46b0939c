"""The plan of a trial and its result: a table to paste, and one sentence for each arm."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from cachewatch.analysis.cache_generation import Generation
from cachewatch.analysis.cache_probe.calls import OUTPUT_TOKENS, Trial
from cachewatch.analysis.cache_probe.reads import CAVEAT, Read, StepReads, meaning, steps_of
from cachewatch.analysis.figures import count, percent
from cachewatch.diagnose.probe.cost import Budget
from cachewatch.prices import Rates

_HEAD = (
    "| arm | call | n | read anything | input tokens | cached tokens | cached share | written |",
    "|---|---|---|---|---|---|---|---|",
)


def plan_text(
    trial: Trial, budget: Budget, rates: Rates | None, pause_s: float, base_url: str
) -> str:
    """What would be sent, and what it costs at most."""
    minutes = (trial.calls - 1) * pause_s / 60
    cost = dollars(budget.usd)
    if rates is not None:
        cost = f"at most {cost} ({rates.source}, {rates.price_date})"
    return (
        f"plan: {trial.calls} requests to {trial.model} at {base_url}, {' and '.join(trial.arms)} by "
        f"turns, {trial.rounds} rounds of first call, identical call, changed tail; {pause_s:g} s "
        f"between two, about {minutes:.1f} minutes\n"
        f"cost: about {count(budget.input_tokens)} input tokens, {cost}; and up to {OUTPUT_TOKENS} "
        "output tokens a request"
    )


def dollars(usd: Decimal | None) -> str:
    """$0.12; a price that is not known is said."""
    if usd is None:
        return "unpriced (no price of this model is known)"
    return f"${usd:.2f}" if usd >= Decimal("0.1") else f"${usd:.4f}"


def result_text(trial: Trial, reads: Sequence[Read], generation: Generation, usd: str) -> str:
    """The table and its meaning."""
    steps = steps_of(reads)
    lines = [
        f"{trial.model} ({generation.name}), {len(reads)} of {trial.calls} requests, input cost {usd}",
        "",
        *_HEAD,
        *(_row(one) for one in steps),
        "",
        *_meanings(trial, steps, generation),
        CAVEAT,
    ]
    return "\n".join(lines)


def _meanings(trial: Trial, steps: Sequence[StepReads], generation: Generation) -> Iterator[str]:
    for arm in trial.arms:
        yield f"{arm}: {meaning(steps, arm, generation)}"
    warm = sum(one.hits for one in steps if one.step == "first")
    if warm:
        yield f"{warm} first calls read something: text that was sent before, or counted out of sight."


def _row(one: StepReads) -> str:
    known = one.reported > 0
    share = one.cached_tokens / one.input_tokens if known and one.input_tokens else None
    cells = (
        *(one.arm, one.step, str(one.n)),
        f"{one.hits} of {one.reported}" if known else "N/A",
        count(one.input_tokens) if known else "N/A",
        count(one.cached_tokens) if known else "N/A",
        "N/A" if share is None else percent(share, 1),
        "N/A" if one.write_tokens is None else count(one.write_tokens),
    )
    return f"| {' | '.join(cells)} |"


def document(
    trial: Trial,
    budget: Budget,
    generation: Generation,
    reads: Sequence[Read] | None,
    usd: Decimal | None,
) -> str:
    """One JSON document; `reads` None: nothing was sent."""
    found: dict[str, Any] = {
        "model": trial.model,
        "generation": generation.name,
        "arms": trial.arms,
        "sent": reads is not None,
        "budget": {
            "requests": budget.calls,
            "input_tokens": budget.input_tokens,
            "input_usd_at_most": None if budget.usd is None else float(budget.usd),
        },
    }
    if reads is not None:
        steps = steps_of(reads)
        found |= {
            "input_usd": None if usd is None else float(usd),
            "calls": [read._asdict() for read in reads],
            "steps": [{**one._asdict(), "outcome": one.outcome} for one in steps],
            "meaning": {arm: meaning(steps, arm, generation) for arm in trial.arms},
        }
    return json.dumps(found, indent=1, allow_nan=False)
