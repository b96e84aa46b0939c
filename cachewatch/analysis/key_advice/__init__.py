"""Which prompt_cache_key to send: whether one helps, for which unit, over how many shards."""
