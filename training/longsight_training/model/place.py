"""Where the numbers are computed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch

from longsight_training.errors import TrainingError


@contextmanager
def computing_on(device: str, threads: int = 0) -> Iterator[None]:
    """For work on a device, such as "cpu" or "cuda:1". threads: of the CPU; 0: as PyTorch chooses.

    Raises TrainingError where the device is not there, or has too little memory for the work.
    """
    try:
        if torch.empty(0, device=device).is_meta:
            raise NotImplementedError("it computes nothing")
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        reason = str(error).partition("\n")[0]
        advice = "Choose cpu, or cuda where PyTorch sees a GPU."
        raise TrainingError(f"The device “{device}” cannot be used ({reason}). {advice}") from error
    if threads > 0:
        torch.set_num_threads(threads)
    try:
        yield
    except (torch.OutOfMemoryError, MemoryError, RuntimeError) as error:
        # The CPU's allocator raises a plain RuntimeError.
        if not isinstance(error, (torch.OutOfMemoryError, MemoryError)) and "can't allocate memory" not in str(error):
            raise
        raise TrainingError(f"The memory of “{device}” does not suffice. Use shorter prompts, fewer branches, or bfloat16.") from error
