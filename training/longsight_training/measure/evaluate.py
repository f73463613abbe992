"""The evaluation: every policy on every prompt of some files of groups."""

from __future__ import annotations

import datetime
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from tqdm import tqdm

from longsight_training import __version__
from longsight_training.errors import TrainingError
from longsight_training.files import refuse_inputs, writing_alone
from longsight_training.learn.groups import Group, read_groups
from longsight_training.learn.fitting import check_group
from longsight_training.learn.train import CHECKPOINT, draw_embeddings
from longsight_training.measure.journal import Journal, MeasuredGroup, MeasuredPrompt
from longsight_training.measure.metrics import BUDGETS, Measured
from longsight_training.measure.modules import MountedModule, read_source
from longsight_training.measure.policies import (
    SNAPKV_KERNEL, UNTRAINED, Policy, measure_plain, measure_source, module_policies, plain_policies,
)
from longsight_training.measure.provenance import describe_machine, sha256_of
from longsight_training.measure.read import ReadBranch, read_branch, read_lookahead, read_shared
from longsight_training.measure.results import Results, count_prompts, read_results, summarise, write_results
from longsight_training.model.load import LoadedBase, load_base
from longsight_training.model.place import computing_on

UNTRAINED_TOKENS = 32


@dataclass(frozen=True)
class EvaluateOptions:
    """What is evaluated, and how."""

    base: Path
    modules: tuple[tuple[str | None, Path], ...]
    """A name, or None for the file's own, and where it is: see modules.read_source."""
    groups: tuple[Path, ...]
    out: Path
    limit: int | None = None
    """Of groups, over all files."""
    seed: int = 0
    dtype: str = "float32"
    device: str = "cpu"
    threads: int = 0
    """Of the CPU; 0: as PyTorch chooses."""


@dataclass(frozen=True)
class NumberedGroup:
    """A group, and its place among all."""

    key: str
    number: int
    group: Group

    @property
    def cost(self) -> int:
        """Tokens to read: what the progress bar counts."""
        return len(self.group.prefix) + sum(len(branch.question) + len(branch.response) for branch in self.group.branches)


class Evaluator:
    """A base with the modules to be compared in it."""

    def __init__(self, base: LoadedBase, modules: Sequence[MountedModule], *, seed: int) -> None:
        """seed: of the untrained module's embeddings and of the random policy. Raises TrainingError where names are not apart."""
        self.base, self.seed = base, seed
        self._modules = list(modules)
        self._untrained = draw_embeddings(base, UNTRAINED_TOKENS, seed)
        rows = [module_policies(module.source.name, module.source.pool_kernel) for module in modules]
        rows += [module_policies(UNTRAINED, SNAPKV_KERNEL), plain_policies()]
        self.policies: tuple[Policy, ...] = tuple(policy for row in rows for policy in row)
        names = [policy.name for policy in self.policies]
        for name in names:
            if names.count(name) > 1:
                raise TrainingError(f"Two policies would be called “{name}”. Name the modules apart: --module NAME=PATH.")

    def measure(self, numbered: NumberedGroup) -> MeasuredGroup:
        """Every prompt of a group that has a response. Raises TrainingError where attention is not a number."""
        began = time.monotonic()
        group = numbered.group
        shared = read_shared(self.base, group.prefix)
        prompts = []
        for index, branch in enumerate(group.branches):
            if not branch.response:
                continue
            read = read_branch(self.base, shared, branch)
            if not all(np.isfinite(scores).all() for scores in (read.truth, read.snapkv, read.tova, read.h2o)):
                raise TrainingError(f"The base's attention in {group.name} is not a number. Evaluate with --dtype float32.")
            seed = (self.seed, numbered.number, index)
            figures = dict([*self._by_modules(read), *measure_plain(read, self.base.kv_heads, seed)])
            prompts.append(MeasuredPrompt(read.tokens, branch.kind, figures))
        return MeasuredGroup(numbered.key, round(time.monotonic() - began, 3), tuple(prompts))

    def _by_modules(self, read: ReadBranch) -> Iterator[tuple[str, Measured]]:
        found = {UNTRAINED: read_lookahead(self.base, read.segments, read.tokens, self._untrained)}
        for module in self._modules:
            with module.at_work() as embeddings:
                found[module.source.name] = read_lookahead(self.base, read.segments, read.tokens, embeddings)
        for name, scores in found.items():
            if not np.isfinite(scores).all():
                raise TrainingError(f"The attention of the module {name} is not a number. Evaluate with --dtype float32.")
            rows = [policy for policy in self.policies if policy.module == name]
            yield from measure_source(read.truth, scores, self.base.kv_heads, rows)


def evaluate(options: EvaluateOptions) -> Results:
    """Measures, goes on where an earlier call was interrupted, and writes the results.

    Beside options.out lies a journal, NAME.groups.jsonl, with every prompt's figures. Raises TrainingError with what to do.
    """
    modules = [path for _, path in options.modules]
    # A run's folder may well hold results; only what is read of it counts.
    read = [path / CHECKPOINT if path.is_dir() else path for path in modules]
    for out in (options.out, journal_of(options.out)):
        refuse_inputs(out, [options.base, *options.groups, *read])
    with writing_alone(options.out), computing_on(options.device, options.threads):
        return _evaluate(options)


def journal_of(out: Path) -> Path:
    """The file beside the results with every group's figures."""
    return out.with_name(f"{out.stem}.groups.jsonl")


def _evaluate(options: EvaluateOptions) -> Results:
    base = load_base(options.base, dtype=getattr(torch, options.dtype), device=options.device)
    sources = [read_source(path, name, base, options.base) for name, path in options.modules]
    groups, files = _number_groups(options.groups, base)
    evaluator = Evaluator(base, [MountedModule(base, source) for source in sources], seed=options.seed)
    subject = {
        "version": __version__,
        "base": {
            "file": options.base.name, "sha256": sha256_of(options.base), "layers": len(base.scored_layers), "heads": base.heads,
            "kv_heads": base.kv_heads,
        },
        "modules": [
            {
                "name": source.name, "file": source.file, "sha256": source.sha256, "tokens": source.tokens, "rank": source.rank,
                "alpha": source.alpha, "pool_kernel": source.pool_kernel, "steps": source.steps,
            }
            for source in sources
        ],
        "groups": files,
        "settings": {
            "seed": options.seed, "dtype": options.dtype, "device": options.device, "budgets": list(BUDGETS),
            "untrained_tokens": UNTRAINED_TOKENS, "policies": [policy.name for policy in evaluator.policies],
        },
    }
    finished = read_results(options.out).subject if options.out.exists() else None
    journal = Journal(journal_of(options.out), subject, finished=finished)
    chosen = groups[: options.limit]
    _measure_all(evaluator, chosen, journal)
    results = _results(evaluator, chosen, journal, subject)
    write_results(results, options.out)
    return results


def _measure_all(evaluator: Evaluator, groups: Sequence[NumberedGroup], journal: Journal) -> None:
    done = sum(numbered.cost for numbered in groups if numbered.key in journal.groups)
    total = sum(numbered.cost for numbered in groups)
    with tqdm(total=total, initial=done, desc="evaluate", unit="token", unit_scale=True) as bar:
        for numbered in groups:
            if numbered.key not in journal.groups:
                journal.add(evaluator.measure(numbered))
                bar.update(numbered.cost)


def _results(evaluator: Evaluator, groups: Sequence[NumberedGroup], journal: Journal, subject: dict) -> Results:
    found = [(numbered.number, journal.groups[numbered.key]) for numbered in groups]
    prompts = [prompt for _, measured in found for prompt in measured.prompts]
    of_group = [number for number, measured in found for _ in measured.prompts]
    return Results(
        subject=subject,
        machine=describe_machine(evaluator.base.device),
        date=datetime.date.today().isoformat(),
        seconds=sum(measured.seconds for _, measured in found),
        counts=count_prompts(prompts, of_group),
        policies=summarise(evaluator.policies, prompts, of_group),
    )


def _number_groups(paths: Sequence[Path], base: LoadedBase) -> tuple[list[NumberedGroup], list[dict]]:
    """All groups that have a response to measure, and what the results say of their files."""
    numbered: list[NumberedGroup] = []
    files = []
    for path in paths:
        digest = sha256_of(path)
        groups = read_groups(path)
        files.append({"file": path.name, "sha256": digest, "groups": len(groups)})
        for place, group in enumerate(groups):
            check_group(group, path, base, UNTRAINED_TOKENS)
            if any(branch.response for branch in group.branches):
                numbered.append(NumberedGroup(f"{digest[:16]}/{place}", len(numbered), group))
    if not numbered:
        raise TrainingError("The files of groups hold no responses, so there is nothing to measure by. Write them with “respond”.")
    return numbered, files
