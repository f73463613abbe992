"""The base model from a GGUF file or a Hugging Face folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch
from torch import nn
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer, PreTrainedTokenizerBase
from transformers.utils import logging

from longsight_training.errors import TrainingError
from longsight_training.model.attention import NAME
from longsight_training.module.base import BaseFile, Likeness, likeness_of

ARCHITECTURES = {"llama": "llama", "mistral": "llama", "qwen2": "qwen2", "qwen3": "qwen3", "gemma3_text": "gemma3"}
"""llama.cpp's names by transformers'."""
MODEL_TYPES = tuple(ARCHITECTURES)


@dataclass(frozen=True)
class LoadedBase:
    """A frozen base, ready for our passes."""

    decoder: nn.Module
    """Its layers without the output head."""
    head: nn.Module
    tokenizer: PreTrainedTokenizerBase
    device: torch.device
    dtype: torch.dtype
    scored_layers: tuple[int, ...]
    """Those that see the whole prompt; a sliding window's cache is never evicted from."""
    heads: int
    kv_heads: int
    width: int
    context_length: int


def load_base(path: str | Path, *, dtype: torch.dtype, device: str) -> LoadedBase:
    """Raises TrainingError where the model is missing, damaged or of a kind that is not served."""
    path = Path(path)
    if not path.exists():
        raise TrainingError(f"The base model {path} was not found. Give a GGUF file or a Hugging Face folder.")
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    place = {"gguf_file": path.name, "pretrained_model_name_or_path": path.parent} if path.is_file() else {"pretrained_model_name_or_path": path}
    try:
        tokenizer = AutoTokenizer.from_pretrained(**place)
        model = AutoModelForCausalLM.from_pretrained(**place, dtype=dtype, attn_implementation=NAME)
    except Exception as error:  # transformers raises whatever its readers meet
        reason = str(error).strip().partition("\n")[0] or type(error).__name__
        raise TrainingError(f"{path} could not be loaded as a model: {reason}") from error
    return wrap_model(model.to(device), tokenizer)


def likeness_of_loaded(base: LoadedBase, path: str | Path) -> Likeness:
    """What a module of this base hangs on. A Hugging Face folder does not tell its tokenizer as a GGUF file does: it is left out there."""
    if Path(path).is_file():
        return likeness_of(BaseFile(path).describe())
    return {
        "the kind of model": ARCHITECTURES[base.decoder.config.model_type],
        "the number of layers": len(base.decoder.layers),
        "the width of the embeddings": base.width,
        "the number of attention heads": base.heads,
        "the number of key-value heads": base.kv_heads,
    }


def wrap_model(model: nn.Module, tokenizer: PreTrainedTokenizerBase | None) -> LoadedBase:
    """Freezes a model that was loaded with our attention."""
    config: AutoConfig = model.config
    if config.model_type not in MODEL_TYPES:
        raise TrainingError(f"The model is of the kind “{config.model_type}”. Modules can be trained for {', '.join(MODEL_TYPES)}.")
    model.requires_grad_(False)
    model.eval()
    scored = _scored_layers(config)
    if not scored:
        raise TrainingError("Every layer of the model sees only a window of the prompt: there is nothing to evict, so no module to train.")
    return LoadedBase(
        decoder=model.model,
        head=model.lm_head,
        tokenizer=tokenizer,
        device=model.device,
        dtype=model.dtype,
        scored_layers=scored,
        heads=config.num_attention_heads,
        kv_heads=config.num_key_value_heads,
        width=config.hidden_size,
        context_length=config.max_position_embeddings,
    )


def _scored_layers(config: AutoConfig) -> tuple[int, ...]:
    kinds = getattr(config, "layer_types", None)
    if kinds is None:
        # Mistral names no kinds: its window, where it has one, is every layer's.
        slides = config.model_type == "mistral" and getattr(config, "sliding_window", None) is not None
        kinds = ["sliding_attention" if slides else "full_attention"] * config.num_hidden_layers
    return tuple(layer for layer, kind in enumerate(kinds) if kind == "full_attention")
