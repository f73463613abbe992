"""What a run has learned so far, without its base."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from pathlib import Path

import torch

from longsight_training.errors import TrainingError


@dataclass(frozen=True)
class Checkpoint:
    """The part of a checkpoint that a module is made of."""

    learned: dict[str, torch.Tensor]
    """float32, by the names of learn/objective.py."""
    step: int
    longest: int
    """Tokens of the longest prompt so far."""
    sha256: str
    """Of the file that was read: a run that goes on writes another."""


def read_checkpoint(path: Path) -> Checkpoint:
    """Raises TrainingError where it is missing or damaged."""
    if not path.is_file():
        raise TrainingError(f"There is no checkpoint yet: {path} is missing. Train first.")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise TrainingError(f"{path} could not be read ({error.strerror}).") from error
    try:
        state = torch.load(io.BytesIO(data), map_location="cpu", weights_only=True)
        learned = {str(name): tensor.detach().float() for name, tensor in state["learned"].items()}
        return Checkpoint(learned, int(state["step"]), int(state["longest"]), hashlib.sha256(data).hexdigest())
    except Exception as error:  # whatever torch meets in a damaged file
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise TrainingError(f"{path} is damaged ({reason}). Remove it and train anew.") from error
