"""A module's scores of one prompt, computed as the training computes them."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import torch

from longsight_training.errors import TrainingError
from longsight_training.files import refuse_inputs, write_beside
from longsight_training.measure.metrics import to_kv_heads
from longsight_training.measure.modules import MountedModule, read_source
from longsight_training.measure.read import read_lookahead
from longsight_training.model.load import LoadedBase, load_base
from longsight_training.model.passes import read_prefix
from longsight_training.model.place import computing_on


def write_scores(options: argparse.Namespace) -> None:
    """The command (scores.py has its options). Raises TrainingError with what to do."""
    refuse_inputs(options.out, [options.base, options.module, options.tokens])
    with computing_on(options.device):
        base = load_base(options.base, dtype=getattr(torch, options.dtype), device=options.device)
        tokens = _read_tokens(Path(options.tokens), base.decoder.embed_tokens.weight.shape[0], base.context_length)
        module = MountedModule(base, read_source(options.module, None, base, options.base))
        scores = module_scores(base, module, tokens)
    write_beside(options.out, scores.astype("<f4").tobytes())
    layers, kv_heads, count = scores.shape
    print(json.dumps({"layers": layers, "kvHeads": kv_heads, "tokens": count}))


def module_scores(base: LoadedBase, module: MountedModule, tokens: list[int]) -> np.ndarray:
    """Float32 of shape (scored layers, KV heads, tokens): mean attention of the lookahead rows and of a KV head's query heads."""
    prefix = read_prefix(base, tokens)
    with module.at_work() as embeddings:
        return to_kv_heads(read_lookahead(base, [prefix], len(tokens), embeddings), base.kv_heads)


def _read_tokens(path: Path, vocabulary: int, context: int) -> list[int]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise TrainingError(f"{path} could not be read ({error.strerror}). Give a file of token ids.") from error
    if len(data) % 4 != 0:
        raise TrainingError(f"{path} has {len(data)} bytes, but ids take four each. Write it again; README.md says how.")
    tokens = np.frombuffer(data, dtype="<u4").tolist()
    if not tokens or max(tokens) >= vocabulary:
        raise TrainingError(f"{path} must hold ids of tokens below {vocabulary}, at least one.")
    if len(tokens) > context:
        raise TrainingError(f"{path} holds {len(tokens)} tokens, too many for the model's {context}.")
    return tokens
