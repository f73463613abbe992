"""The policies that are compared, and what one prompt's scores make of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from longsight_training.measure.metrics import Measured, kept, mean_divergence, order_by, pool, rank_correlation, to_kv_heads
from longsight_training.measure.read import ReadBranch

SINKS = 4
"""streamingllm's first tokens."""
SNAPKV_KERNEL = 7
KERNELS = (7, 3, 1)
"""snapkv and every module are measured with max-pool 7, with 3 and with none, a module beside that with its own kernel."""

ORACLE, UNTRAINED, SNAPKV, H2O, TOVA, STREAMING, RANDOM = "oracle", "untrained", "snapkv", "h2o", "tova", "streamingllm", "random"


@dataclass(frozen=True)
class Policy:
    """One row of the table."""

    name: str
    """What it is known by in the results, for example "snapkv" or "trained, no pooling"."""
    module: str | None
    """Name of the module that gives the scores: of a trained one, or "untrained"."""
    kernel: int
    """Width of the max-pool before the selection; 1 for none."""
    largest: bool = False
    """Whether a KV head gets the largest score of its query heads instead of their mean, as the engine takes."""
    is_variant: bool = False
    """Whether it is another's scores used in a way that nobody proposes: to see how much the choice matters."""


def pooled_policies(source: str, own_kernel: int, module: str | None) -> tuple[Policy, ...]:
    """The rows of a source of scores: with its own kernel first, known by the source's name alone."""
    kernels = dict.fromkeys((own_kernel, *KERNELS))
    names = {kernel: source if kernel == own_kernel else f"{source}, {_pooling(kernel)}" for kernel in kernels}
    proposed = (own_kernel, SNAPKV_KERNEL, 1)
    return tuple(Policy(name, module, kernel, is_variant=kernel not in proposed) for kernel, name in names.items())


def module_policies(module: str, own_kernel: int) -> tuple[Policy, ...]:
    """A module's rows."""
    return (*pooled_policies(module, own_kernel, module), Policy(f"{module}, largest of a head group", module, own_kernel, largest=True, is_variant=True))


def plain_policies() -> tuple[Policy, ...]:
    """The rows that no module is needed for."""
    others = (Policy(name, None, 1) for name in (H2O, TOVA, STREAMING, RANDOM, ORACLE))
    return (*pooled_policies(SNAPKV, SNAPKV_KERNEL, None), *others)


def _pooling(kernel: int) -> str:
    return "no pooling" if kernel == 1 else f"max-pool {kernel}"


def measure_plain(read: ReadBranch, kv_heads: int, seed: tuple[int, ...]) -> Iterator[tuple[str, Measured]]:
    """Figures of every policy without a module, by name. seed: of the random one, other for each prompt."""
    yield from measure_source(read.truth, read.snapkv, kv_heads, pooled_policies(SNAPKV, SNAPKV_KERNEL, None))
    # One set for a layer: every head has the mean of all.
    tova = np.repeat(read.tova.mean(axis=1, keepdims=True), read.tova.shape[1], axis=1)
    for name, scores in ((H2O, read.h2o), (TOVA, tova), (ORACLE, read.truth)):
        yield from measure_source(read.truth, scores, kv_heads, (Policy(name, None, 1),))
    truth = to_kv_heads(read.truth, kv_heads)
    yield STREAMING, Measured(*kept(truth, np.broadcast_to(streaming_order(read.tokens), truth.shape)))
    yield RANDOM, Measured(*kept(truth, order_by(np.random.default_rng(seed).random(truth.shape, dtype=np.float32))))


def measure_source(
    truth: np.ndarray, scores: np.ndarray, kv_heads: int, policies: Sequence[Policy]
) -> Iterator[tuple[str, Measured]]:
    """Figures of policies that differ in what they make of the same scores. Both: (layers, query heads, tokens); the truth is never pooled."""
    kv_truth, kl_per_head = to_kv_heads(truth, kv_heads), mean_divergence(truth, scores)
    for largest in dict.fromkeys(policy.largest for policy in policies):
        kv_scores = to_kv_heads(scores, kv_heads, largest=largest)
        kl = mean_divergence(kv_truth, kv_scores)
        for policy in (one for one in policies if one.largest == largest):
            pooled = pool(kv_scores, policy.kernel)
            recall, mass = kept(kv_truth, order_by(pooled))
            yield policy.name, Measured(recall, mass, rank_correlation(kv_truth, pooled), kl, kl_per_head)


def streaming_order(tokens: int) -> np.ndarray:
    """The first tokens, then the most recent ones backwards."""
    return np.concatenate([np.arange(min(SINKS, tokens)), np.arange(tokens - 1, SINKS - 1, -1)])
