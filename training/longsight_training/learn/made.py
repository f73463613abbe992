"""What responses and runs were made with, so that nobody goes on with them by other settings unnoticed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from longsight_training.errors import TrainingError, reason_of
from longsight_training.learn.lengths import LengthMix
from longsight_training.learn.samples import data_files
from longsight_training.learn.settings import Settings

Made = Mapping[str, str]
"""By setting: its value, as people are shown it."""


def describe_base(path: Path, dtype: str) -> str:
    """What a base's keys hang on, as far as its name and size tell. Raises TrainingError where it is missing."""
    try:
        size = path.stat().st_size if path.is_file() else sum(part.stat().st_size for part in path.glob("*.safetensors"))
    except OSError as error:
        raise TrainingError(f"The base model {path} could not be read ({error.strerror}).") from error
    return f"{path.name} {size} {dtype}"


def describe_files(paths: Iterable[Path]) -> str:
    """How many files there are, and a digest of what they hold. Raises TrainingError where one cannot be read."""
    digest, count = hashlib.sha256(), 0
    for path in paths:
        count += 1
        try:
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        except OSError as error:
            raise TrainingError(f"{path} could not be read ({error.strerror}).") from error
    return f"{count} files {digest.hexdigest()[:12]}"


def describe_lengths(lengths: LengthMix) -> str:
    return " ".join(f"{share:g}:{least}-{most}" for share, least, most in lengths.parts)


def of_module(settings: Settings) -> Made:
    """What decides what a run's numbers mean. A base that is no longer there is left out: a module can be made without it."""
    return {
        **({"base": describe_base(settings.base, settings.dtype)} if settings.base.exists() else {}), "alpha": f"{settings.alpha:g}", "lora": str(settings.lora).lower(),
        "tokens": str(settings.tokens), "rank": str(settings.rank),
    }


def of_run(settings: Settings) -> Made:
    """What may not change while a run goes on: it decides what is drawn, and what the steps before were."""
    return {
        **of_module(settings), "start": "nothing" if settings.start is None else describe_files([settings.start]), "seed": str(settings.seed), "branches": str(settings.branches),
        "groups_per_step": str(settings.groups_per_step), "facts_share": f"{settings.facts_share:g}",
        "data_share": f"{settings.data_share:g}", "without": " ".join(sorted(settings.without)),
        "data": describe_files(data_files(settings.data)),
    }


def changeable(settings: Settings) -> Made:
    """What may change on purpose, and is then said: more to learn from, another end, other rates."""
    return {
        "responses": describe_files(settings.responses), "validation": describe_files(settings.validation), "pool": str(settings.pool),
        "lengths": describe_lengths(settings.lengths), "steps": str(settings.steps), "decay": str(settings.decay),
        "warm_up": str(settings.warm_up), "learning_rate": f"{settings.learning_rate:g}", "embedding_rate": f"{settings.embedding_rate:g}",
    }


def parse_made(value: object) -> Made:
    """As a checkpoint has it; those of before had one text. Raises ValueError where it is something else."""
    if isinstance(value, str):
        base, alpha, lora = value.rsplit(", ", 2)
        return {"base": base, "alpha": alpha.removeprefix("alpha "), "lora": lora.removeprefix("lora ")}
    if not isinstance(value, dict):
        raise ValueError("nobody can tell what it was made with")
    return {str(name): str(part) for name, part in value.items()}


def check_made(path: Path, before: Made, now: Made) -> None:
    """Raises TrainingError where a checkpoint was made with other settings."""
    if changed := differences(before, now):
        raise TrainingError(f"{path} was made with other settings: {changed}. Change them back, or remove it to begin anew.")


def differences(before: Made, now: Made) -> str:
    """What is not as it was, in words; empty where nothing is. What is not known of before is not compared."""
    return ", ".join(f"{name} “{before[name]}”, now “{value}”" for name, value in now.items() if before.get(name, value) != value)


def read_made(path: Path) -> Made | None:
    """From a JSON file; None where there is none. Raises TrainingError where it is damaged."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(value, dict):
            raise ValueError("no object")
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as error:
        raise TrainingError(f"{path} could not be read ({reason_of(error)}). It says what the file beside it was made with; remove both to begin anew.") from error
    return {str(name): str(part) for name, part in value.items()}
