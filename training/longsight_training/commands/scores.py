"""scores: what a module says about one prompt, as raw numbers, to compare with the engine's."""

from __future__ import annotations

import argparse


def add(commands: argparse._SubParsersAction) -> None:
    parser = commands.add_parser("scores", help="write the scores of one prompt as raw numbers, to compare with the engine's")
    parser.set_defaults(run=_run)
    parser.add_argument("--base", required=True, metavar="MODEL", help="GGUF file or Hugging Face folder")
    parser.add_argument("--module", required=True, metavar="MODULE.gguf")
    parser.add_argument("--tokens", required=True, metavar="TOKENS.u32", help="the prompt: ids as little-endian u32")
    parser.add_argument(
        "--out", required=True, metavar="SCORES.f32",
        help="gets little-endian float32 [scored layer][KV head][token]: attention, averaged over rows and query heads, not pooled",
    )
    parser.add_argument("--dtype", choices=("bfloat16", "float32"), default="float32")
    parser.add_argument("--device", default="cpu", help="cpu or cuda (default cpu)")


def _run(options: argparse.Namespace) -> None:
    # Not before it is needed: other commands run without PyTorch.
    from longsight_training.commands.module_scores import write_scores

    write_scores(options)
