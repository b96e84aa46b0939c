"""Where other traffic carries the busy hours, or the prompts change with load."""

from __future__ import annotations

from cachewatch.analysis.repairs.step import MARK_AND_READ, Repair

_READ_CELLS = Repair(
    "Read who carries the busy hours",
    "A part with a low share that brings most of the busy traffic pulls the whole down.",
    "Group usage by API key, batch setting and service tier, and compare each part's share and "
    "weight in quiet and in busy hours.",
)
_OWN_KEY = Repair(
    "Give each template and each job an API key of its own, better a project",
    "What shares an API key cannot be told apart in the usage report.",
    "Create one API key a template or job and roll it out on its own; nothing else changes.",
)
_JUDGE_ALONE = Repair(
    "Judge the largest part alone after two service days",
    "Its own share over load is what a repair would have to move.",
    "Look at that part's series, or at its API key in the cell table.",
)
_LENGTH = Repair(
    "See whether cached tokens a request stay the same",
    "If they do, nothing is lost: the prompts are longer, and what is static is still read.",
    "Divide cached tokens by requests in quiet and in busy hours. If only the length differs, cap "
    "what is retrieved, or put it behind the static part.",
)
_BATCH = Repair(
    "Move evaluations and backfills to batch or flex, or to another project",
    "They cost less there and leave the interactive traffic readable.",
    "Send them with their own API key, so that they are a cell of their own.",
)
_PER_RATE = Repair(
    "Set one breakpoint for each rate of change (GPT-5.6 and later)",
    "Tools and rules, a tenant's text and a conversation's history change at different times.",
    "End the developer message with the rules, the tenant's part and the last turn each with "
    "prompt_cache_breakpoint; up to four are written in one request.",
)
_ACCEPT = Repair(
    "Accept the whole, with the figures of its parts",
    "A mixed share is no target.",
    "Record the share of each part and watch those.",
)
BEFORE_GPT_5_6: tuple[Repair, ...] = (
    _READ_CELLS,
    _OWN_KEY,
    _JUDGE_ALONE,
    _LENGTH,
    _BATCH,
    _ACCEPT,
    MARK_AND_READ,
)
GPT_5_6_AND_LATER: tuple[Repair, ...] = (
    _READ_CELLS,
    _OWN_KEY,
    _JUDGE_ALONE,
    _LENGTH,
    _BATCH,
    _PER_RATE,
    _ACCEPT,
    MARK_AND_READ,
)
