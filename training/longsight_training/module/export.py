"""From what a run has learned to a module, and back. transformers and llama.cpp order the rows of some layers differently."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from longsight_training.errors import TrainingError
from longsight_training.module.base import Base
from longsight_training.module.file import Lora, Module, Training
from longsight_training.module.permute import from_file_rows, permuted_heads, to_file_rows


def module_of(base: Base, learned: Mapping[str, np.ndarray], *, alpha: float, pool_kernel: int, training: Training) -> Module:
    """The module that a file will hold.

    learned: "embeddings", (tokens, width), and for each of base.linears its name with ".lora_a", (rank, inputs), and ".lora_b",
    (outputs, rank), in transformers' order. Raises TrainingError where they are not those of the base.
    """
    expected = {"embeddings", *(f"{linear.name}.{part}" for linear in base.linears for part in ("lora_a", "lora_b"))}
    if set(learned) != expected:
        odd = sorted(set(learned) ^ expected)[0]
        raise TrainingError(f"What was learned is not for {base.name}: {odd} is in one of the two only. Give the base of the run.")
    for name, numbers in learned.items():
        if numbers.ndim != 2:
            raise TrainingError(f"What was learned as {name} is not a matrix. The checkpoint is damaged.")
    loras = {}
    for linear in base.linears:
        a, b = learned[f"{linear.name}.lora_a"], learned[f"{linear.name}.lora_b"]
        heads = permuted_heads(base.architecture, linear.name, base.head_count, base.head_count_kv)
        if b.shape[0] != linear.outputs:
            raise TrainingError(f"The LoRA of {linear.name} has {b.shape[0]} outputs, the base {linear.outputs}. Give the base of the run.")
        loras[linear.name] = Lora(a, b if heads is None else to_file_rows(b, heads))
    return Module(
        base=base,
        name=f"Lookahead module for {base.name}",
        pool_kernel=pool_kernel,
        alpha=alpha,
        embeddings=learned["embeddings"],
        loras=loras,
        training=training,
    )


def learned_of(module: Module) -> dict[str, np.ndarray]:
    """A module's numbers as a run learns them: undoes module_of. By name, float32, rows in transformers' order."""
    learned = {"embeddings": module.embeddings}
    for linear, lora in module.loras.items():
        heads = permuted_heads(module.base.architecture, linear, module.base.head_count, module.base.head_count_kv)
        learned[f"{linear}.lora_a"] = lora.a
        learned[f"{linear}.lora_b"] = lora.b if heads is None else np.ascontiguousarray(from_file_rows(lora.b, heads))
    return learned
