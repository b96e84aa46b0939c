"""cachewatch: why prompt cache discounts leak, per project and model."""

from ingest import __version__

__all__ = ["__version__"]
