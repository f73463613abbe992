"""The file format of a lookahead module (see README.md)."""

from __future__ import annotations

import errno
import unicodedata
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from gguf import GGUFReader, GGUFWriter

from longsight_training.errors import TrainingError
from longsight_training.files import beside
from longsight_training.module.base import Base

FORMAT_VERSION = 1
LONGEST_TEXT = 900


@dataclass(frozen=True)
class Training:
    """Where a module comes from."""

    data: str = "none"
    steps: int = 0
    length: int = 0
    """Tokens of the longest prompt that it was trained on."""
    date: str = ""
    """ISO date, for example 2026-11-29."""


@dataclass(frozen=True)
class Lora:
    """The two factors for one linear layer: float arrays of shape (rank, inputs) and (outputs, rank)."""

    a: np.ndarray
    b: np.ndarray


@dataclass(frozen=True)
class Module:
    """A lookahead module in memory."""

    base: Base
    name: str
    pool_kernel: int
    alpha: float
    embeddings: np.ndarray
    """Of shape (tokens, width), as the first layer sees them."""
    loras: dict[str, Lora]
    """By the linear layer's name; one for each of base.linears."""
    training: Training


def check_module(module: Module) -> None:
    """Raises TrainingError where the engine would refuse the file."""
    base = module.base
    for text in (module.name, base.name, base.architecture, module.training.data, module.training.date):
        if not 0 < len(text) <= LONGEST_TEXT or any(unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") for letter in text):
            raise TrainingError(f"{text[:80]!r} cannot stand in a module: texts have 1 to {LONGEST_TEXT} letters on one line.")
    tokens, width = module.embeddings.shape
    if tokens < 1 or width != base.embedding_length:
        raise TrainingError(f"The embeddings are {tokens} × {width}; they must be as wide as the base, {base.embedding_length}.")
    if module.pool_kernel < 1 or module.pool_kernel % 2 == 0:
        raise TrainingError(f"The pool kernel is {module.pool_kernel}; it must be odd, and 1 for none.")
    if not (np.isfinite(module.alpha) and module.alpha > 0):
        raise TrainingError(f"The LoRA's alpha is {module.alpha}; it must be above 0.")
    if set(module.loras) != {linear.name for linear in base.linears}:
        raise TrainingError("The LoRA does not cover the base's linear layers.")
    ranks = {lora.a.shape[0] for lora in module.loras.values()}
    if len(ranks) != 1:
        raise TrainingError(f"The LoRA has different ranks ({', '.join(map(str, sorted(ranks)))}); it must have one.")
    (rank,) = ranks
    for linear in base.linears:
        lora = module.loras[linear.name]
        if lora.a.shape != (rank, linear.inputs) or lora.b.shape != (linear.outputs, rank):
            raise TrainingError(f"The LoRA of {linear.name} is {lora.a.shape} and {lora.b.shape}, which does not fit the base.")
        if not _is_finite_f16(lora.a) or not _is_finite_f16(lora.b):
            raise TrainingError(f"The LoRA of {linear.name} has values that no 16-bit number can hold.")
    if not np.all(np.isfinite(module.embeddings)):
        raise TrainingError("The embeddings have values that are no numbers.")


def write_module(module: Module, path: str | Path) -> None:
    """Writes the file beside its place and renames it. The same module gives the same bytes.

    Raises TrainingError where the module is not sound, the path's file is none, or it cannot be written.
    """
    check_module(module)
    refuse_other_file(path)
    with beside(path) as fresh:
        _write(module, fresh)
        _check_written(module, fresh)


def refuse_other_file(path: str | Path) -> None:
    """Raises TrainingError where a module would take the place of something else, such as the model."""
    path = Path(path)
    if path.is_file() and path.stat().st_size > 0 and not _is_module(path):
        raise TrainingError(f"{path} is there already and is no lookahead module. Give another --out, or remove it.")


def _is_module(path: Path) -> bool:
    """By its beginning alone: a damaged module may be replaced."""
    try:
        with path.open("rb") as file:
            beginning = file.read(8192)
    except OSError:
        return False
    return beginning.startswith(b"GGUF") and b"lookahead.version" in beginning


def _is_finite_f16(values: np.ndarray) -> bool:
    with np.errstate(over="ignore"):
        return bool(np.all(np.isfinite(values.astype(np.float16))))


def _tensors(module: Module) -> dict[str, np.ndarray]:
    """By name, as they stand in the file."""
    tensors = {"lookahead.embeddings": np.ascontiguousarray(module.embeddings, dtype=np.float32)}
    for linear in module.base.linears:
        lora = module.loras[linear.name]
        tensors[f"{linear.name}.lora_a"] = np.ascontiguousarray(lora.a, dtype=np.float16)
        tensors[f"{linear.name}.lora_b"] = np.ascontiguousarray(lora.b, dtype=np.float16)
    return tensors


def _check_written(module: Module, path: Path) -> None:
    """Reads the tensors back: numpy's tofile does not tell where a full disk took no more. Raises OSError where they are not whole."""
    try:
        found = {tensor.name: tensor.data for tensor in GGUFReader(path).tensors}
        whole = all(np.array_equal(found[name], numbers) for name, numbers in _tensors(module).items())
    except Exception:  # gguf raises whatever numpy or its own parsing happens to meet
        whole = False
    if not whole:
        raise OSError(errno.ENOSPC, "the disk did not take all of it")


def _write(module: Module, path: Path) -> None:
    base, training = module.base, module.training
    writer = GGUFWriter(path, base.architecture)
    try:
        writer.add_type("adapter")
        writer.add_name(module.name)
        writer.add_string("adapter.type", "lora")
        writer.add_float32("adapter.lora.alpha", module.alpha)
        writer.add_uint32("lookahead.version", FORMAT_VERSION)
        writer.add_uint32("lookahead.n_tokens", module.embeddings.shape[0])
        writer.add_uint32("lookahead.pool_kernel", module.pool_kernel)
        writer.add_string("lookahead.base.architecture", base.architecture)
        writer.add_string("lookahead.base.name", base.name)
        writer.add_uint32("lookahead.base.block_count", base.block_count)
        writer.add_uint32("lookahead.base.embedding_length", base.embedding_length)
        writer.add_uint32("lookahead.base.attention.head_count", base.head_count)
        writer.add_uint32("lookahead.base.attention.head_count_kv", base.head_count_kv)
        writer.add_string("lookahead.base.tokenizer_hash", base.tokenizer_hash)
        writer.add_string("lookahead.training.data", training.data)
        writer.add_uint32("lookahead.training.steps", training.steps)
        writer.add_uint32("lookahead.training.length", training.length)
        writer.add_string("lookahead.training.date", training.date)
        for name, numbers in _tensors(module).items():
            writer.add_tensor(name, numbers)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
    finally:
        writer.close()
