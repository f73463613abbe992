"""A module that has learned nothing: the baseline, and what the engine's tests use."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from longsight_training.errors import TrainingError
from longsight_training.module.base import Base, BaseFile, LinearShape
from longsight_training.module.file import Lora, Module, Training


@dataclass(frozen=True)
class UntrainedOptions:
    """How an untrained module is made."""

    seed: int = 0
    tokens: int = 32
    rank: int = 8
    alpha: float = 32.0
    pool_kernel: int = 7
    random_lora: float | None = None
    """Standard deviation of the LoRA's second factor; None: zero, so that the LoRA changes nothing."""
    base_name: str | None = None
    date: str = ""


def untrained_module(base_file: BaseFile, options: UntrainedOptions) -> Module:
    """Draws a module by its seed: rows of the base's token embeddings, first factors as PEFT's "gaussian" start, second ones zero.

    Raises TrainingError where the base cannot have a module.
    """
    base = base_file.describe()
    if options.base_name is not None:
        base = dataclasses.replace(base, name=options.base_name)
    candidates = base_file.normal_tokens()
    if len(candidates) < options.tokens:
        raise TrainingError(f"{base_file.path} has {len(candidates)} text tokens; {options.tokens} cannot be drawn from them.")
    tokens = _random(options.seed, 0).choice(candidates, options.tokens, replace=False)
    return Module(
        base=base,
        name=f"Untrained lookahead module for {base.name}",
        pool_kernel=options.pool_kernel,
        alpha=options.alpha,
        embeddings=base_file.embedding_rows(tokens),
        loras=_loras(base, options),
        training=Training(date=options.date),
    )


def _loras(base: Base, options: UntrainedOptions) -> dict[str, Lora]:
    # A stream for each layer: one layer's numbers do not hang on the others' sizes.
    return {linear.name: _lora(linear, options, _random(options.seed, 1 + index)) for index, linear in enumerate(base.linears)}


def _lora(linear: LinearShape, options: UntrainedOptions, random: np.random.Generator) -> Lora:
    a = random.standard_normal((options.rank, linear.inputs), dtype=np.float32) / np.float32(options.rank)
    b = np.zeros((linear.outputs, options.rank), dtype=np.float32)
    if options.random_lora is not None:
        b = random.standard_normal(b.shape, dtype=np.float32) * np.float32(options.random_lora)
    return Lora(a=a, b=b)


def _random(seed: int, stream: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64([seed, stream]))
