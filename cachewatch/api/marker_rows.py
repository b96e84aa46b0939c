"""From stored markers to the answers about them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from cachewatch.accounts.models import User
from cachewatch.api.marker_shapes import (
    Marker,
    MarkerChange,
    Particulars,
    ReadoutRef,
    ReadoutState,
    Rollout,
    RolloutRef,
)
from cachewatch.api.shapes import source_ref
from cachewatch.rollouts import models
from cachewatch.rollouts.kinds import MARKER_WORDS, MarkerKind, MarkerState, Outcome, Scope
from cachewatch.rollouts.particulars import FIELD_NAMES
from cachewatch.rollouts.presenting import state_word
from cachewatch.verdicts.addresses import NO_NAME, series_path
from ingest.models import Series
from ingest.queries import project_names

Names = Mapping[tuple[int, str], str]
_SENT_AS: Mapping[str, str] = {"starts_at": "at", "ends_at": "until"}


def names_of(source_ids: Iterable[int]) -> Names:
    """The names of projects, for many markers."""
    return project_names(source_ids)


def person(user: User | None) -> str | None:
    """Who, as others know the person; None for nobody."""
    return None if user is None else str(user)


def project_name(series: Series, names: Names) -> str:
    """The project of a series as shown: its name, else its id; "(none)" for the null project."""
    if series.project_id is None:
        return NO_NAME
    return names.get((series.source_id, series.project_id), series.project_id)


def series_name(series: Series, names: Names) -> str:
    """A series as shown: "rag-answer / gpt-5.4"."""
    return f"{project_name(series, names)} / {series.model or NO_NAME}"


def marker_out(row: models.Marker, names: Names) -> Marker:
    """A marker with its rollout; `row` comes from the queries, with what it shows loaded."""
    series = row.series
    if series is not None:
        series.source = row.source
    project_id = row.project_id if series is None else series.project_id
    return Marker(
        id=row.pk,
        source=source_ref(row.source),
        scope=cast("Scope", row.scope),
        project_id=project_id,
        project_name=None if project_id is None else names.get((row.source_id, project_id)),
        series_id=row.series_id,
        model=None if series is None else series.model,
        series_path=None if series is None else series_path(series),
        kind=cast("MarkerKind", row.kind),
        word=MARKER_WORDS[row.kind],
        state=cast("MarkerState", row.state),
        at=row.starts_at,
        until=row.ends_at,
        link=row.link,
        note=row.note,
        external_id=row.external_id,
        version=row.version,
        created_by=person(row.created_by),
        created_at=row.created_at,
        changed_at=row.changed_at,
        rollout=_rollout_ref(row),
    )


def rollout_out(row: models.Marker, names: Names) -> Rollout:
    """A repair marker as a rollout; `row` comes from list_rollouts()."""
    counted = cast("Any", row)  # annotated by the query
    return Rollout(
        id=row.rollout.pk,
        marker=marker_out(row, names),
        readouts=counted.readout_count,
        decided=counted.decided_count,
    )


def change_out(row: models.MarkerChange) -> MarkerChange:
    """One change of a marker, its fields by the names that are sent."""
    return MarkerChange(
        id=row.pk,
        action=cast("Any", row.action),
        fields={_SENT_AS.get(name, name): values for name, values in row.fields.items()},
        by=person(row.by),
        at=row.at,
    )


def particulars_out(rollout: models.Rollout) -> Particulars:
    """What a repair says of itself."""
    return Particulars(**{name: rollout.particulars.get(name) for name in FIELD_NAMES})


def _rollout_ref(row: models.Marker) -> RolloutRef | None:
    rollout: models.Rollout | None = getattr(row, "rollout", None)
    if rollout is None:
        return None
    return RolloutRef(
        id=rollout.pk,
        particulars=particulars_out(rollout),
        readouts=[_readout_ref(one) for one in rollout.readouts.all()],
    )


def _readout_ref(row: models.Readout) -> ReadoutRef:
    return ReadoutRef(
        id=row.pk,
        series_id=row.series_id,
        state=cast("ReadoutState", row.state),
        state_word=state_word(row.state),
        outcome=cast("Outcome", row.outcome) if row.outcome else None,
    )
