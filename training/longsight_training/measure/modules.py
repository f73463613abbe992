"""Modules to be measured: from a run's checkpoint or a module's file, several beside one another in the same base."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import nn

from longsight_training.errors import TrainingError
from longsight_training.learn.checkpoint import check_checkpoint, read_checkpoint
from longsight_training.learn.objective import Lookahead
from longsight_training.learn.settings import Settings, read_settings
from longsight_training.learn.train import CHECKPOINT
from longsight_training.measure.provenance import sha256_of
from longsight_training.model.load import LoadedBase, likeness_of_loaded
from longsight_training.model.lora import place_of
from longsight_training.module.export import learned_of
from longsight_training.module.read import read_module_for


@dataclass(frozen=True)
class Source:
    """A module's numbers, as they were found."""

    name: str
    file: str
    """Its file's name, without the folder."""
    sha256: str
    alpha: float
    pool_kernel: int
    steps: int
    numbers: Mapping[str, torch.Tensor]
    """By name as Lookahead.learned has them: rows in transformers' order."""

    @property
    def tokens(self) -> int:
        return self.numbers["embeddings"].shape[0]

    @property
    def rank(self) -> int:
        return next(tensor.shape[0] for name, tensor in self.numbers.items() if name.endswith(".lora_a"))


def read_source(path: str | Path, name: str | None, base: LoadedBase, base_path: str | Path) -> Source:
    """A module's GGUF file, a run's YAML file, or a run's folder (with its YAML file in it or beside it).

    Raises TrainingError where there is none, where it is damaged, or where it is of another model.
    """
    path = Path(path)
    try:
        if path.suffix == ".gguf":
            return _from_file(path, name, base, Path(base_path))
        return _from_run(_settings(path), name, base, Path(base_path))
    except OSError as error:
        raise TrainingError(f"The module {path} could not be read ({error.strerror}).") from error


def _from_file(path: Path, name: str | None, base: LoadedBase, base_path: Path) -> Source:
    module = read_module_for(path, likeness_of_loaded(base, base_path), base_path)
    sha256 = sha256_of(path)
    numbers = {learned: torch.from_numpy(values) for learned, values in learned_of(module).items()}
    return Source(name or path.stem, path.name, sha256, module.alpha, module.pool_kernel, module.training.steps, numbers)


def _settings(path: Path) -> Settings:
    if path.is_file():
        return read_settings(path)
    if not path.is_dir():
        raise TrainingError(f"The module {path} was not found. Give a module's GGUF file, or a run's YAML file or folder.")
    folder = path.resolve()
    found: list[Settings] = []
    for candidate in sorted(file for place in (folder, folder.parent) for file in place.glob("*.y*ml")):
        try:
            settings = read_settings(candidate)
        except TrainingError:
            continue  # some other YAML file
        if settings.run == folder:
            found.append(settings)
    if len({(settings.alpha, settings.pool_kernel) for settings in found}) != 1:
        raise TrainingError(f"No YAML file in {path} or beside it tells this run's settings for sure. Give the YAML file instead.")
    return found[0]


def _from_run(settings: Settings, name: str | None, base: LoadedBase, base_path: Path) -> Source:
    path = settings.run / CHECKPOINT
    found = read_checkpoint(path)
    check_checkpoint(path, found, settings, likeness_of_loaded(base, base_path), base_path)
    return Source(
        name or settings.run.name, CHECKPOINT, found.sha256, settings.alpha, settings.pool_kernel, found.step, found.learned
    )


class MountedModule:
    """A module whose LoRA can be put into the base and taken out again."""

    def __init__(self, base: LoadedBase, source: Source) -> None:
        """Raises TrainingError where the numbers do not fit the base."""
        self.source = source
        self._decoder = base.decoder
        try:
            self._lookahead = Lookahead(base, source.numbers["embeddings"], rank=source.rank, alpha=source.alpha, seed=0)
        except (KeyError, IndexError, StopIteration, ZeroDivisionError):
            raise TrainingError(f"The module {source.name} is not complete: its embeddings or its LoRA are missing.") from None
        self._take_out()
        wanted = {key: tuple(tensor.shape) for key, tensor in self._lookahead.learned().items()}
        given = {key: tuple(tensor.shape) for key, tensor in source.numbers.items()}
        if wanted != given or given["embeddings"][1:] != (base.width,) or source.tokens < 1:
            raise TrainingError(f"The module {source.name} does not fit the base: it is of another model.")
        if not all(bool(torch.isfinite(tensor).all()) for tensor in source.numbers.values()):
            raise TrainingError(f"The module {source.name} has values that are no numbers.")
        self._lookahead.load_learned(dict(source.numbers))

    @contextmanager
    def at_work(self) -> Iterator[torch.Tensor]:
        """The embeddings, while the LoRA acts."""
        for name, lora in self._lookahead.loras().items():
            _put(self._decoder, name, lora)
        try:
            with self._lookahead.switch.active():
                yield self._lookahead.embeddings
        finally:
            self._take_out()

    def _take_out(self) -> None:
        for name, lora in self._lookahead.loras().items():
            _put(self._decoder, name, lora.linear)


def _put(decoder: nn.Module, name: str, linear: nn.Module) -> None:
    parent, last = place_of(decoder, name)
    setattr(parent, last, linear)
