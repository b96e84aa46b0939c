"""Rollouts and controls kept in files, so that judges can be run again in seconds."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np

from tests.accuracy.rollouts.controls import POOL, ControlUsage, control
from tests.accuracy.rollouts.families import BY_NAME
from tests.accuracy.rollouts.serving import Rollout, Truth, Usage, serve_rollout
from tests.accuracy.scene import Draw
from tests.accuracy.series import CellName
from tests.accuracy.store import FOLDER, ROOT, SIMULATOR, put_file

HERE = ("scene", "serving", "repairs", "lifetimes", "disturbed", "controls")
SHARED = (
    "loads", "scene", "serving", "families/common", "families/healthy", "families/scatter",
)  # fmt: skip
PROVIDER_CONTROLS = 4


def rollout(family: str, seed: int, folder: Path = FOLDER) -> tuple[Rollout, list[ControlUsage]]:
    """A rollout and the untouched series beside it, from their files, which are made if missing."""
    path = folder / f"rollout-{family}-{seed}-{digest()}.npz"
    if not path.exists():
        _write(path, _made(family, seed))
    made, own = _read(path)
    return made, own or _pool_of(made, folder)


def _made(family: str, seed: int) -> tuple[Rollout, list[ControlUsage]]:
    draw = Draw(family, seed)
    scene = BY_NAME[family].draw(draw)
    made = serve_rollout(family, seed, draw.simulator_seed, scene)
    if scene.stray_from is None:
        return made, []
    stray = (scene.stray_from, scene.stray)
    seeds = range(10_000 + seed * PROVIDER_CONTROLS, 10_000 + (seed + 1) * PROVIDER_CONTROLS)
    return made, [control(scene.site.generation, one, stray) for one in seeds]


def _pool_of(made: Rollout, folder: Path) -> list[ControlUsage]:
    size = POOL[made.generation]
    rng = np.random.default_rng([made.seed, 7])
    return [pooled(made.generation, int(one), folder) for one in rng.permutation(size)[:6]]


@cache
def pooled(generation: str, number: int, folder: Path = FOLDER) -> ControlUsage:
    """One series of the pool of a generation."""
    path = folder / f"control-{generation}-{number}-{digest()}.npz"
    if not path.exists():
        made = control(generation, number)
        _save(path, {"model": made.model, "first_hour": made.first_hour}, [made.usage])
    described, (usage,) = _load(path)
    return ControlUsage(**described, usage=usage)


def _write(path: Path, made: tuple[Rollout, list[ControlUsage]]) -> None:
    rollout, controls = made
    described = {
        name: getattr(rollout, name) for name in rollout.__dataclass_fields__ if name != "usage"
    }
    described["controls"] = [(one.model, one.first_hour) for one in controls]
    _save(path, described, [rollout.usage, *(one.usage for one in controls)])


def _read(path: Path) -> tuple[Rollout, list[ControlUsage]]:
    described, (usage, *others) = _load(path)
    controls = [
        ControlUsage(model, first, one)
        for (model, first), one in zip(described.pop("controls"), others, strict=True)
    ]
    cells = tuple(CellName(*one) for one in described.pop("cells"))
    truth, lasting = (Truth(*described.pop(name)) for name in ("truth", "lasting"))
    return Rollout(**described, cells=cells, truth=truth, lasting=lasting, usage=usage), controls


def _save(path: Path, described: dict, tables: Sequence[Usage]) -> None:
    arrays = {
        f"{number}.{field}": getattr(table, field)
        for number, table in enumerate(tables)
        for field in Usage._fields
    }
    text = json.dumps({**described, "tables": len(tables)})
    arrays["described"] = np.frombuffer(text.encode(), np.uint8)
    put_file(path, arrays)


def _load(path: Path) -> tuple[dict, list[Usage]]:
    with np.load(path) as file:
        arrays = dict(file)
    described = json.loads(arrays["described"].tobytes().decode())
    tables = [
        Usage(*(arrays[f"{number}.{field}"] for field in Usage._fields))
        for number in range(described.pop("tables"))
    ]
    return described, tables


@cache
def digest() -> str:
    """Eight hexadecimal digits over the sources that rollouts depend on."""
    here = Path(__file__).parent
    sources = [ROOT / "ingest" / "simulator" / f"{name}.py" for name in SIMULATOR]
    sources += [here.parent / f"{name}.py" for name in SHARED]
    sources += [here / f"{name}.py" for name in HERE]
    return hashlib.sha256(b"".join(one.read_bytes() for one in sources)).hexdigest()[:8]
