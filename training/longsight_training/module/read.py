"""Reads a lookahead module's file back (see README.md). The file is somebody else's: whatever it holds, it is checked first."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from gguf import GGMLQuantizationType, GGUFReader

from longsight_training.errors import TrainingError
from longsight_training.module.base import Base, Likeness, LinearShape, difference, likeness_of, lora_linears
from longsight_training.module.file import FORMAT_VERSION, Lora, Module, Training, check_module

FLOATS = (GGMLQuantizationType.F32, GGMLQuantizationType.F16)
MOST_BLOCKS = 1024


def read_module(path: str | Path) -> Module:
    """The module as the file has it: the rows of attn_q and attn_k in llama.cpp's order (see permute.py), all numbers float32.

    Raises TrainingError where the file is missing, damaged, or no lookahead module.
    """
    path = Path(path)
    if not path.is_file():
        raise TrainingError(f"The module {path} was not found. Give the path of a lookahead module's GGUF file.")
    try:
        reader = GGUFReader(path)
        module = _Parts(reader).module()
        check_module(module)
    except TrainingError as error:
        raise TrainingError(f"{path} is not a sound lookahead module. {error}") from None
    except Exception as error:  # gguf raises whatever numpy or its own parsing happens to meet
        raise TrainingError(f"{path} is not a complete GGUF file ({error}). Export the module again.") from error
    return module


def read_module_for(path: str | Path, base: Likeness, base_path: str | Path) -> Module:
    """read_module, of a module that is for this base. base_path: for its name. Raises TrainingError as well where it is for another."""
    module = read_module(path)
    if (what := difference(likeness_of(module.base), base)) is not None:
        raise TrainingError(
            f"The module {path} is for {module.base.name}, not for {Path(base_path).name}: they differ in {what}. Give a module of this model."
        )
    return module


class _Parts:
    """Typed access to an opened file."""

    def __init__(self, reader: GGUFReader) -> None:
        self._fields = reader.fields
        self._tensors = {tensor.name: tensor for tensor in reader.tensors}

    def module(self) -> Module:
        version = self._whole("lookahead.version")
        if version != FORMAT_VERSION:
            raise TrainingError(f"It is of version {version} of the format; this program reads version {FORMAT_VERSION}.")
        blocks = self._whole("lookahead.base.block_count")
        if not 1 <= blocks <= MOST_BLOCKS:
            raise TrainingError(f"It says that its base has {blocks} blocks.")
        loras = {name: Lora(self._matrix(f"{name}.lora_a"), self._matrix(f"{name}.lora_b")) for name in lora_linears(blocks)}
        base = Base(
            architecture=self._text("lookahead.base.architecture"),
            name=self._text("lookahead.base.name"),
            block_count=blocks,
            embedding_length=self._whole("lookahead.base.embedding_length"),
            head_count=self._whole("lookahead.base.attention.head_count"),
            head_count_kv=self._whole("lookahead.base.attention.head_count_kv"),
            tokenizer_hash=self._text("lookahead.base.tokenizer_hash"),
            linears=tuple(LinearShape(name, inputs=lora.a.shape[1], outputs=lora.b.shape[0]) for name, lora in loras.items()),
        )
        return Module(
            base=base,
            name=self._text("general.name"),
            pool_kernel=self._whole("lookahead.pool_kernel"),
            alpha=float(self._value("adapter.lora.alpha", float)),
            embeddings=self._matrix("lookahead.embeddings"),
            loras=loras,
            training=Training(
                data=self._text("lookahead.training.data"),
                steps=self._whole("lookahead.training.steps"),
                length=self._whole("lookahead.training.length"),
                date=self._text("lookahead.training.date"),
            ),
        )

    def _matrix(self, name: str) -> np.ndarray:
        tensor = self._tensors.get(name)
        if tensor is None:
            raise TrainingError(f"The tensor {name} is missing.")
        if tensor.tensor_type not in FLOATS or len(tensor.shape) != 2:
            raise TrainingError(f"The tensor {name} is not a matrix of 32-bit or 16-bit numbers.")
        return np.array(tensor.data, dtype=np.float32)

    def _value(self, key: str, kind: type):
        field = self._fields.get(key)
        value = None if field is None else field.contents()
        if not isinstance(value, kind) or isinstance(value, bool):
            raise TrainingError(f"{key} is missing or of another type.")
        return value

    def _whole(self, key: str) -> int:
        return self._value(key, int)

    def _text(self, key: str) -> str:
        return self._value(key, str)
