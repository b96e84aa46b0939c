"""Columns of the generic form, which people also add to the objects of a provider."""

from __future__ import annotations

from typing import Any

from ingest.request_logs.values import Fields

TIME = ("timestamp", "time", "ts", "created_at")
SESSION = ("session", "session_id", "conversation_id", "thread_id")
PROJECT = ("project", "project_id")
# What else is read as what it is, and so is no arm.
NAMED = frozenset(
    {
        *TIME,
        *SESSION,
        *PROJECT,
        "account",
        "model",
        "object",
        "prefix_hash",
        "prompt_cache_key",
        "reasoning_effort",
        "request_id",
        "service_tier",
        "status",
        "stream",
        "streamed",
        "type",
    }
)


def identities(fields: Fields) -> dict[str, Any]:
    """Session, project, account, key and prefix of a row, as LoggedRequest names them.

    A key column without a value says that no key was sent; no such column says nothing.
    """
    return {
        "session": fields.text(*SESSION),
        "project": fields.text(*PROJECT),
        "account": fields.text("account"),
        "prompt_cache_key": fields.text("prompt_cache_key"),
        "without_key": fields.values.get("prompt_cache_key", "") is None,
        "prefix_hash": fields.text("prefix_hash"),
    }


def shape(fields: Fields) -> dict[str, Any]:
    """Model, tier, effort and streaming of a row, as LoggedRequest names them."""
    return {
        "model": fields.text("model"),
        "service_tier": fields.text("service_tier"),
        "reasoning_effort": fields.text("reasoning_effort"),
        "streamed": fields.flag("streamed", "stream"),
    }
