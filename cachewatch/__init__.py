"""cachewatch: why prompt cache discounts leak, per project and model."""

__version__ = "0.1.0"
