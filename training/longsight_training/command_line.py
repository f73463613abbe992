"""The command line: python -m longsight_training."""

from __future__ import annotations

import argparse
import datetime
import math
import sys
from collections.abc import Callable, Sequence

from longsight_training.errors import TrainingError
from longsight_training.module.base import BaseFile
from longsight_training.module.file import write_module
from longsight_training.module.untrained import UntrainedOptions, untrained_module


def main(arguments: Sequence[str]) -> int:
    """Carries out one command. Returns its exit code: 0 done, 1 failed with a sentence, 2 not understood."""
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
        return 0
    except TrainingError as error:
        print(error, file=sys.stderr)
        return 1


def _untrained(options: argparse.Namespace) -> None:
    module = untrained_module(
        BaseFile(options.base),
        UntrainedOptions(
            seed=options.seed,
            tokens=options.tokens,
            rank=options.rank,
            alpha=options.alpha,
            pool_kernel=options.pool_kernel,
            random_lora=options.random_lora,
            base_name=options.base_name,
            date=options.date,
        ),
    )
    write_module(module, options.out)
    print(f"{options.out}: {options.tokens} embeddings and an untrained LoRA of rank {options.rank} for {module.base.name}")


def _whole(least: int, most: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        value = int(text)
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{value} is not between {least} and {most}")
        return value

    parse.__name__ = "whole number"
    return parse


def _above_zero(text: str) -> float:
    value = float(text)
    if not (math.isfinite(value) and value > 0):
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return value


def _date(text: str) -> str:
    try:
        return datetime.date.fromisoformat(text).isoformat()
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is not a date such as 2026-11-29") from None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m longsight_training", description="Makes lookahead modules for Longsight.")
    commands = parser.add_subparsers(title="commands", required=True)
    untrained = commands.add_parser("untrained", help="write a module that has learned nothing: the baseline")
    untrained.set_defaults(run=_untrained)
    untrained.add_argument("--base", required=True, metavar="MODEL.gguf", help="the model that it is for")
    untrained.add_argument("--out", required=True, metavar="MODULE.gguf")
    untrained.add_argument("--seed", type=_whole(0, 2**32 - 1), default=0, help="the same seed gives the same bytes (default 0)")
    untrained.add_argument("--tokens", type=_whole(1, 512), default=32, help="number of lookahead embeddings (default 32)")
    untrained.add_argument("--rank", type=_whole(1, 256), default=8, help="rank of the LoRA (default 8)")
    untrained.add_argument("--alpha", type=_above_zero, default=32.0, help="the LoRA counts alpha / rank times (default 32)")
    untrained.add_argument("--pool-kernel", type=_whole(1, 255), default=7, help="width of the max-pool, odd; 1: none (default 7)")
    untrained.add_argument(
        "--random-lora", type=_above_zero, metavar="STD", help="fill the LoRA's second half by seed too, so that it does something"
    )
    untrained.add_argument("--base-name", metavar="NAME", help="name of the model as people know it (default: what its file says)")
    untrained.add_argument(
        "--date", type=_date, default=datetime.date.today().isoformat(), help="written into the file (default today)"
    )
    return parser
