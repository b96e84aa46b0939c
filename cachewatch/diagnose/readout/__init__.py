"""`cachewatch readout`: usage and a marker in, a before/after comparison out. No database."""
