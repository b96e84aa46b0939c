"""Raw facts: what the provider said, and when. Never imports cachewatch."""

# Of the whole product; here because both packages need it.
__version__ = "0.6.0"
