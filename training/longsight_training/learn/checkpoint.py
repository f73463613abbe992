"""What a run has learned so far, without its base."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from pathlib import Path

import torch

from longsight_training.errors import TrainingError
from longsight_training.learn.made import Made, check_made, of_module, parse_made
from longsight_training.learn.settings import Settings
from longsight_training.module.base import BaseFile, Likeness, difference, likeness_of


@dataclass(frozen=True)
class Checkpoint:
    """The part of a checkpoint that a module is made of."""

    learned: dict[str, torch.Tensor]
    """float32, by the names of learn/objective.py."""
    step: int
    longest: int
    """Tokens of the longest prompt so far."""
    made: Made
    """What it was made with, as far as it says so."""
    likeness: Likeness
    """Of its base, as far as it says so."""
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
        made, likeness = parse_made(state.get("made", {})), dict(state.get("likeness", {}))
        return Checkpoint(learned, int(state["step"]), int(state["longest"]), made, likeness, hashlib.sha256(data).hexdigest())
    except Exception as error:  # whatever torch meets in a damaged file
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise TrainingError(f"{path} is damaged ({reason}). Remove it and train anew.") from error


def check_checkpoint(path: Path, checkpoint: Checkpoint, settings: Settings, base: Likeness, base_path: Path) -> None:
    """Raises TrainingError where a module of the checkpoint would be another than was learned: by other settings, or for another base."""
    check_made(path, checkpoint.made, of_module(settings))
    learned_for = checkpoint.likeness
    if not learned_for and settings.base.is_file() and settings.base.resolve() != base_path.resolve():
        learned_for = likeness_of(BaseFile(settings.base).describe())
    if (what := difference(learned_for, base)) is not None:
        raise TrainingError(f"{path} was learned for {settings.base.name}, not for {base_path.name}: they differ in {what}. Give the base of the run.")
