"""Writes groups of made facts."""

from __future__ import annotations

import argparse
import itertools
from pathlib import Path

import torch

from longsight_training.errors import TrainingError
from longsight_training.files import refuse_inputs, writing_alone
from longsight_training.learn.groups import write_groups
from longsight_training.learn.lengths import LengthMix
from longsight_training.learn.prompts import Prompter
from longsight_training.learn.samples import data_files, fact_group, fact_texts, read_samples, refuse_among_data
from longsight_training.model.load import load_base

ROWS = 64
"""Tokens that are left for lookahead rows behind a prompt: twice as many as most modules have."""

TRIES = 20
"""Groups that are drawn for each that is wanted: some are longer than the model takes."""


def write_facts(options: argparse.Namespace) -> None:
    """The command (facts.py has its options). Raises TrainingError with what to do."""
    out = Path(options.out)
    refuse_among_data(out, options.data)
    refuse_inputs(out, [options.base, *data_files(options.data)])
    texts = fact_texts(read_samples(options.data, split=options.split, without=options.without))
    if not texts:
        raise TrainingError(f"{options.data} has no text that is long enough to take facts.")
    base = load_base(options.base, dtype=torch.bfloat16, device="cpu")
    prompter, lengths = Prompter(base.tokenizer), LengthMix(tuple(options.lengths))
    drawn = (
        fact_group(texts, prompter, lengths, branches=options.branches, seed=options.seed, number=number, within=options.within)
        for number in range(TRIES * options.groups)
    )
    # Where the question stands first, texts are short whatever the lengths are.
    long = (group for group in drawn if group.branches[0].kind != "fact-first")
    fitting = (group for group in long if group.longest_prompt + ROWS <= base.context_length)
    groups = list(itertools.islice(fitting, options.groups))
    if len(groups) < options.groups:
        raise TrainingError(f"Too few groups fit into the model's {base.context_length} tokens. Give shorter --lengths.")
    with writing_alone(out):
        write_groups(groups, out)
    print(f"{out}: {sum(len(group.branches) for group in groups)} questions in {len(groups)} groups")
