"""`cachewatch probe`: a small trial of the prompt cache with the user's own key, when confirmed."""
