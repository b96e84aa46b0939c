"""The table of formats. One line here is all that reading, detecting and the documentation need."""

from __future__ import annotations

from ingest.request_logs.claude_code import CLAUDE_CODE
from ingest.request_logs.codex import CODEX
from ingest.request_logs.codex_exec import CODEX_EXEC
from ingest.request_logs.generic import GENERIC
from ingest.request_logs.helicone import HELICONE
from ingest.request_logs.hermes import HERMES
from ingest.request_logs.langfuse import LANGFUSE
from ingest.request_logs.litellm import LITELLM
from ingest.request_logs.openai_objects import OPENAI
from ingest.request_logs.opencode import OPENCODE
from ingest.request_logs.opencodex import OPENCODEX
from ingest.request_logs.openrouter import OPENROUTER
from ingest.request_logs.otari import OTARI
from ingest.request_logs.otlp import OTLP
from ingest.request_logs.parsing import LogFormat
from ingest.request_logs.refused import SUMS, USAGE_PAGES
from ingest.request_logs.rows import LogRefused
from ingest.request_logs.usage_bodies import USAGE_BODIES

FORMATS: tuple[LogFormat, ...] = (
    OPENAI,
    GENERIC,
    LITELLM,
    OTLP,
    CODEX,
    CODEX_EXEC,
    OPENCODEX,
    CLAUDE_CODE,
    OPENCODE,
    LANGFUSE,
    HELICONE,
    OPENROUTER,
    HERMES,
    OTARI,
    USAGE_BODIES,
    USAGE_PAGES,
    SUMS,
)
AUTO = "auto"


def format_named(name: str) -> LogFormat:
    """The format of that name. Raises LogRefused, naming all, where there is none."""
    known = {entry.name: entry for entry in FORMATS if not entry.refusal}
    if name not in known:
        raise LogRefused("", f"there is no format {name!r}; there are: {', '.join(known)}, {AUTO}")
    return known[name]
