"""Requests that went to Azure, as a gateway's log says it, and what differs there.

Sources: that Azure's traffic is not in OpenAI's usage API, what Azure Monitor measures, and what Azure's
page says of keys (as of November 2026) are documented by the two providers.
"""

from __future__ import annotations

import numpy as np

from cachewatch.analysis.requests.batch import RequestBatch
from cachewatch.analysis.segments import Bools, Ints

# Model names of LiteLLM; values of its column, and of gen_ai.provider.name and gen_ai.system.
_MODEL_PREFIXES = ("azure/", "azure_ai/")
_COLUMNS = ("custom_llm_provider", "provider")
_PROVIDERS = ("azure", "az.ai.")


def azure_requests(batch: RequestBatch) -> int:
    """How many requests name Azure by their model or their provider."""
    found = _coded(batch.model, batch.model_names, _MODEL_PREFIXES)
    for column in _COLUMNS:
        if column in batch.arms:
            found |= _coded(batch.arms[column], batch.arm_names[column], _PROVIDERS)
    return int(found.sum())


def azure_words(azure: int, requests: int) -> str:
    """What differs for them: where else they could be seen, and what is said of keys there."""
    return (
        f"{azure:,} of {requests:,} requests went there. OpenAI's usage API does not have them, and Azure"
        " Monitor has a match rate for provisioned deployments alone. Azure's page asks for a"
        " prompt_cache_key on GPT-5.6 and newer too, with about 15 requests a minute in all for each"
        " key, where OpenAI's guide no longer does. Dollars, where given, are at OpenAI's list prices"
        " or those set by hand"
    )


def _coded(codes: Ints, names: tuple[str, ...], prefixes: tuple[str, ...]) -> Bools:
    """Marks the requests whose value begins so, (n,)."""
    chosen = [code for code, name in enumerate(names) if name.lower().startswith(prefixes)]
    return np.isin(codes, chosen)
