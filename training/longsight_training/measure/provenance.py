"""Where figures come from: digests of the files, and the machine."""

from __future__ import annotations

import hashlib
import os
import platform
from pathlib import Path

import torch
import transformers

from longsight_training.errors import TrainingError

BLOCK = 1 << 20
WEIGHTS = ("*.safetensors", "*.bin", "config.json")
"""Of a Hugging Face folder: the files that its model hangs on."""


def sha256_of(path: str | Path) -> str:
    """Of a file, or of a model's folder: then over its files' names and digests. Raises TrainingError where it cannot be read."""
    path = Path(path)
    digest = hashlib.sha256()
    try:
        if path.is_dir():
            for file in sorted(file for pattern in WEIGHTS for file in path.glob(pattern)):
                digest.update(f"{file.name} {sha256_of(file)}\n".encode())
            return digest.hexdigest()
        with path.open("rb") as file:
            while block := file.read(BLOCK):
                digest.update(block)
    except OSError as error:
        raise TrainingError(f"{path} could not be read ({error.strerror}).") from error
    return digest.hexdigest()


def describe_machine(device: torch.device) -> dict[str, str | int]:
    """What the time of a measurement hangs on. Nothing in it names the machine or its owner."""
    machine: dict[str, str | int] = {
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "cores": os.cpu_count() or 0,
        "threads": torch.get_num_threads(),
        "python": platform.python_version(),
        "torch": torch.__version__,
        "transformers": transformers.__version__,
    }
    if device.type == "cuda":
        machine["gpu"] = torch.cuda.get_device_name(device)
    return machine


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return platform.processor() or "unknown"
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or "unknown")
