"""The derivation of a key as code to paste: Python, Node, and a shell for plain HTTP."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Literal

from cachewatch.analysis import cache_key

Language = Literal["python", "node", "http"]
LANGUAGES: tuple[Language, ...] = ("python", "node", "http")

NODE = """\
import { createHash } from "node:crypto";

const sha256 = (text) => createHash("sha256").update(text, "utf8").digest("hex");
const textOf = (value) =>
  typeof value === "string"
    ? value
    : value && Object.keys(value).length
      ? JSON.stringify(value)
      : "";

export function cacheKey(system, tools, unit = "", shards = 0) {
  const parts = [textOf(system), textOf(tools), shards ? "" : unit];
  if (!parts.some(Boolean)) return "";
  const shard = shards > 1 ? `-${parseInt(sha256(unit).slice(0, 8), 16) % shards}` : "";
  return `cw1-${sha256(parts.map(sha256).join("")).slice(0, 32)}${shard}`;
}
"""

SHELL = """\
sha256() { printf %s "$1" | sha256sum | cut -c1-64; }
cache_key() { # SYSTEM TOOLS UNIT SHARDS
  own=$3; [ "${4:-0}" -gt 0 ] && own=
  [ -n "$1$2$own" ] || return 0
  key=$(sha256 "$(sha256 "$1")$(sha256 "$2")$(sha256 "$own")" | cut -c1-32)
  shard=; [ "${4:-0}" -gt 1 ] && shard=-$((0x$(sha256 "$3" | cut -c1-8) % $4))
  printf %s "cw1-$key$shard"
}
"""

_CALLS: Mapping[Language, str] = {
    "python": """\
key = cache_key(system, tools, {unit}, {shards})
client.responses.create(..., **({{"prompt_cache_key": key}} if key else {{}}))
""",
    "node": """\
const key = cacheKey(system, tools, {unit}, {shards});
await client.responses.create({{ ...request, ...(key && {{ prompt_cache_key: key }}) }});
""",
    "http": """\
key=$(cache_key "$system" "$tools" {unit} {shards})
# in the JSON body of POST /v1/responses or /v1/chat/completions: "prompt_cache_key": "<key>"
""",
}
_NAMES: Mapping[Language, str] = {"python": "{name}_id", "node": "{name}Id", "http": '"${name}_id"'}


def derivation(language: Language) -> str:
    """The function that makes a key."""
    return {"python": inspect.getsource(cache_key), "node": NODE, "http": SHELL}[language]


def call(language: Language, unit: str | None, shards: int) -> str:
    """The call of it; `unit`: a word such as "conversation" for the id that is passed, or None."""
    name = '""' if unit is None else _NAMES[language].format(name=unit)
    return _CALLS[language].format(unit=name, shards=shards)
