"""Kinds of markers, and which of them are repairs whose effect is measured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from cachewatch.analysis.readouts.kinds import Kind as RepairKind

MarkerKind = Literal[
    "key-shipped",
    "key-removed",
    "breakpoint-changed",
    "prefix-changed",
    "retention-changed",
    "warm-call",
    "write-repair",
    "model-changed",
    "prompt-changed",
    "deploy",
    "incident",
    "other",
]
Scope = Literal["series", "project", "source"]
MarkerState = Literal["proposed", "in-force", "dismissed"]
Outcome = Literal["works", "does-not-work", "inconclusive"]

MARKER_WORDS: Mapping[str, str] = {
    "key-shipped": "key shipped",
    "key-removed": "key removed",
    "breakpoint-changed": "breakpoint changed",
    "prefix-changed": "prefix changed",
    "retention-changed": "retention changed",
    "warm-call": "warm call shipped",
    "write-repair": "write repair shipped",
    "model-changed": "model changed",
    "prompt-changed": "prompt changed",
    "deploy": "deploy",
    "incident": "incident",
    "other": "other change",
}
# What the measurement expects of a repair. A key that is removed may move any load either way.
REPAIRS: Mapping[str, RepairKind] = {
    "key-shipped": "key",
    "key-removed": "other",
    "breakpoint-changed": "breakpoint",
    "prefix-changed": "prefix",
    "retention-changed": "retention",
    "warm-call": "warm-call",
    "write-repair": "writes",
}
