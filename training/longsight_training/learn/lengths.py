"""How long texts are."""

from __future__ import annotations

import random
from dataclasses import dataclass


LEAST = 64
"""Tokens of the shortest text that something can be strewn over."""


@dataclass(frozen=True)
class LengthMix:
    """How long the shared text is, in tokens: shares with their least and most."""

    parts: tuple[tuple[float, int, int], ...]

    def draw(self, rng: random.Random) -> int:
        at = rng.random() * sum(share for share, _, _ in self.parts)
        for share, least, most in self.parts:
            at -= share
            if at <= 0:
                break
        return rng.randint(least, most)


DEFAULT_LENGTHS = LengthMix(((0.6, 400, 1200), (0.3, 1200, 2400), (0.1, 4000, 6000)))
