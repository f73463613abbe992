"""A base model of a few kilobytes, of any architecture that modules can be made for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from gguf import GGMLQuantizationType, GGUFWriter, quantize

WIDTH = 64
HEADS = 4
KV_HEADS = 2
HEAD_WIDTH = 16
FEED_FORWARD = 96
BLOCKS = 3
TOKENS = [b"<s>", b"</s>", *(f"word{index}".encode() for index in range(46)), "č".encode(), b"\xff\xfe"]
MERGES = ["w o", "wo r", "wor d"]
CONTROL = (0, 1)
"""Ids of the control tokens."""

SHAPES = {
    "attn_q": (HEADS * HEAD_WIDTH, WIDTH),
    "attn_k": (KV_HEADS * HEAD_WIDTH, WIDTH),
    "attn_v": (KV_HEADS * HEAD_WIDTH, WIDTH),
    "attn_output": (WIDTH, HEADS * HEAD_WIDTH),
    "ffn_gate": (FEED_FORWARD, WIDTH),
    "ffn_up": (FEED_FORWARD, WIDTH),
    "ffn_down": (WIDTH, FEED_FORWARD),
}
"""By linear layer: rows (outputs) and columns (inputs)."""


def table() -> np.ndarray:
    """The token embeddings, float32 of shape (tokens, width)."""
    return np.random.default_rng(7).standard_normal((len(TOKENS), WIDTH), dtype=np.float32)


def write_tiny_base(path: Path, architecture: str = "llama", leave_out: tuple[str, ...] = (), **over: Any) -> Path:
    """Writes one. `leave_out`: names of tensors or keys; `over`: other values for `kind`, `head_count_kv`, `name`."""
    writer = GGUFWriter(path, architecture)

    def add(key: str, value: Any) -> None:
        if key in leave_out:
            return
        if isinstance(value, str):
            writer.add_string(key, value)
        elif isinstance(value, int):
            writer.add_uint32(key, value)
        else:
            writer.add_array(key, value)

    add("general.type", over.get("kind", "model"))
    add("general.name", over.get("name", "Tiny"))
    add(f"{architecture}.block_count", BLOCKS)
    add(f"{architecture}.embedding_length", WIDTH)
    add(f"{architecture}.attention.head_count", HEADS)
    add(f"{architecture}.attention.head_count_kv", over.get("head_count_kv", KV_HEADS))
    add("tokenizer.ggml.model", "gpt2")
    add("tokenizer.ggml.pre", "smollm")
    add("tokenizer.ggml.tokens", TOKENS)
    add("tokenizer.ggml.token_type", [3 if index in CONTROL else 1 for index in range(len(TOKENS))])
    add("tokenizer.ggml.merges", MERGES)
    kind = GGMLQuantizationType.Q8_0
    writer.add_tensor("token_embd.weight", quantize(table(), kind), raw_dtype=kind)
    for block in range(BLOCKS):
        for linear, shape in SHAPES.items():
            name = f"blk.{block}.{linear}.weight"
            if name not in leave_out:
                writer.add_tensor(name, np.zeros(shape, dtype=np.float16))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
