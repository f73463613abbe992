"""A run's log: the loss of every step, and of the validation now and then."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from longsight_training.errors import TrainingError, reason_of
from longsight_training.measure.results import UNREADABLE, finite


@dataclass(frozen=True)
class RunLog:
    """By rising step; where a run went on from a checkpoint, steps done twice are there once, as they were done last."""

    losses: tuple[tuple[int, float], ...]
    validations: Mapping[str, tuple[tuple[int, float], ...]]
    """By the name of the file of prompts."""
    seconds: float
    """Spent learning, up to the last step."""


def read_run_log(path: str | Path) -> RunLog:
    """Raises TrainingError where the log is missing, damaged, or empty."""
    losses: dict[int, float] = {}
    validations: dict[str, dict[int, float]] = {}
    seconds = 0.0
    number = 0
    try:
        # What stands behind the last line's end is still being written.
        for number, line in enumerate(Path(path).read_text(encoding="utf-8").split("\n")[:-1], 1):
            value = json.loads(line)
            step = int(finite(value["step"]))
            if "loss" in value:
                losses[step] = finite(value["loss"])
            for name, loss in value.get("validation", {}).items():
                validations.setdefault(name, {})[step] = finite(loss)
            seconds = finite(value.get("seconds", seconds))
    except (OSError, *UNREADABLE) as error:
        place = f"line {number}: " if number > 0 else ""
        raise TrainingError(f"{path} could not be read as a run's log ({place}{reason_of(error)}). Give the log.jsonl of a run.") from error
    if not losses and not validations:
        raise TrainingError(f"{path} holds no steps. Give the log.jsonl of a run that has begun.")
    by_name = {name: tuple(sorted(found.items())) for name, found in validations.items()}
    return RunLog(tuple(sorted(losses.items())), by_name, seconds)


def smooth(points: Sequence[tuple[int, float]], width: int) -> list[tuple[int, float]]:
    """The mean of up to `width` points around each, fewer at the ends and as many on either side."""
    smoothed = []
    for index, (step, _) in enumerate(points):
        reach = min(width // 2, index, len(points) - 1 - index)
        near = points[index - reach : index + reach + 1]
        smoothed.append((step, sum(value for _, value in near) / len(near)))
    return smoothed
