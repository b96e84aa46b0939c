"""How a shape shows what an answer looks like, in OpenAPI and on the docs page."""

from __future__ import annotations

from typing import Any

from pydantic import ConfigDict


def examples(*shown: dict[str, Any]) -> ConfigDict:
    """A shape's configuration that carries examples; a test checks that each one fits its shape."""
    return ConfigDict(json_schema_extra={"examples": list(shown)})
