"""Where the level of the share moved on a day."""

from __future__ import annotations

from cachewatch.analysis.repairs.step import COMPARE_BODIES, Repair, mark

_ELSEWHERE = Repair(
    "same-hour-elsewhere",
    "Look at the same hour elsewhere",
    "It tells a change of your own from one of the provider's.",
    "Did other series behind this gateway, of this model, or all of them move in the same hour?",
    "All behind one gateway: the gateway. All of one model, or everybody: the provider, or the model "
    "itself. This series alone: its own deploy.",
)
_WHAT_CHANGED = Repair(
    "what-changed",
    "List what changed within two hours of it",
    "The level of a share moves when the bytes or the settings of the requests do.",
    "Deploys, versions of the SDK and the gateway, prompt, tools, schema, reasoning effort, "
    "service tier, model snapshot, retention.",
    "One candidate: mark it. Several: the bodies tell them apart. None: ask who sends a key.",
)
_MARK = Repair(
    "mark-the-hour",
    "Mark the hour",
    "A marker names the day, and what is measured afterwards is held against it.",
    "Set it with the kind of the change, even if it was not meant to touch the prompt cache.",
    "The charts show the change and the move side by side.",
)
_BEFORE = Repair(
    "key-or-retention-changed",
    "See whether the key or the retention changed (models before GPT-5.6)",
    "A dropped prompt_cache_key or user field, another retention and another order of tools all "
    "look like this.",
    "Compare the two bodies for prompt_cache_key, user, prompt_cache_retention and the tools.",
    "Whichever differs is put back as it was.",
)
_LATER = Repair(
    "breakpoints-or-mode-changed",
    "See whether breakpoints or the mode changed (GPT-5.6 and later)",
    "Without its marker a static part is no longer found; a setting that is changed per request "
    "is part of what must match.",
    "Compare prompt_cache_options, every prompt_cache_breakpoint, instructions, reasoning effort "
    "and verbosity of the two bodies. On GPT-6 change such settings with configuration_update.",
    "A marker that is gone is set again; a setting that varies is fixed for the route.",
)
_ROLL_BACK = Repair(
    "roll-back-a-tenth",
    "Roll back on a tenth of the units first",
    "If the share there returns, the cause is found.",
    "Take 10% of tenants or templates under an API key of their own, never 10% of requests.",
    "It returns: roll back the rest. It does not: the cause is another one on the list.",
)
_COMPARE = Repair(
    "weeks-before-the-shift",
    "Compare with the weeks before the shift, not with yesterday",
    "The new level is not normal because it is a few days old.",
    "Read the same weekdays of the two weeks before the marker.",
    "Back at the old level: done. Between the two: part of the change is still there.",
)
_START = (_ELSEWHERE, _WHAT_CHANGED, _MARK, COMPARE_BODIES)
BEFORE_GPT_5_6: tuple[Repair, ...] = (
    *(*_START, _BEFORE, _ROLL_BACK, _COMPARE),
    mark("prefix changed"),
)
GPT_5_6_AND_LATER: tuple[Repair, ...] = (
    *(*_START, _LATER, _ROLL_BACK, _COMPARE),
    mark("breakpoint changed"),
)
