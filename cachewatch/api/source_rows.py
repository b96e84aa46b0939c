"""From a stored source to the answers of the sources page."""

from __future__ import annotations

SHOWN_HOURS = 168
