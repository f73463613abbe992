"""Files that are whole or not there."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from longsight_training.errors import TrainingError


def write_beside(path: str | Path, data: bytes) -> None:
    """Writes beside the place and renames. Raises TrainingError with what to do where it cannot."""
    target = Path(path)
    beside = target.with_name(f".{target.name}.new-{os.getpid()}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        beside.write_bytes(data)
        os.replace(beside, target)
    except OSError as error:
        raise TrainingError(f"{target} could not be written ({error.strerror}). Check the folder and the disk.") from error
    finally:
        with contextlib.suppress(OSError):
            beside.unlink()
