"""What a run has learned so far, without its base."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from longsight_training.errors import TrainingError


@dataclass(frozen=True)
class Checkpoint:
    """The part of a checkpoint that a module is made of."""

    learned: dict[str, np.ndarray]
    """float32, by the names of learn/objective.py."""
    step: int
    longest: int
    """Tokens of the longest prompt so far."""


def read_checkpoint(path: Path) -> Checkpoint:
    """Raises TrainingError where it is missing or damaged."""
    if not path.is_file():
        raise TrainingError(f"There is no checkpoint {path}. Train first.")
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
        learned = {str(name): tensor.detach().float().numpy() for name, tensor in state["learned"].items()}
        return Checkpoint(learned, int(state["step"]), int(state["longest"]))
    except Exception as error:  # whatever torch meets in a damaged file
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise TrainingError(f"{path} is damaged ({reason}). Remove it and train anew.") from error
