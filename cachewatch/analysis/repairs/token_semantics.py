"""Where the usage does not add up: find out what the token counts mean before anything else."""

from __future__ import annotations

from cachewatch.analysis.repairs.step import DECIDE, Repair

DOES_NOT_ADD_UP: tuple[Repair, ...] = (
    Repair(
        "token-semantics",
        "Check what the source's token counts mean",
        "A share is cached over input tokens. Where the input leaves cached tokens out, or counts "
        "them twice, no number of this series can be read.",
        "Take one request from the provider's own answer and hold its input, cached and written "
        "tokens against those in the usage. At OpenAI the input holds cached and written tokens, "
        "each once.",
        "They differ: repair what adds up the usage, then read the hours again. They are equal: "
        "ask the provider, with the raw rows of one such hour.",
    ),
    Repair(
        "split-the-rows",
        "See which rows do not add up",
        "A gateway that counts cached tokens beside the input, added to one that counts them inside, "
        "gives shares above 100%.",
        "Split the raw rows of one such hour by API key, gateway and client.",
        "Only some do not add up: their sender counts differently, give it a project of its own. "
        "All of them: it is the source.",
    ),
    Repair(
        "read-hours-again",
        "Read the hours again",
        "An hour that was restated while it was read may be wrong once.",
        "Export or fetch the same hours once more.",
        "They add up: the verdict comes by itself. They do not: the first step decides.",
    ),
    DECIDE,
)
