"""respond: groups of prompts with the target model's own greedy responses."""

from __future__ import annotations

import argparse

from longsight_training.commands.values import add_texts, share, whole
from longsight_training.limits import LIMITS


def add(commands: argparse._SubParsersAction) -> None:
    parser = commands.add_parser(
        "respond", help="let the model write responses to learn from; the same command goes on where it was interrupted"
    )
    parser.set_defaults(run=_run)
    parser.add_argument("--base", required=True, metavar="MODEL", help="GGUF file or Hugging Face folder")
    parser.add_argument("--data", required=True, metavar="FOLDER", help="of JSON Lines files as README.md describes")
    parser.add_argument("--out", required=True, metavar="GROUPS.jsonl", help="gets a line for each group as soon as it is written")
    add_texts(parser, branches="prompts of a group, which share a text")
    parser.add_argument("--groups", type=whole(1, 10**9), metavar="N", help="the first N groups (default: as many as the data gives)")
    parser.add_argument("--most", type=whole(1, 8192), default=512, metavar="TOKENS", help="of a response (default 512)")
    parser.add_argument(
        "--inside-share", type=share, default=1.0, metavar="SHARE",
        help="of the samples whose text holds its own instruction, how many are used: each is a group of one (default 1)",
    )
    parser.add_argument("--dtype", choices=("bfloat16", "float32"), default="bfloat16")
    parser.add_argument("--device", default="cpu", help="cpu or cuda (default cpu)")
    parser.add_argument("--threads", type=whole(*LIMITS["threads"]), default=0, help="of the CPU; 0: as PyTorch chooses")


def _run(options: argparse.Namespace) -> None:
    # Not before it is needed: other commands run without PyTorch.
    from longsight_training.commands.responses import write_responses

    write_responses(options)
