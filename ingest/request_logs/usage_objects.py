"""The usage object in a provider's answer: which of its numbers is what, by provider.

Field names: OpenAI (openai-python 3.57.0: ResponseUsage, CompletionUsage), Anthropic Messages,
Amazon Bedrock Converse, Google Gemini, Cohere; OpenAI's names are also those of Mistral
(`num_cached_tokens`), DeepSeek (`prompt_cache_hit_tokens`), vLLM, Groq and OpenRouter. A number that
stands under two names is read once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ingest.request_logs.parsing import whole_input
from ingest.request_logs.values import Fields


class Tokens(NamedTuple):
    """Tokens of one request; cached and written ones are inside `input_tokens`."""

    input_tokens: int | None
    cached_input_tokens: int | None
    cache_write_tokens: int | None
    output_tokens: int | None


class Convention(NamedTuple):
    """How one provider names its numbers. A path with a dot leads into an object."""

    name: str
    marks: tuple[str, ...]  # any of these says that it is this one
    input: tuple[str, ...]
    cached: tuple[str, ...]
    written: tuple[str, ...]
    output: tuple[str, ...]
    outside: bool = False


_CHAT = Convention(
    "OpenAI Chat Completions",
    marks=("prompt_tokens",),
    input=("prompt_tokens",),
    cached=(
        "prompt_tokens_details.cached_tokens",
        "num_cached_tokens",
        "cached_tokens",
        "prompt_cache_hit_tokens",
        "cache_read_input_tokens",
    ),
    written=(
        "prompt_tokens_details.cache_write_tokens",
        "prompt_tokens_details.cache_creation_tokens",
        "cache_creation_input_tokens",
    ),
    output=("completion_tokens",),
)
_RESPONSES = Convention(
    "OpenAI Responses",
    marks=("input_tokens_details",),
    input=("input_tokens",),
    cached=("input_tokens_details.cached_tokens",),
    written=("input_tokens_details.cache_write_tokens",),
    output=("output_tokens",),
)
_ANTHROPIC = Convention(
    "Anthropic Messages",
    marks=("cache_read_input_tokens", "cache_creation_input_tokens"),
    input=("input_tokens",),
    cached=("cache_read_input_tokens",),
    written=("cache_creation_input_tokens",),
    output=("output_tokens",),
    outside=True,
)
_BEDROCK = Convention(
    "Amazon Bedrock",
    marks=("inputTokens", "InputTokens"),
    input=("inputTokens", "InputTokens"),
    cached=("cacheReadInputTokens", "cacheReadInputTokenCount", "CacheReadInputTokens"),
    written=("cacheWriteInputTokens", "cacheWriteInputTokenCount", "CacheWriteInputTokens"),
    output=("outputTokens", "OutputTokens"),
    outside=True,
)
_GEMINI = Convention(
    "Google Gemini",
    marks=("promptTokenCount", "prompt_token_count"),
    input=("promptTokenCount", "prompt_token_count"),
    cached=("cachedContentTokenCount", "cached_content_token_count"),
    written=(),
    output=("candidatesTokenCount", "candidates_token_count"),
)
_COHERE = Convention(
    "Cohere",
    marks=("tokens", "billed_units"),
    input=("tokens.input_tokens", "billed_units.input_tokens"),
    cached=("cached_tokens",),
    written=(),
    output=("tokens.output_tokens", "billed_units.output_tokens"),
)
_PLAIN = Convention(
    "input_tokens without a word on caching",
    marks=("input_tokens",),
    input=("input_tokens",),
    cached=(),
    written=(),
    output=("output_tokens",),
)
# The first that fits: OpenAI's own names come before those that others share.
CONVENTIONS = (_CHAT, _RESPONSES, _ANTHROPIC, _BEDROCK, _GEMINI, _COHERE, _PLAIN)


def convention_of(usage: Mapping[str, object]) -> Convention | None:
    """Whose usage object it is; None where it is none that is known."""
    for convention in CONVENTIONS:
        if any(usage.get(mark) is not None for mark in convention.marks):
            return convention
    return None


def tokens_of(usage: Fields, *, outside: bool | None = None) -> Tokens | None:
    """The tokens in a usage object; None where it holds none. Raises BadValue.

    `outside` overrules where the provider's convention puts cached tokens.
    """
    convention = convention_of(usage.values)
    if convention is None:
        return None
    sent, cached, written, output = (
        count_at(usage, paths)
        for paths in (convention.input, convention.cached, convention.written, convention.output)
    )
    kept_outside = convention.outside if outside is None else outside
    whole = whole_input(sent, cached, written, outside=kept_outside)
    if whole is None and cached is None and sent is None and output is None:
        return None
    return Tokens(whole, cached, written, output)


def count_at(fields: Fields, paths: tuple[str, ...]) -> int | None:
    """The first count that is reported under one of the paths. Raises BadValue."""
    for path in paths:
        holder, _, name = path.rpartition(".")
        within = fields.within(holder) if holder else fields
        found = within.count(name)
        if found is not None:
            return found
    return None
