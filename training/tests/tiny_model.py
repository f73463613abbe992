"""Models of a few thousand random weights, made in memory, of every architecture that modules can be trained for."""

from __future__ import annotations

from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import (
    AutoModelForCausalLM, Gemma3TextConfig, LlamaConfig, MistralConfig, PreTrainedTokenizerFast, Qwen2Config, Qwen3Config,
)

from longsight_training.learn.groups import Branch, Group
from longsight_training.learn.objective import Lookahead
from longsight_training.model.attention import NAME
from longsight_training.model.load import LoadedBase, wrap_model
from tests.tiny_base import BLOCKS, FEED_FORWARD, HEAD_WIDTH, HEADS, KV_HEADS, WIDTH

# Threads that wait for one another cost more than such small numbers.
torch.set_num_threads(1)

VOCABULARY = 300
WINDOW = 8
"""Of the sliding layers."""

SIZES = {
    "vocab_size": VOCABULARY, "hidden_size": WIDTH, "intermediate_size": FEED_FORWARD, "num_hidden_layers": BLOCKS,
    "num_attention_heads": HEADS, "num_key_value_heads": KV_HEADS, "head_dim": HEAD_WIDTH, "max_position_embeddings": 2048,
    "bos_token_id": None, "eos_token_id": 1, "pad_token_id": None,
    # Wide enough that attention prefers some keys to others, as it does in a model that has learned.
    "initializer_range": 0.2,
}

CONFIGS = {
    "llama": LlamaConfig(**SIZES),
    "mistral": MistralConfig(**SIZES, sliding_window=None),
    "qwen2": Qwen2Config(**SIZES),
    "qwen3": Qwen3Config(**SIZES),
    "gemma3_text": Gemma3TextConfig(
        **SIZES, sliding_window=WINDOW, query_pre_attn_scalar=HEAD_WIDTH,
        layer_types=["sliding_attention", "full_attention", "full_attention"],
    ),
}

TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def model_of(architecture: str, *, attention: str = NAME, seed: int = 0):
    """transformers' own model, float32."""
    torch.manual_seed(seed)
    config = type(CONFIGS[architecture])(**CONFIGS[architecture].to_diff_dict())
    return AutoModelForCausalLM.from_config(config, attn_implementation=attention).eval()


def base_of(architecture: str = "llama", *, seed: int = 0) -> LoadedBase:
    return wrap_model(model_of(architecture, seed=seed), None)


def lookahead_of(base: LoadedBase, *, tokens: int = 4, random: bool = True) -> Lookahead:
    """Lookahead rows and a LoRA; random: one that changes something."""
    generator = torch.Generator().manual_seed(5)
    lookahead = Lookahead(base, torch.randn(tokens, WIDTH, generator=generator), rank=4, alpha=8, seed=3)
    if random:
        for lora in lookahead.loras().values():
            torch.nn.init.normal_(lora.b, std=0.1, generator=generator)
    return lookahead


def ids(count: int, seed: int = 0) -> tuple[int, ...]:
    """Random tokens, none of them the end's."""
    return tuple(torch.randint(2, VOCABULARY, (count,), generator=torch.Generator().manual_seed(seed)).tolist())


def group_of(*questions: tuple[int, int], prefix: int = 20) -> Group:
    """A group with branches of so many question and response tokens."""
    branches = tuple(Branch(ids(asked, 10 + n), ids(answered, 50 + n), "made") for n, (asked, answered) in enumerate(questions))
    return Group("group", "source", ids(prefix), branches)


def tokenizer() -> PreTrainedTokenizerFast:
    """Bytes as tokens, with the marks of a chat."""
    special = ["<pad>", "<|im_end|>", "<|im_start|>", "<|endoftext|>"]
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {token: index for index, token in enumerate([*special, *letters])}
    made = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    fast = PreTrainedTokenizerFast(
        tokenizer_object=made, eos_token="<|endoftext|>", additional_special_tokens=["<|im_start|>", "<|im_end|>"]
    )
    fast.chat_template = TEMPLATE
    return fast


def write_model(folder: Path, architecture: str = "llama") -> Path:
    """A Hugging Face folder."""
    model_of(architecture, attention="sdpa").save_pretrained(folder)
    tokenizer().save_pretrained(folder)
    return folder
