"""facts: groups of made facts as a file, where training should see more of a kind than it draws by itself."""

from __future__ import annotations

import argparse

from longsight_training.commands.values import add_texts, share, whole


def add(commands: argparse._SubParsersAction) -> None:
    parser = commands.add_parser("facts", help="write groups of made facts, with their responses, for the responses of a run")
    parser.set_defaults(run=_run)
    parser.add_argument("--base", required=True, metavar="MODEL", help="GGUF file or Hugging Face folder, for its tokenizer and template")
    parser.add_argument("--data", required=True, metavar="FOLDER", help="of JSON Lines files as README.md describes, for the texts")
    parser.add_argument("--out", required=True, metavar="GROUPS.jsonl")
    parser.add_argument("--groups", required=True, type=whole(1, 10**6), metavar="N")
    add_texts(parser, branches="questions of a group at most")
    parser.add_argument(
        "--within", type=share, default=1.0, metavar="SHARE",
        help="the first share of the text that the facts lie in: what is far from the question has to be learned too (default 1)",
    )


def _run(options: argparse.Namespace) -> None:
    # Not before it is needed: other commands run without PyTorch.
    from longsight_training.commands.fact_groups import write_facts

    write_facts(options)
