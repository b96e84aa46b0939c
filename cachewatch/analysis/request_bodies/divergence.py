"""Where the shared prefix of two request bodies ends, and what most likely ends it."""

from __future__ import annotations

from dataclasses import dataclass

from cachewatch.analysis.request_bodies.blocks import Block, Body, blocks_of, tokens_of
from cachewatch.analysis.request_bodies.likely import LikelyKind, likely_kind, parting
from cachewatch.analysis.request_bodies.parameters import ParameterChange, changes
from cachewatch.analysis.thresholds import MINIMUM_TOKENS


@dataclass(frozen=True)
class Divergence:
    """The first difference.

    Attributes:
        block: its name in A, or in B where A does not have it.
        kind: of the block. index: of the tool or message; None elsewhere.
        token_offset: about how many tokens of the whole prompt come before it.
        token_offset_in_block: the same inside the block.
        likely: what differs.

    """

    block: str
    kind: str
    index: int | None
    token_offset: int
    token_offset_in_block: int
    likely: LikelyKind


@dataclass(frozen=True)
class BodyDiff:
    """What two bodies share.

    Attributes:
        divergence: None where every block is equal.
        parameters: settings that differ.
        tokens_a, tokens_b: about how many tokens the blocks have.

    """

    divergence: Divergence | None
    parameters: tuple[ParameterChange, ...]
    tokens_a: int
    tokens_b: int

    @property
    def same(self) -> bool:
        """Nothing that a prompt cache looks at differs."""
        return self.divergence is None and not self.parameters

    @property
    def shared_tokens(self) -> int:
        """About how many tokens could be read from one another; 0 where a setting forbids it."""
        if any(change.effect == "prefix" for change in self.parameters):
            return 0
        if self.divergence is None:
            return min(self.tokens_a, self.tokens_b)
        return self.divergence.token_offset

    @property
    def too_short(self) -> bool:
        """What is shared lies below the shortest prefix that is cached."""
        return self.shared_tokens < MINIMUM_TOKENS.default


def compare(a: Body, b: Body) -> BodyDiff:
    """Compare two bodies in the order in which the cache reads them. Pure. Raises BodyError."""
    left, right = blocks_of(a), blocks_of(b)
    return BodyDiff(
        _divergence(left, right),
        tuple(changes(a, b, (left, right))),
        *(sum(tokens_of(block.rendered) for block in one) for one in (left, right)),
    )


def _divergence(a: list[Block], b: list[Block]) -> Divergence | None:
    place = next(
        (n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x.rendered != y.rendered),
        min(len(a), len(b)),
    )
    if place == len(a) == len(b):
        return None
    before = tokens_of("".join(block.rendered for block in a[:place]))
    likely = _likely(a, b, place)
    from_b = place == len(a) or likely == "block-inserted"
    block = b[place] if from_b else a[place]
    inside = _inside(a[place], b[place]) if place < min(len(a), len(b)) else 0
    return Divergence(
        *(block.name, block.kind, block.index, before + inside, inside),
        likely,
    )


def _inside(a: Block, b: Block) -> int:
    return tokens_of(a.rendered[: parting(a.rendered, b.rendered)])


def _likely(a: list[Block], b: list[Block], place: int) -> LikelyKind:
    """What parts two lists of blocks at a place up to which they are equal."""
    if place == min(len(a), len(b)):
        ends = (a[place:] or b[place:])[0].kind
        # Blocks after the last message cannot follow; tools or a schema that only one has can.
        if ends in ("message", "developer") and place:
            return "blocks-appended"
    if _tools(a) != _tools(b) and sorted(_tools(a)) == sorted(_tools(b)):
        return "tool-order"
    rest_a, rest_b = ([block.rendered for block in one[place:]] for one in (a, b))
    # A block that came or went leaves the next one to follow.
    if rest_a and rest_a[0] in rest_b[1:]:
        return "block-inserted"
    if rest_b and rest_b[0] in rest_a[1:]:
        return "block-removed"
    if not rest_a or not rest_b:
        return "block-inserted" if rest_b else "block-removed"
    return _of_blocks(a[place], b[place])


def _of_blocks(a: Block, b: Block) -> LikelyKind:
    if a.role != b.role:
        one_kind = a.kind == b.kind or {a.kind, b.kind} <= {"developer", "message"}
        return "role" if one_kind and a.text == b.text else "other"
    return likely_kind(a.text, b.text)


def _tools(blocks: list[Block]) -> list[str]:
    return [block.text for block in blocks if block.kind == "tools"]
