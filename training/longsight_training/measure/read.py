"""The passes of one group: the truth and every policy's scores, as the base's attention gives them.

The shared beginning is read once, in chunks of rows whose attention is summed for h2o. Its last tokens are read again with each
question, since snapkv's window may reach into them. Memory: rows of a chunk or branch × tokens of the prompt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import torch

from longsight_training.learn.groups import Branch
from longsight_training.model.attention import Keys
from longsight_training.model.load import LoadedBase
from longsight_training.model.passes import look_ahead, read_rows

WINDOW = 32
"""Rows of snapkv's window (the paper's baselines: window 32, max-pool 7)."""
CHUNK = 256
"""Rows of the shared text that are read at once."""


@dataclass
class Shared:
    """The beginning of a group's prompts, read."""

    keys: Keys
    sums: dict[int, torch.Tensor]
    """By scored layer: each column's attention summed over the rows read, (heads, tokens)."""
    tail: tuple[int, ...]
    """Tokens of the beginning that are left for each branch to read."""


@dataclass
class ReadBranch:
    """One prompt, read to the end of its response. Scores are float32 arrays (scored layers, heads, tokens of the prompt)."""

    tokens: int
    segments: list[Keys] = field(repr=False)
    """The prompt's keys."""
    truth: np.ndarray
    """The response rows' mean attention (paper: eq. 1)."""
    snapkv: np.ndarray
    """The last 32 prompt rows' mean attention, their own columns included."""
    tova: np.ndarray
    """The last prompt row's attention."""
    h2o: np.ndarray
    """All prompt rows' attention: a column's sum ÷ the number of rows that see the column."""


@torch.no_grad()
def read_shared(base: LoadedBase, prefix: Sequence[int], *, chunk: int = CHUNK) -> Shared:
    """Reads all of the beginning but its last tokens."""
    cut = max(0, len(prefix) - WINDOW)
    positions = torch.arange(cut, device=base.device)[None]
    valid = torch.ones_like(positions, dtype=torch.bool)
    keys = Keys(positions, valid)
    sums = {layer: torch.zeros(base.heads, cut, device=base.device) for layer in base.scored_layers}
    for at in range(0, cut, chunk):
        rows = prefix[at : min(cut, at + chunk)]

        def add(layer: int, scores: torch.Tensor) -> None:
            if layer in sums:
                sums[layer][:, : scores.shape[-1]] += scores[0, 0]

        before = [keys.select(slice(0, at), valid[:, :at])] if at else []
        weights = torch.ones(1, 1, len(rows), device=base.device)
        part, _ = read_rows(base, before, [rows], torch.tensor([at], device=base.device), weights=weights, on_scores=add)
        _append(keys, part, at)
    return Shared(keys, sums, tuple(prefix[cut:]))


def _append(whole: Keys, part: Keys, at: int) -> None:
    tokens = whole.positions.shape[1]
    for layer, tensors in part.layers.items():
        if layer not in whole.layers:
            whole.layers[layer] = tuple(tensor.new_empty(1, tensor.shape[1], tokens, tensor.shape[3]) for tensor in tensors)
        for target, tensor in zip(whole.layers[layer], tensors):
            target[:, :, at : at + tensor.shape[2]] = tensor


@torch.no_grad()
def read_branch(base: LoadedBase, shared: Shared, branch: Branch) -> ReadBranch:
    """Reads what is left of the prompt, and the response. One pass gives the scores of four kinds."""
    start = shared.keys.positions.shape[1]
    prompt = (*shared.tail, *branch.question)
    rows = len(prompt) + len(branch.response)
    tokens = start + len(prompt)
    weights = torch.zeros(1, 4, rows, device=base.device)
    weights[0, 0, len(prompt) :] = 1 / len(branch.response)
    window = min(WINDOW, len(prompt))
    weights[0, 1, len(prompt) - window : len(prompt)] = 1 / window
    weights[0, 2, len(prompt) - 1] = 1
    weights[0, 3, : len(prompt)] = 1
    found: dict[int, torch.Tensor] = {}

    def keep(layer: int, scores: torch.Tensor) -> None:
        if layer in shared.sums:
            found[layer] = scores[0, :, :, :tokens].clone()
            found[layer][3, :, :start] += shared.sums[layer]

    before = [shared.keys] if start else []
    first = torch.tensor([start], device=base.device)
    own, _ = read_rows(base, before, [(*prompt, *branch.response)], first, weights=weights, on_scores=keep)
    own = own.select(slice(0, len(prompt)), own.valid[:, : len(prompt)])
    truth, snapkv, tova, sums = _stack(base, found).swapaxes(0, 1)
    seen_by = np.arange(tokens, 0, -1, dtype=np.float32)
    return ReadBranch(tokens, [*before, own], truth, snapkv, tova, sums / seen_by)


@torch.no_grad()
def read_lookahead(base: LoadedBase, segments: list[Keys], tokens: int, embeddings: torch.Tensor) -> np.ndarray:
    """Scores of the lookahead rows behind a prompt of so many tokens, as ReadBranch has them. The caller puts the LoRA to work."""
    found: dict[int, torch.Tensor] = {}

    def keep(layer: int, scores: torch.Tensor) -> None:
        if layer in base.scored_layers:
            found[layer] = scores[0, 0, :, :tokens].clone()

    look_ahead(base, segments, embeddings, torch.tensor([tokens], device=base.device), keep)
    return _stack(base, found)


def _stack(base: LoadedBase, found: dict[int, torch.Tensor]) -> np.ndarray:
    return torch.stack([found[layer] for layer in base.scored_layers]).float().cpu().numpy()
