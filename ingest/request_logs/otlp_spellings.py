"""The attributes of GenAI spans and logs, in every spelling that is in use; the first one found counts.

OpenTelemetry GenAI conventions (opentelemetry-semantic-conventions 0.66b2 and before), OpenInference
(`llm.token_count.*`), OpenLLMetry (`llm.usage.*`), Vercel AI SDK (`ai.usage.*`), Codex and Claude Code.
"""

from __future__ import annotations

INPUT = (
    "gen_ai.usage.input_tokens",
    "gen_ai.usage.prompt_tokens",
    "llm.token_count.prompt",
    "llm.usage.prompt_tokens",
    "ai.usage.inputTokens",
    "ai.usage.promptTokens",
)
CACHED = (
    "gen_ai.usage.cache_read.input_tokens",
    "gen_ai.usage.cache_read_input_tokens",
    "gen_ai.usage.cache_read_tokens",
    "gen_ai.usage.cached_tokens",
    "gen_ai.usage.cached_input_tokens",
    "gen_ai.usage.input_cached_tokens",
    "gen_ai.usage.input_tokens.cached",
    "gen_ai.usage.details.cache_read_tokens",
    "gen_ai.usage.details.cached_tokens",
    "gen_ai.usage.prompt_tokens_details.cached_tokens",
    "gen_ai.usage.input_tokens_details.cached_tokens",
    "llm.token_count.prompt_details.cache_read",
    "llm.usage.cache_read_input_tokens",
    "ai.usage.cachedInputTokens",
)
WRITTEN = (
    "gen_ai.usage.cache_creation.input_tokens",
    "gen_ai.usage.cache_creation_input_tokens",
    "gen_ai.usage.cache_creation_tokens",
    "gen_ai.usage.cache_write.input_tokens",
    "gen_ai.usage.cache_write_input_tokens",
    "gen_ai.usage.cache_write_tokens",
    "gen_ai.usage.input_tokens.cache_creation",
    "gen_ai.usage.input_tokens.cache_write",
    "gen_ai.usage.details.cache_write_tokens",
    "llm.token_count.prompt_details.cache_write",
    "llm.usage.cache_creation_input_tokens",
)
OUTPUT = (
    "gen_ai.usage.output_tokens",
    "gen_ai.usage.completion_tokens",
    "llm.token_count.completion",
    "llm.usage.completion_tokens",
    "ai.usage.outputTokens",
    "ai.usage.completionTokens",
)
MODEL = (
    "gen_ai.response.model",
    "gen_ai.request.model",
    "llm.model_name",
    "ai.response.model",
    "ai.model.id",
    "model",
)
SESSION = (
    "gen_ai.conversation.id",
    "session.id",
    "conversation.id",
    "langfuse.session.id",
    "otari.session_label",
)
RESPONSE_ID = ("gen_ai.response.id", "ai.response.id", "llm.response.id")
PROJECT = ("openinference.project.name", "service.namespace", "service.name")
KEY = (
    "gen_ai.openai.request.prompt_cache_key",
    "openai.request.prompt_cache_key",
    "gen_ai.request.prompt_cache_key",
    "prompt_cache_key",
)
TIER = (
    "gen_ai.openai.response.service_tier",
    "openai.response.service_tier",
    "gen_ai.openai.request.service_tier",
    "openai.request.service_tier",
)
EFFORT = (
    "gen_ai.openai.request.reasoning_effort",
    "gen_ai.request.reasoning_effort",
    "gen_ai.request.reasoning.effort",
)
STREAMED = ("gen_ai.request.stream", "gen_ai.request.is_stream", "llm.is_streaming")
# Arms, under short names. Resource attributes are looked at too.
ARMS = {
    "gen_ai.provider.name": "provider",
    "gen_ai.system": "provider",
    "service.version": "service_version",
    "deployment.environment.name": "environment",
    "deployment.environment": "environment",
    "cloud.region": "region",
}
OPERATION = "gen_ai.operation.name"
# Spans of these add up the requests below them; embeddings have no prompt cache.
PARENT_OPERATIONS = frozenset({"invoke_agent", "create_agent", "execute_tool", "invoke_workflow"})
OTHER_OPERATIONS = frozenset({"embeddings", "embedding"})
KIND = "openinference.span.kind"
REQUEST_KIND = "LLM"
CODEX_EVENT, CODEX_KIND = "codex.sse_event", "response.completed"
CLAUDE_EVENTS = frozenset({"api_request", "claude_code.api_request"})
