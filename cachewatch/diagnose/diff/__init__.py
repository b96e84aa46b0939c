"""`cachewatch diff`: two request bodies, compared on this machine; nothing is stored or sent."""
