"""Raw facts: what the provider said, and when. Never imports cachewatch."""
