"""The seed and the anchor, remembered from the first start on."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

DEFAULT_SEED = 1


class StateError(Exception):
    """The state file cannot be used; the message says why and what to do."""


@dataclass(frozen=True)
class State:
    """`anchor_hour`: whole UTC hours since the epoch of the first start."""

    seed: int
    anchor_hour: int


def remembered(path: Path | None, seed: int | None, anchor_hour: int) -> State:
    """The state in `path`, written there at first start; without a path nothing is kept.

    Raises StateError for a file that cannot be read or that was made with another seed.
    """
    fresh = State(DEFAULT_SEED if seed is None else seed, anchor_hour)
    if path is None:
        return fresh
    if not path.exists():
        _write(path, fresh)
        return fresh
    kept = _read(path)
    if seed is not None and seed != kept.seed:
        raise StateError(
            f"{path} was made with seed {kept.seed}, not {seed}: leave --seed out, "
            "or remove the file to begin a new history"
        )
    return kept


def _read(path: Path) -> State:
    try:
        given = json.loads(path.read_text())
        return State(int(given["seed"]), int(given["anchor_hour"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StateError(
            f"{path} is not a simulator state ({error}): remove it to begin a new history"
        ) from error


def _write(path: Path, state: State) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(path.name + ".new")
        beside.write_text(json.dumps(asdict(state)) + "\n")
        beside.replace(path)
    except OSError as error:
        raise StateError(f"cannot write the state to {path}: {error}") from error
