"""Writes responses group by group, so that an interruption costs one group at most."""

from __future__ import annotations

import argparse
import itertools
import json
import random
import sys
from collections.abc import Sequence
from pathlib import Path

import torch
from tqdm import tqdm
from transformers import PreTrainedTokenizerBase

from longsight_training.errors import TrainingError, reason_of
from longsight_training.files import append_line, refuse_inputs, write_beside, writing_alone
from longsight_training.learn.groups import Group, group_from_line, group_to_line
from longsight_training.learn.lengths import LengthMix
from longsight_training.learn.made import Made, describe_base, describe_files, describe_lengths, differences, read_made
from longsight_training.learn.prompts import MARK, Prompter
from longsight_training.learn.respond import respond
from longsight_training.learn.samples import Sample, data_files, question_groups, read_samples, refuse_among_data
from longsight_training.model.load import load_base
from longsight_training.model.place import computing_on


def write_responses(options: argparse.Namespace) -> None:
    """The command (respond.py has its options). Raises TrainingError with what to do."""
    out = Path(options.out)
    data = data_files(options.data)
    refuse_among_data(out, options.data)
    refuse_inputs(out, [options.base, *data])
    with writing_alone(out):
        made = _made_with(options, data)
        done = _read_done(out, made)
        with computing_on(options.device, options.threads):
            groups = _write(options, out, done, made)
    responses = sum(len(group.branches) for group in groups)
    print(f"{out}: {responses} responses in {len(groups)} groups")


def _write(options: argparse.Namespace, out: Path, done: Sequence[Group], made: Made) -> list[Group]:
    samples = _thin(read_samples(options.data, split=options.split, without=options.without), options.inside_share, options.seed)
    base = load_base(options.base, dtype=getattr(torch, options.dtype), device=options.device)
    ends = ends_of(base.tokenizer)
    asked = question_groups(
        samples, Prompter(base.tokenizer), LengthMix(tuple(options.lengths)), branches=options.branches, seed=options.seed,
        keep_responses=False,
    )
    fitting = (group for group in asked if group.longest_prompt + options.most <= base.context_length)
    groups = list(itertools.islice(fitting, options.groups))
    if not groups:
        raise TrainingError(
            f"{options.data} gives no group whose prompts and responses fit into the model's {base.context_length} tokens. "
            "Give shorter --lengths, or a smaller --most."
        )
    _check_same(done, groups, out)
    if not done:
        write_beside(made_file(out), (json.dumps(made, indent=1) + "\n").encode())
    append_line(out)
    with tqdm(total=len(groups), initial=len(done), desc="respond", unit="group") as bar:
        for group in groups[len(done) :]:
            append_line(out, group_to_line(respond(base, group, most=options.most, ends=ends)))
            bar.update()
    return groups


def made_file(out: Path) -> Path:
    """The file beside the groups that says what they were made with."""
    return out.with_name(f"{out.name}.made.json")


def _made_with(options: argparse.Namespace, data: Sequence[Path]) -> Made:
    """All that decides the groups and their responses; how many there are is not."""
    return {
        "--base": describe_base(Path(options.base), options.dtype), "--data": describe_files(data), "--split": options.split,
        "--without": " ".join(sorted(options.without)), "--most": str(options.most), "--branches": str(options.branches),
        "--lengths": describe_lengths(LengthMix(tuple(options.lengths))), "--inside-share": f"{options.inside_share:g}",
        "--seed": str(options.seed),
    }


def _read_done(out: Path, made: Made) -> list[Group]:
    done = read_written(out)
    before = read_made(made_file(out)) if done else None
    if before is not None and (changed := differences(before, made)):
        raise TrainingError(f"{out} was written with other options: {changed}. Repeat those to go on with it, or give another --out.")
    if done and before is None:
        print(f"{made_file(out)} is missing, so nobody can tell whether {out} was written with these options.", file=sys.stderr)
    return done


def read_written(path: Path) -> list[Group]:
    """The groups that an earlier call has written. What an interruption left of a line is cut off.

    Raises TrainingError, and leaves the file as it is, where it holds something else.
    """
    if not path.exists():
        return []
    try:
        with path.open("r+b") as file:
            content = file.read()
            whole = content.rfind(b"\n") + 1
            if content[whole : whole + 1] not in (b"", b"{"):
                raise ValueError("its end is no group")
            groups = [group_from_line(line) for line in content[:whole].decode().split("\n") if line]
            file.truncate(whole)
            return groups
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise TrainingError(f"{path} could not be read as groups ({reason_of(error)}). Give another --out, or remove it.") from error


def ends_of(tokenizer: PreTrainedTokenizerBase) -> frozenset[int]:
    """Tokens that end a response: the end of a text, and what the chat template puts behind an assistant's turn."""
    ends = {tokenizer.eos_token_id}
    messages = [{"role": "user", "content": "?"}, {"role": "assistant", "content": MARK}]
    try:
        _, _, behind = tokenizer.apply_chat_template(messages, tokenize=False).rpartition(MARK)
    except Exception:  # no template, or one that refuses these messages
        behind = ""
    if behind:
        first = tokenizer(behind, add_special_tokens=False)["input_ids"][0]
        # Plain text, such as a line break, may well stand inside a response.
        if first in tokenizer.added_tokens_decoder:
            ends.add(first)
    return frozenset(ends - {None})


def _thin(samples: Sequence[Sample], inside_share: float, seed: int) -> list[Sample]:
    rng = random.Random(f"{seed}/inside")
    return [sample for sample in samples if not sample.inside or rng.random() < inside_share]


def _check_same(done: Sequence[Group], groups: Sequence[Group], out: Path) -> None:
    same = len(done) <= len(groups) and all(_prompts(one) == _prompts(other) for one, other in zip(done, groups))
    if not same:
        raise TrainingError(f"{out} was written with other options or data. Repeat those to go on with it, or give another --out.")


def _prompts(group: Group):
    return group.prefix, [branch.question for branch in group.branches]
