"""What a model's prompt cache does, by model family.

Sources: OpenAI's prompt caching guide (captures of July and September 2026) and the types of the
openai Python package 3.57 (19 November 2026). From GPT-5.6 the guide calls prompt_cache_key
"optional for separate cache accounting", no longer a help to routing.
"""

from __future__ import annotations

import re

_GPT = re.compile(r"gpt-(\d{1,2})(?:\.(\d{1,2}))?(?![\d])")
_REASONING = re.compile(r"(?:^|[:/-])o[134](?:-|$)")
FIRST_WITHOUT_ROUTING_KEYS = (5, 6)


def model_version(model: str | None) -> tuple[int, int] | None:
    """(major, minor) of a GPT model, dated snapshots and fine-tunes too; None for other names.

    >>> model_version("gpt-5.6-terra"), model_version("ft:gpt-4o-2024-08-06:acme")
    ((5, 6), (4, 0))
    """
    found = _GPT.search(model or "")
    return (int(found[1]), int(found[2] or 0)) if found else None


def key_improves_routing(model: str | None) -> bool:
    """Whether prompt_cache_key steers requests to a machine that holds the prefix.

    False for GPT-5.6 and later and, out of caution, for every unknown model.
    """
    version = model_version(model)
    if version is None:
        return bool(_REASONING.search(model or ""))
    return version < FIRST_WITHOUT_ROUTING_KEYS
