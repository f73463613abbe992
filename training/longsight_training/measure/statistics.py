"""Means over prompts with bootstrap intervals that resample whole groups: prompts of one group share their text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

DRAWS = 10_000
LEVEL = 0.95
SEED = 0


@dataclass(frozen=True)
class Estimate:
    """A mean over prompts."""

    mean: float
    low: float | None
    """Bounds of the 95 % interval; None where one group is all there is."""
    high: float | None
    prompts: int


def estimate(values: Sequence[float | None], groups: Sequence[int], *, draws: int = DRAWS) -> Estimate | None:
    """values: one for each prompt, None where the prompt has none; groups: the number of each prompt's group.

    Percentile bootstrap. The same values give the same interval. None where no prompt has a value.
    """
    found = np.array([value for value in values if value is not None], dtype=np.float64)
    of_group = np.array([group for value, group in zip(values, groups, strict=True) if value is not None], dtype=np.int64)
    if len(found) == 0:
        return None
    _, index = np.unique(of_group, return_inverse=True)
    sums, counts = np.bincount(index, weights=found), np.bincount(index)
    mean = float(found.mean())
    if len(sums) < 2:
        return Estimate(mean, None, None, len(found))
    drawn = np.random.default_rng(SEED).integers(0, len(sums), size=(draws, len(sums)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Estimate(mean, float(low), float(high), len(found))


def differences(values: Sequence[float | None], others: Sequence[float | None]) -> list[float | None]:
    """Prompt by prompt, for an estimate of what one policy is ahead of another."""
    return [None if one is None or other is None else one - other for one, other in zip(values, others, strict=True)]
