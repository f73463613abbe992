"""The order of rows in attn_q and attn_k: llama.cpp keeps those of "llama" files in another order than transformers.

Rotary embedding turns a head's rows in pairs. transformers pairs row i with row i + half, llama.cpp's "llama" pairs 2i with 2i + 1
(convert_hf_to_gguf.py: LlamaModel.permute). The other architectures are stored as transformers has them.
"""

from __future__ import annotations

import numpy as np

PERMUTED_ARCHITECTURES = ("llama",)
"""By general.architecture; Mistral's files are "llama" ones."""


def permuted_heads(architecture: str, linear: str, heads: int, kv_heads: int) -> int | None:
    """How many heads the rows of a linear layer are permuted in, or None where they are not.

    linear: its name in the file, for example "blk.0.attn_q.weight".
    """
    if architecture not in PERMUTED_ARCHITECTURES:
        return None
    return {"attn_q": heads, "attn_k": kv_heads}.get(linear.split(".")[-2])


def to_file_rows(rows: np.ndarray, heads: int) -> np.ndarray:
    """transformers' rows in llama.cpp's order. rows: (heads × head size, …), a weight, a bias, or a LoRA's second factor."""
    return rows.reshape(heads, 2, -1, *rows.shape[1:]).swapaxes(1, 2).reshape(rows.shape)


def from_file_rows(rows: np.ndarray, heads: int) -> np.ndarray:
    """llama.cpp's rows in transformers' order: undoes to_file_rows."""
    return rows.reshape(heads, -1, 2, *rows.shape[1:]).swapaxes(1, 2).reshape(rows.shape)
