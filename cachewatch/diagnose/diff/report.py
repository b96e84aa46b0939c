"""What two bodies share, for people and as one JSON document. Nothing of a prompt is in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict

from cachewatch.analysis.figures import count
from cachewatch.analysis.request_bodies.divergence import BodyDiff, Divergence
from cachewatch.analysis.request_bodies.likely import LikelyKind
from cachewatch.analysis.request_bodies.parameters import DIFFERS, EFFECTS, ParameterChange
from cachewatch.analysis.thresholds import MINIMUM_TOKENS

ESTIMATE = "estimated without a tokenizer: one token for 4 bytes of UTF-8"
_LIKELY: dict[LikelyKind, str] = {
    "time": "a time or date: move it behind everything that stays the same, or leave it out",
    "id": "an id (UUID, hash, session, request): move it to the end, or into metadata",
    "number": "a number: if it changes with each request, it belongs at the end",
    "json-key-order": "the order of JSON keys: write them in one order, sorted for example",
    "tool-order": "the order of the tools: the same tools, listed differently; fix their order",
    "whitespace": "whitespace: spaces or line ends that come and go",
    "extended": "one text goes on where the other ends: append a message, rather than extend one",
    "role": "the role of the message: the text is the same",
    "block-inserted": "a block that only B has stands before what both have: it belongs at the end",
    "block-removed": "a block that only A has stands before what both have: keep it, or put it last",
    "blocks-appended": "nothing is lost: one goes on where the other ends",
    "other": "other text",
}


def document(diff: BodyDiff) -> str:
    """The whole document, in plain ASCII."""
    found = diff.divergence
    shown = {
        "same": diff.same,
        "divergence": None if found is None else asdict(found),
        "parameters": [change._asdict() for change in diff.parameters],
        "shared_tokens": diff.shared_tokens,
        "tokens_a": diff.tokens_a,
        "tokens_b": diff.tokens_b,
        "tokens_are": ESTIMATE,
        "minimum_tokens": int(MINIMUM_TOKENS.default),
    }
    return json.dumps(shown, indent=1, allow_nan=False)


def text(diff: BodyDiff) -> str:
    """The whole report."""
    return "\n".join(_lines(diff))


def _lines(diff: BodyDiff) -> Iterator[str]:
    if diff.same:
        yield f"same: nothing differs that a prompt cache looks at (about {count(diff.tokens_a)} tokens)"
        return
    for change in diff.parameters:
        yield _parameter(change)
    if diff.divergence is None:
        yield "blocks: every one is the same"
    else:
        yield from _divergence(diff.divergence)
    yield (
        f"shared: about {count(diff.shared_tokens)} of {count(diff.tokens_a)} tokens of A and "
        f"{count(diff.tokens_b)} of B ({ESTIMATE})"
    )
    if diff.too_short:
        yield f"a prefix below {count(MINIMUM_TOKENS.default)} tokens is not cached"


def _parameter(change: ParameterChange) -> str:
    told = DIFFERS if change.a == DIFFERS else f"{change.a} in A, {change.b} in B"
    return f"parameter {change.name}: {told} ({EFFECTS[change.effect]})"


def _divergence(found: Divergence) -> Iterator[str]:
    yield (
        f"first difference: {found.block}, at about token {count(found.token_offset)} "
        f"({count(found.token_offset_in_block)} inside the block)"
    )
    yield f"likely: {_LIKELY[found.likely]}"
