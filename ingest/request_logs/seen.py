"""What was seen before, in little memory: ids of requests, and requests that may still change."""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Hashable, Iterator
from typing import Generic, TypeVar

from ingest.request_logs.rows import LeftOut, LoggedRequest

_FIRST_SLOTS = 1024
_MASK_64 = 2**64 - 1
_Item = TypeVar("_Item")


class SeenIds:
    """A set of keys that keeps 64 bits of each: 16 to 32 bytes a key, whatever its length.

    Two different keys pass for one with a probability of about n squared / 4e19.
    """

    def __init__(self) -> None:
        self._slots = array("Q", bytes(8 * _FIRST_SLOTS))
        self._used = 0

    def again(self, key: Hashable) -> bool:
        """Whether the key was given before; from now on it was."""
        if self._used * 2 >= len(self._slots):
            self._grow()
        return not self._add(hash(key) & _MASK_64 or 1)

    def __contains__(self, key: Hashable) -> bool:
        wanted = hash(key) & _MASK_64 or 1
        slots, last = self._slots, len(self._slots) - 1
        place = wanted & last
        while slots[place] and slots[place] != wanted:
            place = (place + 1) & last
        return slots[place] == wanted

    def _add(self, wanted: int) -> bool:
        slots, last = self._slots, len(self._slots) - 1
        place = wanted & last
        while slots[place]:
            if slots[place] == wanted:
                return False
            place = (place + 1) & last
        slots[place] = wanted
        self._used += 1
        return True

    def _grow(self) -> None:
        old = self._slots
        self._slots = array("Q", bytes(16 * len(old)))
        self._used = 0
        for wanted in old:
            if wanted:
                self._add(wanted)


class Held(Generic[_Item]):
    """The newest things by key, held back while later records may still change or drop them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._items: OrderedDict[Hashable, _Item] = OrderedDict()

    def get(self, key: Hashable) -> _Item | None:
        """The thing held under a key."""
        return self._items.get(key)

    def put(self, key: Hashable, item: _Item) -> Iterator[_Item]:
        """Hold a thing, or replace it in its place; yields what no longer finds room."""
        self._items[key] = item
        while len(self._items) > self._most:
            yield self._items.popitem(last=False)[1]

    def drop(self, key: Hashable) -> _Item | None:
        """Take out what is held under a key."""
        return self._items.pop(key, None)

    def rest(self) -> Iterator[_Item]:
        """All that is held, the oldest first; nothing is held afterwards."""
        while self._items:
            yield self._items.popitem(last=False)[1]


class Leaves:
    """Requests without those that stand over others: a parent's tokens are its children's sum.

    A parent is known by its id or because a child names it, whichever of both comes first; the
    newest `most` requests are held back for children that come later.
    """

    def __init__(self, most: int) -> None:
        self._held: Held[LoggedRequest] = Held(most)
        self._parents = SeenIds()
        self._without_id = 0

    def offer(
        self, own: Hashable | None, parent: Hashable | None, request: LoggedRequest
    ) -> Iterator[LoggedRequest | LeftOut]:
        """Take a request with its own id and its parent's; yields what is settled by now."""
        if parent is not None:
            self._parents.again(parent)
            over = self._held.drop(parent)
            if over is not None:
                yield LeftOut(over.where, "parent-total")
        if own is not None and own in self._parents:
            yield LeftOut(request.where, "parent-total")
            return
        self._without_id += own is None
        yield from self._held.put(("none", self._without_id) if own is None else own, request)

    def rest(self) -> Iterator[LoggedRequest]:
        """What is still held, where nothing more comes."""
        return self._held.rest()
