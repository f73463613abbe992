"""The passes of one group of samples: prompts that share their beginning, each with its own question and response.

The beginning is read once for all of them; this is most of the work. See learn/samples.py for what a group is.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch

from longsight_training.model.attention import Keys, ReadPass, RowsPass, ScoreListener
from longsight_training.model.load import LoadedBase

Ids = Sequence[int]


@torch.no_grad()
def read_prefix(base: LoadedBase, ids: Ids) -> Keys:
    """Keys of a prompt's shared beginning."""
    tokens = torch.tensor([list(ids)], device=base.device)
    positions = torch.arange(tokens.shape[1], device=base.device)[None]
    kept = Keys(positions, torch.ones_like(positions, dtype=torch.bool))
    _run(base, ReadPass(kept), positions, input_ids=tokens)
    return kept


@torch.no_grad()
def read_rows(
    base: LoadedBase, segments: list[Keys], rows: Sequence[Ids], first: torch.Tensor, *, weights: torch.Tensor | None = None,
    on_scores: ScoreListener | None = None,
) -> tuple[Keys, torch.Tensor]:
    """Reads each branch's own tokens behind the segments, without the LoRA.

    first: position of each branch's first token, shape (batch). Returns their keys and the last hidden rows (batch, rows, width).
    """
    longest = max(len(row) for row in rows)
    tokens = torch.zeros(len(rows), longest, dtype=torch.long, device=base.device)
    valid = torch.zeros(len(rows), longest, dtype=torch.bool, device=base.device)
    for index, row in enumerate(rows):
        tokens[index, : len(row)] = torch.tensor(list(row), device=base.device)
        valid[index, : len(row)] = True
    positions = first[:, None] + torch.arange(longest, device=base.device)
    kept = Keys(positions, valid)
    hidden = _run(base, RowsPass(segments, positions, valid, weights, on_scores, kept), positions, input_ids=tokens)
    return kept, hidden


def look_ahead(base: LoadedBase, segments: list[Keys], embeddings: torch.Tensor, first: torch.Tensor, on_scores: ScoreListener) -> None:
    """Runs the lookahead rows behind each branch's prompt. Gradients flow; the caller switches the LoRA on.

    embeddings: (tokens, width) in 32 bits; first: each prompt's length, shape (batch). Scores come as one kind: the rows' mean.
    """
    batch, count = first.shape[0], embeddings.shape[0]
    positions = first[:, None] + torch.arange(count, device=base.device)
    valid = torch.ones_like(positions, dtype=torch.bool)
    weights = torch.full((batch, 1, count), 1 / count, device=base.device)
    rows = embeddings.to(base.dtype)[None].expand(batch, -1, -1)
    _run(base, RowsPass(segments, positions, valid, weights, on_scores), positions, inputs_embeds=rows)


def _run(base: LoadedBase, attention_pass: ReadPass | RowsPass, positions: torch.Tensor, **inputs: torch.Tensor) -> torch.Tensor:
    return base.decoder(**inputs, position_ids=positions, use_cache=False, attention_pass=attention_pass).last_hidden_state
