"""Between what the numbers lie that people set, by command line or by YAML."""

from __future__ import annotations

MOST = 10**9
MOST_SEED = 2**32 - 1
MOST_ALPHA = 1_000_000

LIMITS = {
    "tokens": (1, 512), "rank": (1, 256), "pool_kernel": (1, 255), "branches": (1, 256), "seed": (0, MOST_SEED), "threads": (0, 1024),
    "pool": (0, MOST), "steps": (1, MOST), "groups_per_step": (1, 1024), "warm_up": (0, MOST), "decay": (0, MOST),
    "validate_every": (1, MOST), "save_every": (1, MOST), "learning_rate": (0, 10), "embedding_rate": (0, 10), "facts_share": (0, 1),
    "data_share": (0, 1),
}
"""Least and most of a setting, both included."""
