"""untrained: a module that has learned nothing."""

from __future__ import annotations

import argparse
import datetime

from longsight_training.commands.values import above_zero, date, factor, whole
from longsight_training.files import refuse_inputs
from longsight_training.limits import LIMITS, MOST_SEED


def add(commands: argparse._SubParsersAction) -> None:
    parser = commands.add_parser("untrained", help="write a module that has learned nothing: the baseline")
    parser.set_defaults(run=run)
    parser.add_argument("--base", required=True, metavar="MODEL.gguf", help="the model that it is for")
    parser.add_argument("--out", required=True, metavar="MODULE.gguf")
    parser.add_argument("--seed", type=whole(0, MOST_SEED), default=0, help="the same seed gives the same bytes (default 0)")
    parser.add_argument("--tokens", type=whole(*LIMITS["tokens"]), default=32, help="number of lookahead embeddings (default 32)")
    parser.add_argument("--rank", type=whole(*LIMITS["rank"]), default=8, help="rank of the LoRA (default 8)")
    parser.add_argument("--alpha", type=factor, default=32.0, help="the LoRA counts alpha / rank times (default 32)")
    parser.add_argument("--pool-kernel", type=whole(*LIMITS["pool_kernel"]), default=7, help="width of the max-pool, odd; 1: none (default 7)")
    parser.add_argument(
        "--random-lora", type=above_zero, metavar="STD", help="fill the LoRA's second half by seed too, so that it does something"
    )
    parser.add_argument("--base-name", metavar="NAME", help="name of the model as people know it (default: what its file says)")
    parser.add_argument("--date", type=date, default=datetime.date.today().isoformat(), help="written into the file (default today)")


def run(options: argparse.Namespace) -> None:
    """Raises TrainingError with what to do."""
    # Not before it is needed: a Python without NumPy is told what to install.
    from longsight_training.module.base import BaseFile
    from longsight_training.module.file import write_module
    from longsight_training.module.untrained import UntrainedOptions, untrained_module

    refuse_inputs(options.out, [options.base])
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
