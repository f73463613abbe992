"""The objective (paper: section 1.2 of the notes; KL of L1-normalised scores over the prompt's columns)."""

from __future__ import annotations

import torch


def normalise(scores: torch.Tensor, valid: torch.Tensor) -> torch.Tensor:
    """Scores that sum to 1 over the valid columns. scores: (batch, heads, columns) of at least 0; valid: (batch, columns)."""
    masked = scores * valid[:, None, :]
    return masked / masked.sum(dim=-1, keepdim=True).clamp_min(1e-12)


def divergence(truth: torch.Tensor, predicted: torch.Tensor, valid: torch.Tensor) -> torch.Tensor:
    """KL(truth ‖ predicted) in nats for each branch and head, shape (batch, heads).

    Both of shape (batch, heads, columns), not yet normalised; valid: (batch, columns), False for padding.
    """
    truth = normalise(truth, valid)
    predicted = normalise(predicted, valid)
    # Where the truth is zero a column adds nothing, whatever was predicted.
    floor = 1e-12
    return (truth * (truth.clamp_min(floor).log() - predicted.clamp_min(floor).log())).sum(dim=-1)
