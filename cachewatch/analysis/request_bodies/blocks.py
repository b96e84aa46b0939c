"""A request body as the blocks that a prompt cache reads, in its order.

Tools, schema and reusable prompt come before the messages; an exact prefix match is all that counts
(OpenAI's prompt caching guide, September 2026). How the provider renders a block is not published:
here it is the text of a message, and compact JSON of everything else, keys in the order sent.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

BlockKind = Literal["tools", "schema", "prompt", "developer", "message"]
Body = Mapping[str, Any]
DEVELOPER_ROLES = frozenset({"system", "developer"})
BREAKPOINT = "prompt_cache_breakpoint"
BYTES_PER_TOKEN = 4
_TEXT_TYPES = frozenset({None, "text", "input_text", "output_text"})


class BodyError(ValueError):
    """Not a request body; the message says what is missing."""


@dataclass(frozen=True)
class Block:
    """One block.

    Attributes:
        kind: what it is; `developer`: a message of the roles system or developer, or instructions.
        index: of the tool in `tools`, or of the message in `messages` or `input`; None elsewhere.
        role: of a message, or the type of an item that has none.
        text: what the model reads.
        marked: it ends in a breakpoint, or holds one.

    """

    kind: BlockKind
    index: int | None
    role: str
    text: str
    marked: bool = False

    @property
    def name(self) -> str:
        """As shown: `tools[2]`, `message 4 (user)`, `instructions`."""
        if self.kind == "tools":
            return f"tools[{self.index}]"
        if self.index is None:
            return self.role
        return f"message {self.index} ({self.role})"

    @property
    def rendered(self) -> str:
        """The text with what says where it stands, so that equal texts of two roles differ."""
        return f"{self.role}\n{self.text}\n"


def blocks_of(body: Body) -> list[Block]:
    """The blocks of a body of the Responses or the Chat Completions API.

    Raises BodyError where it is neither.
    """
    if not any(name in body for name in ("messages", "input", "instructions", "prompt")):
        raise BodyError(
            "it is no request of the Responses or Chat Completions API: it has neither `input` nor "
            "`messages`"
        )
    return [*_tools(body), *_schema(body), *_prompt(body), *_instructions(body), *_messages(body)]


def tokens_of(text: str) -> int:
    """About how many tokens a text has: one for four bytes of UTF-8.

    An estimate without a tokenizer, usually within a third for prose and JSON; what the provider
    adds out of sight is not in it.

    >>> tokens_of("four"), tokens_of("")
    (1, 0)
    """
    return len(text.encode("utf-8", "surrogatepass")) // BYTES_PER_TOKEN


def compact(value: object) -> str:
    """Compact JSON with keys in the order given."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _tools(body: Body) -> Iterator[Block]:
    for name in ("tools", "functions"):
        tools = body.get(name) or ()
        if not isinstance(tools, Sequence) or isinstance(tools, str):
            raise BodyError(f"its `{name}` is no list")
        for index, tool in enumerate(tools):
            yield Block("tools", index, "tool", compact(tool))


def _schema(body: Body) -> Iterator[Block]:
    text = body.get("text")
    choices = (
        ("text.format", text.get("format") if isinstance(text, Mapping) else None),
        ("response_format", body.get("response_format")),
    )
    for role, schema in choices:
        if schema and schema != {"type": "text"}:  # plain text is what is meant without one
            yield Block("schema", None, role, compact(schema))


def _prompt(body: Body) -> Iterator[Block]:
    if body.get("prompt"):
        yield Block("prompt", None, "prompt", compact(body["prompt"]))


def _instructions(body: Body) -> Iterator[Block]:
    given = body.get("instructions")
    if given:
        text, marked = _content(given)
        yield Block("developer", None, "instructions", text, marked)


def _messages(body: Body) -> Iterator[Block]:
    name = "input" if body.get("messages") is None else "messages"
    items = body.get(name)
    if items is None:
        return
    if isinstance(items, str):
        yield Block("message", 0, "user", items)
        return
    if not isinstance(items, Sequence):
        raise BodyError(f"its `{name}` is neither a text nor a list")
    for index, item in enumerate(items):
        if not isinstance(item, Mapping):
            raise BodyError(f"its `{name}[{index}]` is no object")
        yield _message(index, item)


def _message(index: int, item: Body) -> Block:
    role = str(item.get("role") or item.get("type") or "item")
    text, marked = _content(item.get("content"))
    # Calls, results and whatever else the item holds; its id is the provider's, not the model's.
    left_out = ("role", "content", "id", "status", BREAKPOINT)
    rest = {key: value for key, value in item.items() if key not in left_out}
    if rest.get("type") == "message":
        del rest["type"]
    if rest:
        text += compact(rest)
    kind: BlockKind = "developer" if role in DEVELOPER_ROLES else "message"
    return Block(kind, index, role, text, marked or BREAKPOINT in item)


def _content(content: object) -> tuple[str, bool]:
    """The text of a content, and whether a breakpoint stands in it."""
    if content is None:
        return "", False
    if isinstance(content, str):
        return content, False
    if not isinstance(content, Sequence):
        return compact(content), False
    parts = [_part(part) for part in content]
    return "\n".join(text for text, _ in parts), any(marked for _, marked in parts)


def _part(part: object) -> tuple[str, bool]:
    if not isinstance(part, Mapping):
        return compact(part), False
    marked = BREAKPOINT in part
    if part.get("type") in _TEXT_TYPES and isinstance(part.get("text"), str):
        return part["text"], marked
    return compact({key: value for key, value in part.items() if key != BREAKPOINT}), marked
