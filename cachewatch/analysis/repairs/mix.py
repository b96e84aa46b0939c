"""Where other traffic carries the busy hours, or the prompts change with load."""

from __future__ import annotations

from cachewatch.analysis.repairs.step import Repair, mark

_READ_CELLS = Repair(
    "read-the-cells",
    "Read who carries the busy hours",
    "A part with a low share that brings most of the busy traffic pulls the whole down.",
    "Compare each part's share and weight in quiet and in busy hours: the handoff note of the series "
    "holds that table; elsewhere group usage by API key, batch setting and service tier.",
    "One part carries the busy hours with a low share of its own: judge that one. All parts fall "
    "alike: it is not the mix, read the list for a fall with load.",
)
_OWN_KEY = Repair(
    "own-api-key",
    "Give each template and each job an API key of its own, better a project",
    "What shares an API key cannot be told apart in the usage report.",
    "Create one API key a template or job and roll it out on its own; nothing else changes.",
    "From the first hour on each part is a cell of its own, and a project a series of its own.",
)
_JUDGE_ALONE = Repair(
    "judge-largest-alone",
    "Judge the largest part alone after two service days",
    "Its own share over load is what a repair would have to move.",
    "Look at that part's series, or at its API key in the table of parts of the handoff note.",
    "It falls alone: it has a finding of its own. It does not: nothing is lost there.",
)
_LENGTH = Repair(
    "cached-per-request",
    "See whether cached tokens a request stay the same",
    "If they do, nothing is lost: the prompts are longer, and what is static is still read.",
    "Divide cached tokens by requests in quiet and in busy hours.",
    "Equal: only the length differs; cap what is retrieved, or put it behind the static part. "
    "Fewer when busy: something is lost beyond length.",
)
_BATCH = Repair(
    "move-background-work",
    "Move evaluations and backfills to batch or flex, or to another project",
    "They cost less there and leave the interactive traffic readable.",
    "Send them with their own API key, so that they are a cell of their own.",
    "The share of what is left is that of the interactive traffic.",
)
_PER_RATE = Repair(
    "breakpoint-per-rate",
    "Set one breakpoint for each rate of change (GPT-5.6 and later)",
    "Tools and rules, a tenant's text and a conversation's history change at different times.",
    "End the developer message with the rules, the tenant's part and the last turn each with "
    "prompt_cache_breakpoint; up to four are written in one request.",
    "Each part is read as long as it stays; the written part falls.",
)
_ACCEPT = Repair(
    "accept-with-parts",
    "Accept the whole, with the figures of its parts",
    "A mixed share is no target.",
    "Record the share of each part and watch those.",
    "The whole is left alone; a part that falls opens a finding of its own.",
)
_WHAT_GROWS = Repair(
    "what-grows-with-load",
    "Find out which part of the prompt changes its length with load",
    "What is retrieved, pasted or carried on as history is paid in full unless it stood in an "
    "earlier call.",
    "Compare the bodies of a quiet and two busy requests part by part: rules, tools, retrieved text, "
    "history.",
    "A part behind the static one: it costs its own tokens and spoils nothing, cap it. A part in "
    "front of it: move it behind.",
)
_READ_WEEKENDS = Repair(
    "read-the-weekends",
    "Read who comes at weekends and who on weekdays",
    "A job that runs at weekends has a share of its own and moves that of the days.",
    "Group the usage of a weekday and of a day at the weekend by API key, batch setting and service "
    "tier, and compare each part's share and weight.",
    "A part that comes on one side alone: judge it alone. The same parts on both sides with other "
    "shares: ask for what changes in their prompts or their density.",
)
_WATCH_TOKENS = Repair(
    "watch-cached-per-request",
    "Accept the share, and watch the cached tokens a request",
    "A share that follows the length of the prompts is no target.",
    "Record the cached tokens a request of quiet and of busy hours.",
    "They stay: nothing is lost. They fall when busy: the series is judged again.",
)
BEFORE_GPT_5_6: tuple[Repair, ...] = (
    *(_READ_CELLS, _OWN_KEY, _JUDGE_ALONE, _LENGTH, _BATCH, _ACCEPT),
    mark("other change"),
)
GPT_5_6_AND_LATER: tuple[Repair, ...] = (
    *(_READ_CELLS, _OWN_KEY, _JUDGE_ALONE, _LENGTH, _BATCH, _PER_RATE, _ACCEPT),
    mark("breakpoint changed"),
)
LENGTH_BEFORE_GPT_5_6: tuple[Repair, ...] = (
    *(_LENGTH, _WHAT_GROWS, _WATCH_TOKENS),
    mark("prefix changed"),
)
LENGTH_GPT_5_6_AND_LATER: tuple[Repair, ...] = (
    *(_LENGTH, _WHAT_GROWS, _PER_RATE, _WATCH_TOKENS),
    mark("breakpoint changed"),
)
# A mix of weekdays and weekends: neither load nor the length of the prompts has a part in it.
WEEKEND: tuple[Repair, ...] = (
    *(_READ_WEEKENDS, _OWN_KEY, _JUDGE_ALONE, _BATCH, _ACCEPT),
    mark("other change"),
)
