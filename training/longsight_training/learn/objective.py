"""The loss of one group, and its gradient."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import nn

from longsight_training.learn.groups import Branch, Group
from longsight_training.learn.loss import divergence
from longsight_training.model.attention import Keys
from longsight_training.model.load import LoadedBase
from longsight_training.model.lora import LoraLinear, Switch, add_lora
from longsight_training.model.passes import look_ahead, read_prefix, read_rows

ROW_BYTES = 2 << 30
"""Roughly what the attention weights kept for one backward pass may take: more branches are done in parts."""


class Lookahead(nn.Module):
    """All that is learned: the embeddings, and the LoRA that now lies in the base."""

    def __init__(self, base: LoadedBase, embeddings: torch.Tensor, *, rank: int, alpha: float, seed: int) -> None:
        """embeddings: (tokens, width), as the first layer sees them."""
        super().__init__()
        self.embeddings = nn.Parameter(embeddings.to(base.device, torch.float32))
        self.rank, self.alpha = rank, alpha
        self.switch, loras = add_lora(base.decoder, rank=rank, alpha=alpha, seed=seed)
        # Names with dots cannot stand in a ModuleDict.
        self._loras = nn.ModuleDict({name.replace(".", "/"): lora for name, lora in loras.items()})

    def loras(self) -> dict[str, LoraLinear]:
        return {name.replace("/", "."): lora for name, lora in self._loras.items()}

    def learned(self) -> dict[str, torch.Tensor]:
        """The learned numbers by name, without the base's."""
        numbers = {"embeddings": self.embeddings}
        for name, lora in self.loras().items():
            numbers[f"{name}.lora_a"], numbers[f"{name}.lora_b"] = lora.a, lora.b
        return numbers

    @torch.no_grad()
    def load_learned(self, numbers: dict[str, torch.Tensor]) -> None:
        for name, parameter in self.learned().items():
            parameter.copy_(numbers[name])


@dataclass
class Truth:
    """What a group's responses really look at."""

    prefix: Keys
    questions: Keys
    lengths: torch.Tensor
    """Of each prompt, in tokens."""
    valid: torch.Tensor
    """Of shape (batch, columns): which columns are the branch's prompt."""
    scores: dict[int, torch.Tensor]
    """By layer: the response rows' mean attention, (batch, heads, columns)."""


def ground_truth(base: LoadedBase, prefix: Keys, branches: tuple[Branch, ...]) -> Truth:
    """Reads questions and responses without the LoRA (paper: eq. 1)."""
    start = prefix.positions.shape[1]
    lengths = [len(branch.question) for branch in branches]
    longest = max(lengths)
    rows = [(*branch.question, *branch.response) for branch in branches]
    weights = torch.zeros(len(branches), 1, max(map(len, rows)), device=base.device)
    for index, branch in enumerate(branches):
        weights[index, 0, lengths[index] : lengths[index] + len(branch.response)] = 1 / len(branch.response)
    scores: dict[int, torch.Tensor] = {}

    def keep(layer: int, found: torch.Tensor) -> None:
        if layer in base.scored_layers:
            scores[layer] = found[:, 0, :, : start + longest].clone()

    first = torch.full((len(branches),), start, device=base.device)
    kept, _ = read_rows(base, [prefix], rows, first, weights=weights, on_scores=keep)
    asked = torch.tensor(lengths, device=base.device)
    is_question = torch.arange(longest, device=base.device)[None] < asked[:, None]
    valid = torch.cat([prefix.valid.expand(len(branches), -1), is_question], dim=1)
    return Truth(prefix, kept.select(slice(0, longest), is_question), start + asked, valid, scores)


def predicted_loss(base: LoadedBase, lookahead: Lookahead, truth: Truth) -> torch.Tensor:
    """KL between truth and prediction for each branch, averaged over layers and heads. Shape (batch)."""
    losses = []

    def compare(layer: int, scores: torch.Tensor) -> None:
        if layer in truth.scores:
            losses.append(divergence(truth.scores[layer], scores[:, 0, :, : truth.valid.shape[1]], truth.valid).mean(dim=1))

    with lookahead.switch.active():
        look_ahead(base, [truth.prefix, truth.questions], lookahead.embeddings, truth.lengths, compare)
    return torch.stack(losses).mean(dim=0)


def prepare(base: LoadedBase, lookahead: Lookahead, group: Group) -> list[Truth]:
    """All of a group's work in which nothing is learned, in parts that fit into memory together with their gradient."""
    prefix = read_prefix(base, group.prefix)
    return [ground_truth(base, prefix, part) for part in in_parts(base, lookahead, group)]


def learn_truths(base: LoadedBase, lookahead: Lookahead, truths: list[Truth], weight: float) -> list[float]:
    """Adds a group's gradient, times the weight. Returns each branch's loss."""
    branches = sum(truth.lengths.shape[0] for truth in truths)
    losses: list[float] = []
    for truth in truths:
        loss = predicted_loss(base, lookahead, truth)
        (loss.sum() * (weight / branches)).backward()
        losses += loss.detach().tolist()
    return losses


def in_parts(base: LoadedBase, lookahead: Lookahead, group: Group) -> list[tuple[Branch, ...]]:
    """The branches, a few at a time where the prompt is so long that all would not fit in memory."""
    for_one = len(base.decoder.layers) * base.heads * lookahead.embeddings.shape[0] * group.longest_prompt * 10
    count = max(1, ROW_BYTES // for_one)
    return [group.branches[at : at + count] for at in range(0, len(group.branches), count)]
