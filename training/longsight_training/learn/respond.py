"""The model's own responses, greedy, a group's branches at a time."""

from __future__ import annotations

import torch

from longsight_training.learn.groups import Branch, Group
from longsight_training.model.attention import Keys
from longsight_training.model.load import LoadedBase
from longsight_training.model.passes import read_prefix, read_rows


@torch.no_grad()
def respond(base: LoadedBase, group: Group, *, most: int, ends: frozenset[int], prefix: Keys | None = None) -> Group:
    """The group with the responses that the model gives: up to `most` tokens, the end's token included.

    prefix: of the group's beginning, where it was read already.
    """
    prefix = prefix or read_prefix(base, group.prefix)
    start = len(group.prefix)
    first = torch.full((len(group.branches),), start, device=base.device)
    lengths = torch.tensor([len(branch.question) for branch in group.branches], device=base.device)
    asked, hidden = read_rows(base, [prefix], [branch.question for branch in group.branches], first)
    tokens = base.head(hidden[torch.arange(len(group.branches)), lengths - 1]).argmax(dim=-1)
    responses: list[list[int]] = [[] for _ in group.branches]
    running = [True] * len(responses)
    written: Keys | None = None
    for step in range(most):
        for index, token in enumerate(tokens.tolist()):
            if running[index]:
                responses[index].append(token)
                running[index] = token not in ends
        if not any(running) or step + 1 == most:
            break
        segments = [prefix, asked] if written is None else [prefix, asked, written]
        kept, hidden = read_rows(base, segments, [[token] for token in tokens.tolist()], start + lengths + step)
        written = kept if written is None else _join(written, kept)
        tokens = base.head(hidden[:, 0]).argmax(dim=-1)
    branches = tuple(Branch(branch.question, tuple(response), branch.kind) for branch, response in zip(group.branches, responses))
    return Group(group.name, group.source, group.prefix, branches)


def _join(left: Keys, right: Keys) -> Keys:
    layers = {
        layer: (torch.cat([keys, right.layers[layer][0]], dim=2), torch.cat([values, right.layers[layer][1]], dim=2))
        for layer, (keys, values) in left.layers.items()
    }
    return Keys(torch.cat([left.positions, right.positions], dim=1), torch.cat([left.valid, right.valid], dim=1), layers)
