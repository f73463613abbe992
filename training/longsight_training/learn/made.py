"""What responses and runs were made with, so that nobody goes on with them by other settings unnoticed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from longsight_training.errors import TrainingError
from longsight_training.learn.lengths import LengthMix

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


def differences(before: Made, now: Made, names: Iterable[str] | None = None) -> str:
    """What is not as it was, in words; empty where nothing is. names: of what is compared, None: all."""
    compared = now if names is None else names
    return ", ".join(f"{name} “{before[name]}”, now “{now[name]}”" for name in compared if name in before and before[name] != now[name])


def read_made(path: Path) -> Made | None:
    """From a JSON file; None where there is none. Raises TrainingError where it is damaged."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(value, dict):
            raise ValueError("no object")
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as error:
        raise TrainingError(f"{path} could not be read ({error}). It says what the file beside it was made with; remove both to begin anew.") from error
    return {str(name): str(part) for name, part in value.items()}
