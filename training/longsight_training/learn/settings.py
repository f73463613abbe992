"""One run, as its YAML file says it."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path

import yaml

from longsight_training.errors import TrainingError
from longsight_training.learn.lengths import DEFAULT_LENGTHS, LengthMix


DTYPES = ("float32", "bfloat16")


@dataclass(frozen=True)
class Settings:
    """Paths are relative to the YAML file. README.md has what each means."""

    base: Path
    data: Path
    run: Path
    """Folder of checkpoints and the log."""
    without: tuple[str, ...] = ()
    responses: tuple[Path, ...] = ()
    """Files of groups that “respond” wrote."""
    validation: tuple[Path, ...] = ()
    facts_share: float = 0.5
    data_share: float = 0.0
    """Of groups with the data set's own responses; what is left comes from `responses`."""
    lengths: LengthMix = DEFAULT_LENGTHS
    branches: int = 10
    pool: int = 0
    """How many different groups are learned from, over and over; 0: each is new."""
    prepared: Path | None = None
    """Folder where the pool's keys and truths are kept, so that only the first time costs a whole reading (README.md says how
    large it grows)."""
    tokens: int = 32
    rank: int = 8
    alpha: float = 32.0
    lora: bool = True
    pool_kernel: int = 1
    seed: int = 0
    steps: int = 600
    groups_per_step: int = 2
    learning_rate: float = 1e-3
    embedding_rate: float = 3e-3
    warm_up: int = 20
    decay: int = 150
    """Steps at the end over which the rates fall to a tenth; before, they stay: a run can be made longer until then."""
    validate_every: int = 50
    save_every: int = 10
    dtype: str = "bfloat16"
    device: str = "cpu"
    threads: int = 0
    """Of the CPU; 0: as PyTorch chooses."""


def read_settings(path: str | Path) -> Settings:
    """Raises TrainingError naming what is wrong in the file."""
    path = Path(path)
    try:
        values = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, RecursionError, yaml.YAMLError) as error:
        raise TrainingError(f"{path} could not be read as YAML: {error}") from error
    if not isinstance(values, dict):
        raise TrainingError(f"{path} holds no settings. README.md has an example.")
    fields = {field.name: field for field in dataclasses.fields(Settings)}
    unknown = sorted(str(name) for name in set(values) - set(fields))
    if unknown:
        raise TrainingError(f"{path}: there is no setting {', '.join(unknown)}. There are {', '.join(fields)}.")
    missing = [name for name in ("base", "data", "run") if name not in values]
    if missing:
        raise TrainingError(f"{path} must set {', '.join(missing)}.")
    folder = path.parent
    parsed = {}
    for name, value in values.items():
        default = fields[name].default
        try:
            parsed[name] = _parse(name, value, default, folder)
        except (TypeError, ValueError, KeyError, OverflowError) as error:
            raise TrainingError(f"{path}: {name} cannot be {value!r} ({error}).") from error
    settings = Settings(**parsed)
    problem = _problem(settings)
    if problem is not None:
        raise TrainingError(f"{path}: {problem}.")
    return settings


def _problem(settings: Settings) -> str | None:
    """What contradicts itself or would fail only after an hour; None: nothing."""
    for name in ("branches", "tokens", "rank", "steps", "groups_per_step", "validate_every", "save_every"):
        if getattr(settings, name) < 1:
            return f"{name} must be at least 1"
    if not 0 < settings.alpha < float("inf"):
        return "alpha must be above 0"
    if settings.pool_kernel % 2 == 0:
        return f"pool_kernel must be odd, which {settings.pool_kernel} is not; 1 is none"
    if settings.facts_share + settings.data_share > 1:
        return "facts_share and data_share are more than 1 together"
    if settings.dtype not in DTYPES:
        return f"dtype must be one of {', '.join(DTYPES)}, not “{settings.dtype}”"
    if not settings.lengths.parts or any(share <= 0 or not 0 < least <= most for share, least, most in settings.lengths.parts):
        return "lengths must have parts with a share above 0 and 0 < least ≤ most"
    return None


def _parse(name: str, value, default, folder: Path):
    if name in ("base", "data", "run", "prepared"):
        return _path(folder, value)
    if name in ("responses", "validation", "without", "lengths") and not isinstance(value, list):
        # A single text would be taken letter by letter.
        raise ValueError("a list is wanted")
    if name in ("responses", "validation"):
        return tuple(_path(folder, item) for item in value)
    if name == "without":
        return tuple(str(item) for item in value)
    if name == "lengths":
        return LengthMix(tuple((float(part["share"]), int(part["least"]), int(part["most"])) for part in value))
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise ValueError("true or false is wanted")
        return value
    if isinstance(default, str):
        return str(value)
    number = type(default)(value)
    if number < 0 or number != float(value):
        raise ValueError("a number of at least 0 is wanted" if isinstance(default, float) else "a whole number of at least 0 is wanted")
    return number


def _path(folder: Path, value) -> Path:
    if not isinstance(value, str) or not value or "\0" in value:
        raise ValueError("a path is wanted")
    return (folder / Path(value).expanduser()).resolve()
