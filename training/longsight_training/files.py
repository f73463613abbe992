"""Files that are whole or not there."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from longsight_training.errors import TrainingError


def not_written(path: str | Path, error: OSError) -> TrainingError:
    """What people are told where a file cannot be written."""
    return TrainingError(f"{path} could not be written ({error.strerror}). Check the folder and the disk.")


@contextlib.contextmanager
def beside(path: str | Path) -> Iterator[Path]:
    """A path to write to, in the file's folder; it takes the file's place when all is written, and is removed otherwise.

    Raises TrainingError with what to do where the file cannot be written.
    """
    target = Path(path)
    fresh = target.with_name(f".{target.name}.new-{os.getpid()}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        yield fresh
        os.replace(fresh, target)
    except OSError as error:
        raise not_written(target, error) from error
    finally:
        with contextlib.suppress(OSError):
            fresh.unlink()


def write_beside(path: str | Path, data: bytes) -> None:
    """Writes a whole file. Raises TrainingError as beside does."""
    with beside(path) as fresh:
        fresh.write_bytes(data)
