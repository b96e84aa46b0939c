"""`cachewatch evidence`: what single requests of a log say; no Django, no database."""
