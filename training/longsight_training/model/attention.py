"""The attention that every pass of ours runs through: it keeps keys, and it tells how much its rows look at each key.

It is registered with transformers, whose own modules compute everything else. So an architecture works here as soon as its
attention goes through transformers' interface and its positions are rotated into the keys.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import torch
from transformers import AttentionInterface, AttentionMaskInterface
from torch.nn.functional import scaled_dot_product_attention

from longsight_training.errors import TrainingError

NAME = "longsight"


@dataclass
class Keys:
    """Keys and values that later rows may look at, layer by layer."""

    positions: torch.Tensor
    """Of shape (batch, keys); a batch of 1 is shared by every branch."""
    valid: torch.Tensor
    """Of the same shape: False for padding, which no row sees."""
    layers: dict[int, tuple[torch.Tensor, torch.Tensor]] = field(default_factory=dict)
    """Of shape (batch, KV heads, keys, head size); rotated."""

    def select(self, columns: slice, valid: torch.Tensor) -> Keys:
        """A part of the keys, some of them made invisible."""
        layers = {layer: (keys[:, :, columns], values[:, :, columns]) for layer, (keys, values) in self.layers.items()}
        return Keys(self.positions[:, columns], valid, layers)


ScoreListener = Callable[[int, torch.Tensor], None]
"""Gets the layer and the scores, float32 of shape (batch, kinds, heads, columns): a weighted sum over the rows of each kind.
The columns are those of the segments in their order, then the pass's own rows."""


@dataclass
class ReadPass:
    """Rows that see one another only (a prompt read from its beginning, batch 1). Their keys are kept."""

    kept: Keys


@dataclass
class RowsPass:
    """Rows behind keys that are there already. They see those, and one another in order."""

    segments: list[Keys]
    positions: torch.Tensor
    """Of the rows, shape (batch, rows)."""
    valid: torch.Tensor
    """Of the rows, same shape."""
    weights: torch.Tensor | None = None
    """Of shape (batch, kinds, rows): how much each row counts in each kind of score; None: no scores."""
    on_scores: ScoreListener | None = None
    kept: Keys | None = None
    """Where the rows' own keys are kept, if anywhere."""


def _attend(module, query, key, value, attention_mask, *, scaling, attention_pass, sliding_window=None, **others):
    """transformers' attention interface: query (batch, heads, rows, size), key and value (batch, KV heads, rows, size)."""
    for option in ("softcap", "s_aux"):
        if others.get(option) is not None:
            raise TrainingError(f"The model's attention uses “{option}”, which modules cannot be trained for yet.")
    layer = module.layer_idx
    if attention_pass.kept is not None:
        attention_pass.kept.layers[layer] = (key.detach(), value.detach())
    if isinstance(attention_pass, ReadPass):
        output = _read(query, key, value, scaling, sliding_window)
    else:
        output = _attend_rows(attention_pass, layer, query, key, value, scaling, sliding_window)
    return output.transpose(1, 2), None


def _read(query, key, value, scaling, sliding_window):
    rows = query.shape[2]
    mask = None
    if sliding_window is not None and sliding_window < rows:
        distance = torch.arange(rows, device=query.device)[:, None] - torch.arange(rows, device=query.device)
        mask = (distance >= 0) & (distance < sliding_window)
    return scaled_dot_product_attention(
        query, key, value, attn_mask=mask, is_causal=mask is None, scale=scaling, enable_gqa=query.shape[1] != key.shape[1]
    )


def _attend_rows(rows_pass: RowsPass, layer: int, query, key, value, scaling, sliding_window):
    batch, heads, rows, size = query.shape
    kv_heads = key.shape[1]
    group = heads // kv_heads
    grouped = query.reshape(batch, kv_heads, group * rows, size)
    segments = [(keys.positions, keys.valid, *keys.layers[layer]) for keys in rows_pass.segments]
    segments.append((rows_pass.positions, rows_pass.valid, key, value))
    logits = []
    for index, (positions, valid, keys, _) in enumerate(segments):
        part = _by_shared(grouped * scaling, keys.transpose(-1, -2))
        own = index == len(segments) - 1
        # A shared segment lies before every row: only a window can hide its keys.
        if own or sliding_window is not None or not bool(valid.all()):
            hidden = _hidden(rows_pass.positions, positions, valid, own, sliding_window)
            part = part.reshape(batch, kv_heads, group, rows, -1).masked_fill(hidden[:, None, None], float("-inf"))
            part = part.reshape(batch, kv_heads, group * rows, -1)
        logits.append(part)
    weights = torch.softmax(torch.cat(logits, dim=-1), dim=-1, dtype=torch.float32)
    if rows_pass.weights is not None and rows_pass.on_scores is not None:
        by_head = weights.reshape(batch, heads, rows, -1)
        rows_pass.on_scores(layer, torch.einsum("bkr,bhrn->bkhn", rows_pass.weights, by_head))
    output = 0
    for part, (_, _, _, values) in zip(weights.split([keys.shape[2] for _, _, keys, _ in segments], dim=-1), segments):
        output = output + _by_shared(part.to(value.dtype), values)
    return output.reshape(batch, heads, rows, size)


def _by_shared(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """left @ right, where a right side of batch 1 serves every branch of the left one in one product."""
    if right.shape[0] == left.shape[0]:
        return left @ right
    batch, kv_heads, rows, _ = left.shape
    joined = left.transpose(0, 1).reshape(kv_heads, batch * rows, -1)
    return (joined @ right[0]).view(kv_heads, batch, rows, -1).transpose(0, 1)


def _hidden(row_positions, key_positions, valid, own: bool, sliding_window) -> torch.Tensor:
    """Of shape (batch, rows, keys): which keys a row does not see."""
    distance = row_positions[:, :, None] - key_positions[:, None, :]
    hidden = ~valid[:, None, :].expand_as(distance)
    if own:
        hidden = hidden | (distance < 0)
        # Rows that are padding see themselves: a row that sees nothing is not a number.
        hidden = hidden & ~torch.eye(distance.shape[1], dtype=torch.bool, device=distance.device)
    if sliding_window is not None:
        hidden = hidden | (distance >= sliding_window)
    return hidden


AttentionInterface.register(NAME, _attend)
# Masks are made here, from positions; transformers need not make one.
AttentionMaskInterface.register(NAME, lambda *_, **__: None)
