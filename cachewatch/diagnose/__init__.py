"""`cachewatch diagnose`: usage in, verdicts out. No database, no server, no Django."""
