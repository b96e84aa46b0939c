"""Labelled series kept in files, so that judges can be run again in seconds.

One file holds some seeds of a family. Its name carries a digest of the code that made it: the
simulator's core, this package's generation and the family's own module.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tests.accuracy import families
from tests.accuracy.scene import Family
from tests.accuracy.series import CellName, LabelledSeries, Rows, labelled_series
from tests.accuracy.truth import Loss, Truth

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".local" / "accuracy"  # in .gitignore
SIMULATOR = ("workload", "fleet", "load", "arrivals", "requests", "service", "seeding")
GENERATION = ("loads", "scene", "serving", "series", "truth", "families/common")
SERIES_AT_ONCE = 25


class Chunk(NamedTuple):
    """Some seeds of one family, in one file."""

    family: str
    seeds: range


def chunks_of(chosen: Sequence[Family], seeds: range) -> list[Chunk]:
    """The files that hold those families' series of those seeds."""
    return [
        Chunk(family.name, seeds[start : start + SERIES_AT_ONCE])
        for family in chosen
        for start in range(0, len(seeds), SERIES_AT_ONCE)
    ]


def make_files(
    chosen: Sequence[Family], seeds: range, workers: int = 1, folder: Path = FOLDER
) -> None:
    """Make the files of the families and seeds that are missing, in several processes; judge none."""
    chunks = chunks_of(chosen, seeds)
    missing = [chunk for chunk in chunks if not path_of(chunk, folder).exists()]
    if workers <= 1:
        for chunk in missing:
            _made(chunk, folder)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        list(pool.map(_made, missing, [folder] * len(missing)))


def load(chunk: Chunk, folder: Path = FOLDER) -> list[LabelledSeries]:
    """The series of a chunk, from its file, which is made where it is missing."""
    return read(_made(chunk, folder))


def _made(chunk: Chunk, folder: Path) -> Path:
    """The chunk's file; where it has to be made, what older code made of the same seeds goes."""
    path = path_of(chunk, folder)
    if not path.exists():
        for older in folder.glob(path.name.replace(_digest(chunk.family), "*")):
            older.unlink(missing_ok=True)
        family = families.BY_NAME[chunk.family]
        write(path, (labelled_series(family, seed) for seed in chunk.seeds))
    return path


def path_of(chunk: Chunk, folder: Path) -> Path:
    """The file of a chunk made by the code as it stands."""
    first, last = chunk.seeds[0], chunk.seeds[-1]
    return folder / f"{chunk.family}-{first}-{last}-{_digest(chunk.family)}.npz"


def write(path: Path, series: Iterable[LabelledSeries]) -> None:
    """Write series into one file, whole or not at all."""
    listed = list(series)
    arrays: dict[str, np.ndarray] = {}
    for kind in ("hours", "minutes"):
        tables: list[Rows] = [getattr(one, kind) for one in listed]
        arrays[f"{kind}.length"] = np.array([len(rows.time) for rows in tables])
        for field in Rows._fields:
            arrays[f"{kind}.{field}"] = np.concatenate([getattr(rows, field) for rows in tables])
    texts = [json.dumps(_described(one)) for one in listed]
    arrays["described"] = np.frombuffer("\n".join(texts).encode(), np.uint8)
    put_file(path, arrays)


def put_file(path: Path, arrays: dict[str, np.ndarray]) -> None:
    """Write arrays into one file, whole or not at all; others may write the same at the same time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(f".{os.getpid()}.partial")
    with partial.open("wb") as file:
        np.savez_compressed(file, **arrays)
    partial.replace(path)


def read(path: Path) -> list[LabelledSeries]:
    """The series of one file, in the order in which they were written."""
    with np.load(path) as file:
        arrays = dict(file)
    texts = arrays["described"].tobytes().decode().split("\n")
    hours, minutes = (_tables(arrays, kind) for kind in ("hours", "minutes"))
    return [
        _series(json.loads(text), *tables)
        for text, *tables in zip(texts, hours, minutes, strict=True)
    ]


def _tables(arrays: dict[str, np.ndarray], kind: str) -> list[Rows]:
    edges = np.cumsum(arrays[f"{kind}.length"])[:-1]
    columns = [np.split(arrays[f"{kind}.{field}"], edges) for field in Rows._fields]
    return [Rows(*parts) for parts in zip(*columns, strict=True)]


def _described(one: LabelledSeries) -> dict[str, object]:
    shallow = {name: getattr(one, name) for name in one.__dataclass_fields__}
    return {name: value for name, value in shallow.items() if name not in ("hours", "minutes")}


def _series(described: dict, hours: Rows, minutes: Rows) -> LabelledSeries:
    whole, cells, known_hours = described.pop("truth")
    names = tuple(CellName(*name) for name in described.pop("cells"))
    truth = Truth(Loss(*whole), tuple(Loss(*cell) for cell in cells), known_hours)
    return LabelledSeries(**described, cells=names, truth=truth, hours=hours, minutes=minutes)


@cache
def _digest(family: str) -> str:
    """Eight hexadecimal digits over the sources a family's series depend on."""
    here = Path(__file__).parent
    module = sys.modules[families.BY_NAME[family].draw.__module__]
    sources = [ROOT / "ingest" / "simulator" / f"{name}.py" for name in SIMULATOR]
    sources += [here / f"{name}.py" for name in GENERATION]
    sources.append(Path(str(module.__file__)))
    digest = hashlib.sha256(b"".join(source.read_bytes() for source in sources))
    return digest.hexdigest()[:8]
