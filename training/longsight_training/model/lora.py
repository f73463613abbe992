"""LoRA on the linear layers, switched on for the lookahead rows alone (paper: eq. 3)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import nn

from longsight_training.errors import TrainingError
from longsight_training.module.base import LINEARS, lora_linears

PATHS = {
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
"""Where transformers keeps a linear layer of llama.cpp's name: the same in every architecture that is served."""

assert tuple(PATHS) == LINEARS


class Switch:
    """Whether the LoRA acts."""

    on = False

    @contextmanager
    def active(self) -> Iterator[None]:
        self.on = True
        try:
            yield
        finally:
            self.on = False


class LoraLinear(nn.Module):
    """A frozen linear layer and two small factors beside it."""

    def __init__(self, linear: nn.Linear, switch: Switch, rank: int, alpha: float, generator: torch.Generator) -> None:
        super().__init__()
        self.linear = linear
        self.switch = switch
        self.scale = alpha / rank
        # As PEFT's "gaussian" start: the product is zero until the second factor has learned.
        a = torch.randn(rank, linear.in_features, generator=generator) / rank
        self.a = nn.Parameter(a.to(linear.weight.device))
        self.b = nn.Parameter(torch.zeros(linear.out_features, rank, device=linear.weight.device))

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        output = self.linear(rows)
        if not self.switch.on:
            return output
        return output + (rows @ self.a.to(rows.dtype).T) @ (self.b * self.scale).to(rows.dtype).T


def place_of(decoder: nn.Module, name: str) -> tuple[nn.Module | None, str]:
    """Where a linear layer of llama.cpp's name is: the part of the block that has it, None where there is none, and its name there."""
    _, block, linear, _ = name.split(".")
    part, last = PATHS[linear].split(".")
    return getattr(decoder.layers[int(block)], part, None), last


def add_lora(decoder: nn.Module, *, rank: int, alpha: float, seed: int) -> tuple[Switch, dict[str, LoraLinear]]:
    """Puts a LoRA beside every linear layer that a score hangs on. Returns them by llama.cpp's names.

    Raises TrainingError where the model keeps its linear layers elsewhere.
    """
    switch = Switch()
    generator = torch.Generator().manual_seed(seed)
    loras: dict[str, LoraLinear] = {}
    for name in lora_linears(len(decoder.layers)):
        parent, last = place_of(decoder, name)
        child = getattr(parent, last, None)
        if not isinstance(child, nn.Linear):
            _, block, linear, _ = name.split(".")
            raise TrainingError(f"The model has no linear layer {PATHS[linear]} in block {block}, so no module can be trained for it.")
        loras[name] = LoraLinear(child, switch, rank, alpha, generator)
        setattr(parent, last, loras[name])
    return switch, loras
