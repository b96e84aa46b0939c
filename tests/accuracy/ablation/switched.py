"""Names of a module that stand for something else while a variant is judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import NamedTuple

from cachewatch.analysis.thresholds import Threshold


class Place(NamedTuple):
    """Where a name is looked up: a module or a class, and the name in it."""

    owner: object
    name: str


Changes = Mapping[Place, object]


def limit(owner: object, name: str, value: float) -> tuple[Place, Threshold]:
    """A threshold at another value, as a module sees it."""
    threshold: Threshold = getattr(owner, name)
    return Place(owner, name), threshold._replace(default=value)


@contextmanager
def switched(changes: Changes) -> Iterator[None]:
    """The changes hold inside, and what stood there before comes back."""
    with ExitStack() as stack:
        for place, value in changes.items():
            stack.callback(setattr, place.owner, place.name, getattr(place.owner, place.name))
            setattr(place.owner, place.name, value)
        yield
