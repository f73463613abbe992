"""One run, as its YAML file says it."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from pathlib import Path

import yaml

from longsight_training.errors import TrainingError, reason_of
from longsight_training.learn.lengths import DEFAULT_LENGTHS, LEAST, LengthMix
from longsight_training.limits import LIMITS, MOST_ALPHA

CHECKPOINT = "checkpoint.pt"
LOG = "log.jsonl"
"""Both in the run's folder."""
DTYPES = ("float32", "bfloat16")


@dataclass(frozen=True)
class Settings:
    """Paths are relative to the YAML file. README.md has what each means."""

    base: Path
    data: Path
    run: Path
    """Folder of checkpoints and the log."""
    start: Path | None = None
    """A module's file to begin with, for the same base: what it learned is learned further. None: a new one."""
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
    except yaml.YAMLError as error:
        raise TrainingError(f"{path} could not be read as YAML: {error}") from error
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError) as error:
        # Dates and tagged values are converted on reading, with what Python raises.
        raise TrainingError(f"{path} could not be read as YAML ({reason_of(error)}). README.md has an example.") from error
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
        except (TypeError, ValueError, KeyError, OverflowError, RuntimeError, OSError) as error:
            raise TrainingError(f"{path}: {name} cannot be {value!r:.200} ({reason_of(error)}).") from error
    settings = Settings(**parsed)
    problem = _problem(settings)
    if problem is not None:
        raise TrainingError(f"{path}: {problem}.")
    return settings


def _problem(settings: Settings) -> str | None:
    """What contradicts itself or would fail only after an hour; None: nothing."""
    if not 0 < settings.alpha <= MOST_ALPHA:
        return f"alpha must be above 0, and {MOST_ALPHA} at most"
    for name, (least, most) in LIMITS.items():
        if not least <= getattr(settings, name) <= most:
            return f"{name} must be at least {least} and at most {most}"
    if settings.pool_kernel % 2 == 0:
        return f"pool_kernel must be odd, which {settings.pool_kernel} is not; 1 is none"
    if settings.facts_share + settings.data_share > 1:
        return "facts_share and data_share are more than 1 together"
    if settings.dtype not in DTYPES:
        return f"dtype must be one of {', '.join(DTYPES)}, not “{settings.dtype}”"
    if not settings.lengths.parts or any(share <= 0 or not LEAST <= least <= most for share, least, most in settings.lengths.parts):
        return f"lengths must have parts with a share above 0 and {LEAST} ≤ least ≤ most"
    stems = [path.stem for path in settings.validation]
    if twice := next((stem for stem in stems if stems.count(stem) > 1), None):
        return f"two files of validation are called {twice}, so that nobody could tell their figures apart; rename one"
    if settings.run == settings.data:
        return "run and data are one folder, and the log would be read as data; give the run a folder of its own"
    written = (settings.run / LOG, settings.run / CHECKPOINT)
    if taken := next((path for path in (settings.base, settings.start, *settings.responses, *settings.validation) if path in written), None):
        return f"{taken.name} is read, but the run writes a file of this name into its folder; give another run"
    return None


def _parse(name: str, value, default, folder: Path):
    if name in ("base", "data", "run", "start", "prepared"):
        return _path(folder, value)
    if name in ("responses", "validation", "without", "lengths") and not isinstance(value, list):
        # A single text would be taken letter by letter.
        raise ValueError("a list is wanted")
    if name in ("responses", "validation"):
        return tuple(_path(folder, item) for item in value)
    if name == "without":
        if not all(isinstance(item, str) or type(item) is int for item in value):
            raise ValueError("a list of names is wanted")
        return tuple(str(item) for item in value)
    if name == "lengths":
        return LengthMix(tuple((_number(part["share"], float), _number(part["least"], int), _number(part["most"], int)) for part in value))
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise ValueError("true or false is wanted")
        return value
    if isinstance(default, str):
        if not isinstance(value, str):
            raise ValueError("a word is wanted")
        return value
    return _number(value, type(default))


def _number(value, kind: type):
    """A finite number of at least 0; of the kind int a whole one. Texts count too: YAML takes 1e-3 for one."""
    wanted = "a whole number of at least 0 is wanted" if kind is int else "a number of at least 0 is wanted"
    if isinstance(value, bool):
        raise ValueError(wanted)
    try:
        number = kind(value)
        fits = 0 <= number < math.inf and number == float(value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(wanted) from None
    if not fits:
        raise ValueError(wanted)
    return number


def _path(folder: Path, value) -> Path:
    if not isinstance(value, str) or not value or "\0" in value:
        raise ValueError("a path is wanted")
    return (folder / Path(value).expanduser()).resolve()
