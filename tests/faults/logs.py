"""A made log of requests, the same at every call: one prompt replayed under three keys."""

from __future__ import annotations

import json
import random

REQUESTS = 2_000
FIRST_SECOND = 1_790_000_000
KEYS = (None, "stable", "run-{}")
_HIT = {None: 0.4, "stable": 0.95, "run-{}": 0.02}


def log_lines() -> bytes:
    """JSON lines of REQUESTS requests, twenty seconds apart."""
    made = random.Random(11)
    return "".join(f"{json.dumps(_request(number, made))}\n" for number in range(REQUESTS)).encode()


def _request(number: int, made: random.Random) -> dict[str, object]:
    key = KEYS[number % len(KEYS)]
    return {
        "timestamp": FIRST_SECOND + 20 * number,
        "session": f"session-{number % 30}",
        "model": "gpt-5.4",
        "input_tokens": 4_000 + number % 50,
        "cached_input_tokens": 3_200 if made.random() < _HIT[key] else 0,
        "prompt_cache_key": None if key is None else key.format(number),
    }
