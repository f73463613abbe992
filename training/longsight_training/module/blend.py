"""A module between two of one run: what both learned stays, and what each learned alone is shared out."""

from __future__ import annotations

import dataclasses

from longsight_training.errors import TrainingError
from longsight_training.module.base import difference, likeness_of
from longsight_training.module.file import Lora, Module


def blended(earlier: Module, later: Module, share: float) -> Module:
    """Every number is (1 - share) of the earlier module's and share of the later one's.

    The way from a model to what it became by more training on other data mostly leads over models that are good at both (WiSE-FT,
    arXiv 2109.01903). That holds for states of one run, not for runs of different seeds. The factors of a LoRA are taken one by one, as
    training moves them. The file says the earlier one's steps, which all of the module has behind it, the later one's date, and the longest
    prompt of both.

    Raises TrainingError where the two are not of one base and one make.
    """
    if not 0 <= share <= 1:
        raise TrainingError(f"The later module's share is {share:g}; it must be from 0 to 1.")
    odd = difference(likeness_of(earlier.base), likeness_of(later.base))
    if odd is not None:
        raise TrainingError(f"The two modules are for different models: {odd} differs.")
    makes = [_make(module) for module in (earlier, later)]
    for what, value in makes[0].items():
        if makes[1][what] != value:
            raise TrainingError(f"The two modules are of different makes: {what} is {value:g} and {makes[1][what]:g}.")

    def between(one, other):
        return (1 - share) * one + share * other

    return dataclasses.replace(
        earlier,
        embeddings=between(earlier.embeddings, later.embeddings),
        loras={name: Lora(between(earlier.loras[name].a, lora.a), between(earlier.loras[name].b, lora.b)) for name, lora in later.loras.items()},
        training=dataclasses.replace(
            earlier.training, date=later.training.date, length=max(earlier.training.length, later.training.length)
        ),
    )


def _make(module: Module) -> dict[str, float]:
    """What two modules of one run have in common, in words."""
    return {
        "the number of embeddings": len(module.embeddings),
        "the pool kernel": module.pool_kernel,
        "the LoRA's alpha": module.alpha,
        "its rank": next(iter(module.loras.values())).a.shape[0],
    }
