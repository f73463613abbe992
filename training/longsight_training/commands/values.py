"""Values that people type, checked where they are typed."""

from __future__ import annotations

import argparse
import datetime
import math
from collections.abc import Callable

from longsight_training.learn.lengths import DEFAULT_LENGTHS, LEAST
from longsight_training.limits import LIMITS, MOST_ALPHA


def whole(least: int, most: int) -> Callable[[str], int]:
    """Takes whole numbers between the two, both included."""

    def parse(text: str) -> int:
        value = int(text)
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{value} is not between {least} and {most}")
        return value

    parse.__name__ = "whole number"
    return parse


def factor(text: str) -> float:
    """Takes numbers above 0 that a module's file can hold with ease."""
    value = above_zero(text)
    if value > MOST_ALPHA:
        raise argparse.ArgumentTypeError(f"{text} is above {MOST_ALPHA}")
    return value


def above_zero(text: str) -> float:
    """Takes finite numbers above 0."""
    value = float(text)
    if not (math.isfinite(value) and value > 0):
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return value


def share(text: str) -> float:
    """Takes numbers from 0 to 1."""
    value = float(text)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 1")
    return value


def date(text: str) -> str:
    """Takes ISO dates."""
    try:
        return datetime.date.fromisoformat(text).isoformat()
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is not a date such as 2026-11-29") from None


def length_part(text: str) -> tuple[float, int, int]:
    """Takes one part of a mix of lengths, SHARE:LEAST-MOST in tokens, for example 0.6:400-1200."""
    try:
        amount, _, span = text.partition(":")
        least, _, most = span.partition("-")
        part = (float(amount), int(least), int(most))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is not SHARE:LEAST-MOST, such as 0.6:400-1200") from None
    if not (0 < part[0] < math.inf and LEAST <= part[1] <= part[2]):
        raise argparse.ArgumentTypeError(f"{text} has no share above 0 and {LEAST} ≤ LEAST ≤ MOST")
    return part


def add_texts(parser: argparse.ArgumentParser, *, branches: str) -> None:
    """The options of commands that lay out texts of the data as groups. branches: what a group has so many of."""
    parser.add_argument("--split", default="train", help="train, or val for groups to validate with (default train)")
    parser.add_argument("--without", nargs="+", default=[], metavar="SUBSET", help="subsets of the data that are left out")
    parser.add_argument("--branches", type=whole(*LIMITS["branches"]), default=10, help=f"{branches} (default 10)")
    parser.add_argument(
        "--lengths", nargs="+", type=length_part, default=DEFAULT_LENGTHS.parts, metavar="SHARE:LEAST-MOST", help="of the texts, in tokens"
    )
    parser.add_argument("--seed", type=whole(*LIMITS["seed"]), default=0, help="decides the groups (default 0)")


# argparse calls values by these names where they are no numbers at all.
factor.__name__ = above_zero.__name__ = share.__name__ = "number"
