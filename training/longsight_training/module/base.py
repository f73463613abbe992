"""The base model as a GGUF file: what a module has to know of it."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Union

import numpy as np
from gguf import GGUFReader, GGUFValueType, dequantize

from longsight_training.errors import TrainingError

ATTENTION_LINEARS = ("attn_q", "attn_k", "attn_v")
LINEARS = (*ATTENTION_LINEARS, "attn_output", "ffn_gate", "ffn_up", "ffn_down")
"""The linear layers of a block that the LoRA acts on, by llama.cpp's names."""

ARCHITECTURES = ("llama", "qwen2", "qwen3", "gemma3")

SCALED_ARCHITECTURES = ("gemma3",)
"""Those that multiply token embeddings by the root of the width before the first layer (llama.cpp: src/models/gemma3.cpp)."""

NORMAL_TOKEN = 1
"""llama.cpp's token type of plain text, as opposed to control, unused, or byte tokens."""


@dataclass(frozen=True)
class LinearShape:
    """Sizes of a linear layer."""

    name: str
    """As in the base file, for example "blk.0.attn_q.weight"."""
    inputs: int
    outputs: int


@dataclass(frozen=True)
class Base:
    """What a module's file says about its base, and the shapes of the linear layers that get a LoRA."""

    architecture: str
    name: str
    block_count: int
    embedding_length: int
    head_count: int
    head_count_kv: int
    tokenizer_hash: str
    linears: tuple[LinearShape, ...]


Likeness = Mapping[str, Union[str, int]]
"""What two bases must have in common for one's module to serve the other: the engine compares the same (module.ts)."""


def likeness_of(base: Base) -> Likeness:
    """By what is compared, in words."""
    return {
        "the kind of model": base.architecture,
        "the number of layers": base.block_count,
        "the width of the embeddings": base.embedding_length,
        "the number of attention heads": base.head_count,
        "the number of key-value heads": base.head_count_kv,
        "the tokenizer": base.tokenizer_hash,
        **{f"the size of {linear.name}": f"{linear.inputs} × {linear.outputs}" for linear in base.linears},
    }


def difference(one: Likeness, other: Likeness) -> str | None:
    """The first thing in which two bases differ, of what is known of both. None: they are the same model, whatever they are called."""
    return next((what for what, value in one.items() if other.get(what, value) != value), None)


def lora_linears(block_count: int) -> list[str]:
    """Names of the linear layers with a LoRA. Behind the last layer's keys nothing can reach a score any more."""
    return [
        f"blk.{block}.{linear}.weight"
        for block in range(block_count)
        for linear in (ATTENTION_LINEARS if block == block_count - 1 else LINEARS)
    ]


def hash_tokenizer(model: bytes, pre: bytes, tokens: list[bytes], merges: list[bytes]) -> str:
    """SHA-256 (hexadecimal) by which a tokenizer is known; the engine computes the same from the base's header."""
    digest = hashlib.sha256()
    for text in (model, pre):
        digest.update(struct.pack("<I", len(text)) + text)
    for texts in (tokens, merges):
        digest.update(struct.pack("<I", len(texts)))
        digest.update(b"".join(struct.pack("<I", len(text)) + text for text in texts))
    return digest.hexdigest()


class BaseFile:
    """A base model's GGUF, opened; tensors are read when they are asked for."""

    def __init__(self, path: str | Path) -> None:
        """Raises TrainingError where the file is missing or no GGUF."""
        self.path = Path(path)
        if not self.path.is_file():
            raise TrainingError(f"The base model {self.path} was not found. Give the path of a GGUF file.")
        try:
            self._reader = GGUFReader(self.path)
        except Exception as error:  # gguf raises whatever numpy or its own parsing happens to meet
            raise TrainingError(f"{self.path} is not a complete GGUF file ({error}). Download it again.") from error
        self._tensors = {tensor.name: tensor for tensor in self._reader.tensors}

    def describe(self) -> Base:
        """Raises TrainingError where the model is of a kind that modules cannot be made for."""
        architecture = self._text("general.architecture")
        kind = self._text("general.type") or "model"
        if kind != "model":
            raise TrainingError(f"{self.path} is not a model but a part of one ({kind}). Give the model's own file.")
        if architecture not in ARCHITECTURES:
            raise TrainingError(
                f"{self.path} is of the kind “{architecture or 'unknown'}”. Modules can be made for {', '.join(ARCHITECTURES)}."
            )
        block_count = self._count(f"{architecture}.block_count")
        head_count = self._count(f"{architecture}.attention.head_count")
        return Base(
            architecture=architecture,
            name=self._text("general.name") or self.path.stem,
            block_count=block_count,
            embedding_length=self._count(f"{architecture}.embedding_length"),
            head_count=head_count,
            head_count_kv=self._count(f"{architecture}.attention.head_count_kv", default=head_count),
            tokenizer_hash=hash_tokenizer(
                self._bytes("tokenizer.ggml.model"),
                self._bytes("tokenizer.ggml.pre"),
                self._list("tokenizer.ggml.tokens"),
                self._list("tokenizer.ggml.merges"),
            ),
            linears=tuple(self._linear(name) for name in lora_linears(block_count)),
        )

    def normal_tokens(self) -> np.ndarray:
        """Ids of the tokens that stand for text: the embeddings of control and unused ones were hardly learned."""
        types = self._reader.fields.get("tokenizer.ggml.token_type")
        vocabulary = min(self._tensor("token_embd.weight").shape[1], len(self._list("tokenizer.ggml.tokens")))
        if types is None:
            return np.arange(vocabulary)
        return np.flatnonzero(np.array([types.parts[index][0] for index in types.data[:vocabulary]]) == NORMAL_TOKEN)

    def embedding_rows(self, tokens: np.ndarray) -> np.ndarray:
        """Token embeddings as the first layer gets them, float32 of shape (tokens, width)."""
        tensor = self._tensor("token_embd.weight")
        rows = dequantize(np.ascontiguousarray(tensor.data[tokens]), tensor.tensor_type).astype(np.float32)
        if self._text("general.architecture") in SCALED_ARCHITECTURES:
            rows *= np.float32(rows.shape[1] ** 0.5)
        return rows

    def _tensor(self, name: str):
        tensor = self._tensors.get(name)
        if tensor is None:
            raise TrainingError(f"{self.path} has no tensor {name}, so no module can be made for it.")
        return tensor

    def _linear(self, name: str) -> LinearShape:
        shape = [int(length) for length in self._tensor(name).shape]
        if len(shape) != 2:
            raise TrainingError(f"{self.path}: the tensor {name} is not a matrix, so no module can be made for it.")
        return LinearShape(name, inputs=shape[0], outputs=shape[1])

    def _bytes(self, key: str) -> bytes:
        field = self._reader.fields.get(key)
        if field is None:
            return b""
        if list(field.types) != [GGUFValueType.STRING]:
            raise TrainingError(f"{self.path}: {key} is not a text. The file is damaged; download it again.")
        return bytes(field.parts[field.data[0]])

    def _text(self, key: str) -> str:
        return self._bytes(key).decode("utf-8", errors="replace").strip()

    def _list(self, key: str) -> list[bytes]:
        field = self._reader.fields.get(key)
        if field is None:
            return []
        # The reader notes the type of the items only where there are any.
        if list(field.types) not in ([GGUFValueType.ARRAY], [GGUFValueType.ARRAY, GGUFValueType.STRING]):
            raise TrainingError(f"{self.path}: {key} is not a list of texts. The file is damaged; download it again.")
        return [bytes(field.parts[index]) for index in field.data]

    def _count(self, key: str, default: int | None = None) -> int:
        field = self._reader.fields.get(key)
        if field is None and default is not None:
            return default
        value = None if field is None else field.contents()
        if isinstance(value, list) and len(set(value)) == 1:
            value = value[0]
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise TrainingError(f"{self.path}: {key} is {value}, not one whole number above 0; no module can be made for it.")
        return value
