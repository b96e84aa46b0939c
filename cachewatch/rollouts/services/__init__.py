"""Every write of markers, rollouts and readouts."""

from cachewatch.rollouts.services.decisions import decide, reopen
from cachewatch.rollouts.services.marker_checks import NewMarker
from cachewatch.rollouts.services.markers import (
    Recorded,
    change_marker,
    confirm_marker,
    delete_marker,
    dismiss_marker,
    record_marker,
)
from cachewatch.rollouts.services.proposals import propose_new_models
from cachewatch.rollouts.services.readouts import measure_due, open_readouts

__all__ = [
    "NewMarker",
    "Recorded",
    "change_marker",
    "confirm_marker",
    "decide",
    "delete_marker",
    "dismiss_marker",
    "measure_due",
    "open_readouts",
    "propose_new_models",
    "record_marker",
    "reopen",
]
