"""Whether a base can read a group that stands in a file."""

from __future__ import annotations

from pathlib import Path

from longsight_training.errors import TrainingError
from longsight_training.learn.groups import Group
from longsight_training.model.load import LoadedBase


def check_group(group: Group, path: Path, base: LoadedBase, rows: int) -> None:
    """Raises TrainingError where the base cannot read the group and so many lookahead rows behind it."""
    vocabulary = base.decoder.embed_tokens.num_embeddings
    for branch in group.branches:
        tokens = (*group.prefix, *branch.question, *branch.response)
        if not all(type(token) is int and 0 <= token < vocabulary for token in tokens):
            raise TrainingError(f"{path}: the group {group.name} is not in this model's tokens. Write it with this base.")
        if not branch.question:
            raise TrainingError(f"{path}: the group {group.name} has a prompt without a question.")
        if len(tokens) + rows > base.context_length:
            raise TrainingError(f"{path}: {group.name} has {len(tokens)} tokens, too many for the model's {base.context_length}.")
