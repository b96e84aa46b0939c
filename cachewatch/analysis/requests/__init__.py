"""What single requests say that hourly buckets cannot: causes of misses, arms, the append-only floor."""
