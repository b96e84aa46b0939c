"""`cachewatch key-plan`: which prompt_cache_key to send, if any; no Django, no database."""
