"""train: one run, as its YAML file says it."""

from __future__ import annotations

import argparse
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from longsight_training.commands.values import above_zero

INTERRUPTED = 130
"""Exit code, as shells have it for SIGINT."""


def add(commands: argparse._SubParsersAction) -> None:
    parser = commands.add_parser("train", help="learn a module; the same command goes on where it was interrupted")
    parser.set_defaults(run=_run)
    parser.add_argument("settings", metavar="RUN.yaml", help="see README.md")
    parser.add_argument("--stop-after", type=above_zero, metavar="MINUTES", help="save and stop then")


def _run(options: argparse.Namespace) -> int:
    # Not before it is needed: other commands run without PyTorch.
    from longsight_training.learn.settings import read_settings
    from longsight_training.learn.train import train

    settings = read_settings(options.settings)
    stop_after = None if options.stop_after is None else options.stop_after * 60
    with _asked_to_stop() as asked:
        run = train(settings, stop_after=stop_after, should_stop=lambda: bool(asked))
    quoted = in_shell(options.settings)
    if run.step < settings.steps:
        print(f"Saved after step {run.step} of {settings.steps}. To go on: python -m longsight_training train {quoted}")
        return INTERRUPTED if asked else 0
    if run.step > settings.steps:
        print(f"{run.step} steps are done already, more than the {settings.steps} that {options.settings} asks for. Nothing was undone.", file=sys.stderr)
    print(
        f"All {run.step} steps are done: {run.samples} prompts of at most {run.longest} tokens in {run.seconds / 60:.1f} minutes. "
        f"Next: python -m longsight_training export {quoted} --out MODULE.gguf"
    )
    return 0


def in_shell(text: str) -> str:
    """As it can be typed in a shell."""
    return subprocess.list2cmdline([text]) if os.name == "nt" else shlex.quote(text)


@contextmanager
def _asked_to_stop() -> Iterator[list[int]]:
    """The signals that asked to stop, so far. A second one stops at once."""
    asked: list[int] = []

    def ask(number: int, _frame) -> None:
        asked.append(number)
        signal.signal(number, signal.default_int_handler)
        print("\nStopping after this step. Once more stops at once, and loses what came after the last checkpoint.", file=sys.stderr)

    earlier = signal.signal(signal.SIGINT, ask)
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, earlier)
