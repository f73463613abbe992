"""The command line: python -m longsight_training."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from longsight_training.commands import blend, export, facts, respond, scores, train, untrained
from longsight_training.errors import TrainingError
from longsight_training.measure.commands import add_commands as add_measure_commands

LEARNING_PACKAGES = ("torch", "transformers", "accelerate", "safetensors", "tokenizers", "scipy")
"""Of requirements-learn.txt; what only writes or reads files does without them."""

BASIC_PACKAGES = ("numpy", "gguf", "yaml", "tqdm")
"""Of both files of requirements."""


def main(arguments: Sequence[str]) -> int:
    """Carries out one command. Returns its exit code: 0 done, 1 failed with a sentence, 2 not understood, 130 interrupted."""
    options = _parser().parse_args(arguments)
    try:
        return options.run(options) or 0
    except TrainingError as error:
        print(error, file=sys.stderr)
        return 1
    except ModuleNotFoundError as error:
        package = (error.name or "").split(".")[0]
        if package not in (*LEARNING_PACKAGES, *BASIC_PACKAGES):
            raise
        light = options.run is untrained.run
        needs = "it needs: pip install -r requirements.txt" if light else "learning needs: pip install -r requirements-learn.txt"
        print(f"The package {package} is missing. Install what {needs}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nInterrupted. The same command goes on from what is on disk.", file=sys.stderr)
        return train.INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m longsight_training", description="Makes lookahead modules for Longsight.")
    commands = parser.add_subparsers(title="commands", required=True)
    for command in (respond, facts, train):
        command.add(commands)
    add_measure_commands(commands)
    for command in (export, blend, scores, untrained):
        command.add(commands)
    return parser
