"""What is measured of one prompt: how much of the truth a policy keeps, and how alike the two are.

Scores are float arrays of shape (layers, heads, tokens); an order is an int array of the same shape, the best token first.
Nothing is protected here: every token of the prompt may be chosen, or not.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from scipy.ndimage import maximum_filter1d
from scipy.stats import kendalltau

from longsight_training.learn.loss import divergence

BUDGETS = (16, 32, 64, 128, 256, 512)


@dataclass(frozen=True)
class Measured:
    """One policy's figures for one prompt, each averaged over layers and heads."""

    recall: dict[int, float]
    """By budget K, for those below the prompt's length: the share of the truth's K best tokens among the policy's K best."""
    mass: dict[int, float]
    """By the same budgets: the share of the response's attention to the prompt that falls on the policy's K best tokens."""
    tau: float | None = None
    """Kendall's τ-b over all tokens of the prompt; None for policies without scores."""
    kl: float | None = None
    """KL(truth ‖ scores) in nats, for each KV head, before pooling."""
    kl_per_head: float | None = None
    """The same for each query head: the training's objective."""


def to_kv_heads(scores: np.ndarray, kv_heads: int, *, largest: bool = False) -> np.ndarray:
    """The mean over the query heads that share a KV head, or the largest of them."""
    layers, heads, tokens = scores.shape
    groups = scores.reshape(layers, kv_heads, heads // kv_heads, tokens)
    return groups.max(axis=2) if largest else groups.mean(axis=2)


def pool(scores: np.ndarray, kernel: int) -> np.ndarray:
    """Max-pool over the tokens, stride 1, as many scores as before; an odd kernel, 1 for none."""
    return maximum_filter1d(scores, kernel, axis=-1, mode="constant", cval=-np.inf)


def order_by(scores: np.ndarray) -> np.ndarray:
    """The tokens by falling score, of equal ones the earlier first, as the engine selects them."""
    return np.argsort(-scores, axis=-1, kind="stable")


def kept(truth: np.ndarray, order: np.ndarray) -> tuple[dict[int, float], dict[int, float]]:
    """Recall and mass by budget. truth: (layers, KV heads, tokens), not yet normalised."""
    tokens = truth.shape[-1]
    budgets = [budget for budget in BUDGETS if budget < tokens]
    places = np.empty_like(order)
    np.put_along_axis(places, order_by(truth), np.broadcast_to(np.arange(tokens), order.shape), axis=-1)
    chosen = order[..., : max(budgets, default=0)]
    true_places = np.take_along_axis(places, chosen, axis=-1)
    # A response may look at itself alone.
    shares = truth / np.maximum(truth.sum(axis=-1, keepdims=True, dtype=np.float64), 1e-30)
    sums = np.take_along_axis(shares, chosen, axis=-1).cumsum(axis=-1)
    recall = {budget: float((true_places[..., :budget] < budget).mean()) for budget in budgets}
    return recall, {budget: float(sums[..., budget - 1].mean()) for budget in budgets}


def rank_correlation(truth: np.ndarray, scores: np.ndarray) -> float:
    """Kendall's τ-b, averaged over layers and heads. Where all scores of a head are equal it tells no order, and counts as 0."""
    tokens = truth.shape[-1]
    pairs = zip(truth.reshape(-1, tokens), scores.reshape(-1, tokens), strict=True)
    found = [float(kendalltau(true, predicted, variant="b", method="asymptotic").statistic) for true, predicted in pairs]
    return sum(0.0 if math.isnan(value) else value for value in found) / len(found)


def mean_divergence(truth: np.ndarray, scores: np.ndarray) -> float:
    """KL(truth ‖ scores) of both normalised over the prompt, in nats, averaged over layers and heads."""
    every = torch.ones(truth.shape[0], truth.shape[-1], dtype=torch.bool)
    # The layers stand in for the branches of a batch.
    return float(divergence(torch.from_numpy(truth), torch.from_numpy(scores), every).mean())
