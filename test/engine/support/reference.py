"""The attention scores of the engine, computed a second time with nothing but NumPy: what the engine's own are tested against.

It shares no code with the engine: weights come from the GGUF file through the `gguf` package, every layer is computed here in
float32 (sums, angles and softmax denominators in float64).

    python reference.py --model BASE.gguf --tokens TOKENS.u32 --policy lookahead --module MODULE.gguf --out SCORES.f32
    python reference.py --model BASE.gguf --tokens TOKENS.u32 --policy snapkv --window 32 --out SCORES.f32

TOKENS.u32 holds the whole prompt, n token ids as little-endian u32. SCORES.f32 is little-endian float32 [layer][KV head][n]: the
attention probabilities (after softmax) of the query rows, averaged over the rows and over the query heads that share a KV head; no
pooling. Query rows:

    lookahead  the module's embeddings at positions n, n + 1, ..., with its LoRA; they see the prompt and, causally, each other: the
               softmax runs over both, the prompt's columns are kept, so a row sums to less than one
    snapkv     the last `window` rows of the prompt (all of them where the prompt is shorter), without a LoRA

Layers with a sliding window (gemma3) give what their mask leaves: zero outside the window. `--logits` writes the last prompt token's
logits, which shows that this is the same model. `--kv-type f16` rounds keys and values to float16 where they enter the cache, as
llama.cpp does. A line of JSON on standard output says what was computed; errors go to standard error with exit code 2.
"""

import argparse
import json
import math
import os
import sys
from dataclasses import dataclass, field

# Before NumPy starts its threads: beside other work, two threads that wait for each other are several times slower than one.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy  # noqa: E402

ROW_BLOCK = 256
OUTPUT_BLOCK = 16384
ARCHITECTURES = ("llama", "qwen2", "qwen3", "gemma3")


class Refusal(Exception):
    """What this reference cannot compute, in a sentence for people."""


@dataclass(frozen=True)
class Hyper:
    """What the file's metadata says about the shape of the model."""

    architecture: str
    layers: int
    width: int
    heads: int
    kv_heads: int
    key_length: int
    value_length: int
    rope_dimensions: int
    rope_base: float
    rope_scale: float
    epsilon: float
    # gemma3: keys from this many positions back on are masked in the layers that `is_sliding` names; 0 is none
    sliding_window: int = 0
    sliding_period: int = 6
    sliding_rope_base: float = 10000.0

    @property
    def is_neox(self):
        """RoPE pairs dimension i with i + half (NEOX); otherwise 2i with 2i + 1, as llama's weights are permuted to at conversion."""
        return self.architecture != "llama"

    @property
    def attention_scale(self):
        # Gemma 3 27B scales by the width per head, which is not its key length.
        if self.architecture == "gemma3" and self.layers == 62:
            return 1.0 / math.sqrt(self.width / self.heads)
        return 1.0 / math.sqrt(self.key_length)

    def is_sliding(self, layer):
        return self.sliding_window > 0 and layer % self.sliding_period < self.sliding_period - 1


@dataclass(frozen=True)
class Probe:
    """Rows after the prompt that are not tokens: their embeddings [rows, width] and the LoRA that acts on them alone."""

    embeddings: numpy.ndarray
    # target tensor, "blk.0.attn_q.weight" -> (A [rank, n_in], B [n_out, rank])
    lora: dict = field(default_factory=dict)
    alpha: float = 0.0

    def delta(self, name, rows):
        """What the LoRA adds to `rows` times the weight `name`, or None."""
        pair = self.lora.get(name)
        if pair is None:
            return None
        a, b = pair
        rank = b.shape[1]
        # As in llama.cpp, an alpha of zero means that there is no scale.
        scale = self.alpha / rank if self.alpha != 0 else 1.0
        return numpy.float32(scale) * ((rows @ a.T) @ b.T)


class Tensors:
    """Weights by name as float32, dequantised one at a time. `entries` are arrays, or tensors of a GGUFReader."""

    def __init__(self, entries):
        self.entries = entries

    def has(self, name):
        return name in self.entries

    def rows(self, name, index):
        """Some rows (a slice or an array of indices) of a matrix [n_out, n_in]."""
        if name not in self.entries:
            raise Refusal(f"The model has no tensor {name}.")
        entry = self.entries[name]
        if isinstance(entry, numpy.ndarray):
            return entry[index].astype(numpy.float32)
        from gguf import dequantize

        # One row of the data is one row of the matrix, whatever the type: blocks never cross rows.
        return dequantize(entry.data[index], entry.tensor_type).astype(numpy.float32)

    def get(self, name):
        return self.rows(name, slice(None))

    def count(self, name):
        entry = self.entries[name]
        return (entry if isinstance(entry, numpy.ndarray) else entry.data).shape[0]


def read_model(path):
    """Hyper-parameters and weights of a GGUF file."""
    from gguf import GGUFReader

    reader = GGUFReader(path)

    def value(key, fallback=None):
        found = reader.get_field(key)
        if found is None and fallback is None:
            raise Refusal(f"{path} has no {key}.")
        return fallback if found is None else found.contents()

    architecture = value("general.architecture")
    if architecture not in ARCHITECTURES:
        raise Refusal(f"{path} is a {architecture} model; the reference knows {', '.join(ARCHITECTURES)}.")

    def of(key, fallback=None):
        found = value(f"{architecture}.{key}", fallback)
        if isinstance(found, list):
            if len(set(found)) != 1:
                raise Refusal(f"{path} has a {key} that differs between layers, which the reference does not know.")
            return found[0]
        return found

    if of("rope.scaling.type", "none") not in ("none", "linear"):
        raise Refusal(f"{path} scales RoPE by {of('rope.scaling.type')}, which the reference does not know.")
    unknown = [key for key in ("expert_count", "attn_logit_softcapping", "final_logit_softcapping", "attention.scale") if of(key, 0) != 0]
    if unknown:
        raise Refusal(f"{path} has {unknown[0]}, which the reference does not know.")
    width, heads = of("embedding_length"), of("attention.head_count")
    key_length = of("attention.key_length", width // heads)
    gemma = architecture == "gemma3"
    factor = of("rope.scaling.factor", 0.0)
    hyper = Hyper(
        architecture=architecture,
        layers=of("block_count"),
        width=width,
        heads=heads,
        kv_heads=of("attention.head_count_kv", heads),
        key_length=key_length,
        value_length=of("attention.value_length", width // heads),
        rope_dimensions=of("rope.dimension_count", key_length),
        rope_base=of("rope.freq_base", 10000.0),
        rope_scale=1.0 / factor if factor != 0 else 1.0,
        epsilon=of("attention.layer_norm_rms_epsilon"),
        sliding_window=of("attention.sliding_window", 0) if gemma else 0,
        sliding_period=of("attention.sliding_window_pattern", 6) if gemma else 6,
        sliding_rope_base=of("rope.freq_base_swa", 10000.0),
    )
    return hyper, Tensors({tensor.name: tensor for tensor in reader.tensors})


def read_module(path):
    """The probe of a lookahead module's GGUF file."""
    from gguf import GGUFReader

    reader = GGUFReader(path)

    def value(key):
        found = reader.get_field(key)
        return None if found is None else found.contents()

    if value("adapter.type") != "lora" or value("lookahead.version") != 1:
        raise Refusal(f"{path} is no lookahead module of version 1.")
    tensors = Tensors({tensor.name: tensor for tensor in reader.tensors})
    targets = [name[: -len(".lora_a")] for name in tensors.entries if name.endswith(".lora_a")]
    lora = {target: (tensors.get(f"{target}.lora_a"), tensors.get(f"{target}.lora_b")) for target in targets}
    embeddings = tensors.get("lookahead.embeddings")
    if embeddings.shape[0] != value("lookahead.n_tokens"):
        raise Refusal(f"{path} has {embeddings.shape[0]} embeddings, and lookahead.n_tokens says {value('lookahead.n_tokens')}.")
    return Probe(embeddings, lora, value("adapter.lora.alpha") or 0.0)


def rms_norm(rows, weight, epsilon):
    mean = numpy.mean(numpy.square(rows, dtype=numpy.float64), axis=-1, keepdims=True)
    return (rows / numpy.sqrt(mean + epsilon)).astype(numpy.float32) * weight


def rotate(rows, positions, hyper, layer, factors):
    """RoPE of rows [row][head][dimension] at these positions."""
    half = hyper.rope_dimensions // 2
    sliding = hyper.is_sliding(layer)
    base, scale = (hyper.sliding_rope_base, 1.0) if sliding else (hyper.rope_base, hyper.rope_scale)
    frequencies = float(base) ** (-numpy.arange(half, dtype=numpy.float64) / half) / factors
    angles = numpy.asarray(positions, dtype=numpy.float64)[:, None] * scale * frequencies
    cos, sin = numpy.cos(angles).astype(numpy.float32)[:, None, :], numpy.sin(angles).astype(numpy.float32)[:, None, :]
    first, second = (slice(0, half), slice(half, 2 * half)) if hyper.is_neox else (slice(0, 2 * half, 2), slice(1, 2 * half, 2))
    x, y = rows[..., first], rows[..., second]
    rotated = rows.copy()
    rotated[..., first] = x * cos - y * sin
    rotated[..., second] = x * sin + y * cos
    return rotated


def softmax(scores):
    """Softmax over the last axis, in place."""
    scores -= scores.max(axis=-1, keepdims=True)
    numpy.exp(scores, out=scores)
    scores *= (1.0 / scores.sum(axis=-1, keepdims=True, dtype=numpy.float64)).astype(numpy.float32)
    return scores


class Layer:
    """One layer's weights, dequantised, with what two kinds of rows (prompt, probe) do in it."""

    def __init__(self, hyper, tensors, index, kv_type):
        self.hyper, self.index, self.kv_type = hyper, index, kv_type
        self.tensors = {}
        for part in ("attn_norm", "attn_q", "attn_k", "attn_v", "attn_output", "ffn_norm", "ffn_gate", "ffn_up", "ffn_down"):
            self.tensors[f"{part}.weight"] = tensors.get(f"blk.{index}.{part}.weight")
        optional = ["attn_q.bias", "attn_k.bias", "attn_v.bias", "attn_output.bias", "attn_q_norm.weight", "attn_k_norm.weight"]
        for part in [*optional, "post_attention_norm.weight", "post_ffw_norm.weight"]:
            if tensors.has(f"blk.{index}.{part}"):
                self.tensors[part] = tensors.get(f"blk.{index}.{part}")
        self.factors = tensors.get("rope_freqs.weight").astype(numpy.float64) if tensors.has("rope_freqs.weight") else 1.0

    def linear(self, part, rows, probe):
        result = rows @ self.tensors[f"{part}.weight"].T
        if probe is not None:
            delta = probe.delta(f"blk.{self.index}.{part}.weight", rows)
            result = result if delta is None else result + delta
        bias = self.tensors.get(f"{part}.bias")
        return result if bias is None else result + bias

    def norm(self, part, rows):
        """RMS norm by the weight `part`; rows as they are where the model has none."""
        weight = self.tensors.get(f"{part}.weight")
        return rows if weight is None else rms_norm(rows, weight, self.hyper.epsilon)

    def queries_keys_values(self, rows, positions, probe):
        """Rotated queries [row][head][d], and keys and values [row][KV head][d] as the cache holds them."""
        hyper = self.hyper
        normed = self.norm("attn_norm", rows)
        query = self.linear("attn_q", normed, probe).reshape(len(rows), hyper.heads, hyper.key_length)
        key = self.linear("attn_k", normed, probe).reshape(len(rows), hyper.kv_heads, hyper.key_length)
        value = self.linear("attn_v", normed, probe).reshape(len(rows), hyper.kv_heads, hyper.value_length)
        query = rotate(self.norm("attn_q_norm", query), positions, hyper, self.index, self.factors)
        key = rotate(self.norm("attn_k_norm", key), positions, hyper, self.index, self.factors)
        if self.kv_type == "f16":
            key, value = (each.astype(numpy.float16).astype(numpy.float32) for each in (key, value))
        return query, key, value

    def attend(self, query, start, keys, values):
        """Causal attention of query rows at positions start, start + 1, ... over keys [KV head][position][d] from position 0 on.

        Returns the rows' outputs [row][head * d] and the probabilities [KV head][head of group][row][column].
        """
        hyper = self.hyper
        rows, columns = len(query), start + len(query)
        group = hyper.heads // hyper.kv_heads
        grouped = query.reshape(rows, hyper.kv_heads, group, hyper.key_length).transpose(1, 2, 0, 3)
        stacked = grouped.reshape(hyper.kv_heads, group * rows, hyper.key_length)
        scores = stacked @ keys[:, :columns].transpose(0, 2, 1)
        scores *= numpy.float32(hyper.attention_scale)
        scores = scores.reshape(hyper.kv_heads, group, rows, columns)
        distance = start + numpy.arange(rows)[:, None] - numpy.arange(columns)[None, :]
        masked = distance < 0
        if hyper.is_sliding(self.index):
            masked |= distance >= hyper.sliding_window
        scores += numpy.where(masked, numpy.float32(-numpy.inf), numpy.float32(0))
        probabilities = softmax(scores)
        outputs = probabilities.reshape(hyper.kv_heads, group * rows, columns) @ values[:, :columns]
        outputs = outputs.reshape(hyper.heads, rows, hyper.value_length).transpose(1, 0, 2)
        return outputs.reshape(rows, hyper.heads * hyper.value_length), probabilities

    def finish(self, rows, attended, probe):
        """From the heads' outputs to the rows of the next layer."""
        rows = rows + self.norm("post_attention_norm", self.linear("attn_output", attended, probe))
        normed = self.norm("ffn_norm", rows)
        gate, up = self.linear("ffn_gate", normed, probe), self.linear("ffn_up", normed, probe)
        if self.hyper.architecture == "gemma3":
            gate *= 0.5 * (1.0 + numpy.tanh(0.79788456080286535588 * gate * (1.0 + 0.044715 * gate * gate)))
        else:
            with numpy.errstate(over="ignore"):
                gate /= 1.0 + numpy.exp(-gate)
        return rows + self.norm("post_ffw_norm", self.linear("ffn_down", gate * up, probe))


def embed(hyper, tensors, tokens):
    """Rows that enter the first layer, as the architecture scales them."""
    rows = tensors.rows("token_embd.weight", tokens)
    return rows * numpy.float32(math.sqrt(hyper.width)) if hyper.architecture == "gemma3" else rows


def logits_of(hyper, tensors, row):
    """Logits [vocabulary] of one row that left the last layer."""
    normed = rms_norm(row, tensors.get("output_norm.weight"), hyper.epsilon)
    name = "output.weight" if tensors.has("output.weight") else "token_embd.weight"
    blocks = range(0, tensors.count(name), OUTPUT_BLOCK)
    return numpy.concatenate([tensors.rows(name, slice(at, at + OUTPUT_BLOCK)) @ normed for at in blocks])


def run(hyper, tensors, tokens, *, probe=None, window=0, kv_type="f32", row_block=ROW_BLOCK):
    """Reads the prompt and scores it: by `probe`, or else by the last `window` rows of the prompt.

    Layer by layer, the prompt's rows first and then the probe's over the keys that they left. Returns scores [layer][KV head][n], the
    last prompt row and the probe's rows as they leave the last layer.
    """
    tokens = numpy.asarray(tokens, dtype=numpy.int64)
    count = len(tokens)
    if count == 0:
        raise Refusal("The prompt has no tokens.")
    rows = embed(hyper, tensors, tokens)
    probes = None if probe is None else probe.embeddings.astype(numpy.float32)
    probe_count = 0 if probes is None else len(probes)
    window = min(window, count)
    scores = numpy.zeros((hyper.layers, hyper.kv_heads, count), dtype=numpy.float64)
    for index in range(hyper.layers):
        layer = Layer(hyper, tensors, index, kv_type)
        keys = numpy.zeros((hyper.kv_heads, count + probe_count, hyper.key_length), dtype=numpy.float32)
        values = numpy.zeros((hyper.kv_heads, count + probe_count, hyper.value_length), dtype=numpy.float32)

        def step(block, start, adapter):
            query, key, value = layer.queries_keys_values(block, start + numpy.arange(len(block)), adapter)
            keys[:, start : start + len(block)] = key.transpose(1, 0, 2)
            values[:, start : start + len(block)] = value.transpose(1, 0, 2)
            attended, probabilities = layer.attend(query, start, keys, values)
            return layer.finish(block, attended, adapter), probabilities

        for start in range(0, count, row_block):
            end = min(start + row_block, count)
            rows[start:end], probabilities = step(rows[start:end], start, None)
            if probe is None and end > count - window:
                queries = probabilities[:, :, max(0, count - window - start) :]
                scores[index, :, :end] += queries.sum(axis=2, dtype=numpy.float64).mean(axis=1) / window
        if probe is not None:
            probes, probabilities = step(probes, count, probe)
            scores[index] = probabilities[..., :count].mean(axis=(1, 2), dtype=numpy.float64)
    return scores.astype(numpy.float32), rows[-1], probes


def write(path, values):
    """Writes little-endian float32, beside and renamed."""
    temporary = f"{path}.{os.getpid()}.part"
    values.astype("<f4").tofile(temporary)
    os.replace(temporary, path)


def main(arguments):
    parser = argparse.ArgumentParser(description="Attention scores of a prompt, computed with NumPy.")
    parser.add_argument("--model", required=True)
    parser.add_argument("--tokens", required=True)
    parser.add_argument("--policy", required=True, choices=["lookahead", "snapkv"])
    parser.add_argument("--module")
    parser.add_argument("--window", type=int, default=32)
    parser.add_argument("--out", required=True)
    parser.add_argument("--logits")
    parser.add_argument("--kv-type", choices=["f32", "f16"], default="f32")
    options = parser.parse_args(arguments)
    try:
        if (options.policy == "lookahead") != (options.module is not None):
            raise Refusal("--module goes with --policy lookahead, and only with it.")
        if options.policy == "snapkv" and options.window < 1:
            raise Refusal("--window is at least 1.")
        tokens = numpy.fromfile(options.tokens, dtype="<u4")
        hyper, tensors = read_model(options.model)
        if tokens.size > 0 and tokens.max() >= tensors.count("token_embd.weight"):
            raise Refusal(f"{options.tokens} holds {tokens.max()}, which is no token of {options.model}.")
        probe = None if options.module is None else read_module(options.module)
        scores, last, _ = run(hyper, tensors, tokens, probe=probe, window=options.window, kv_type=options.kv_type)
        write(options.out, scores)
        if options.logits is not None:
            write(options.logits, logits_of(hyper, tensors, last))
        print(json.dumps({"layers": hyper.layers, "kvHeads": hyper.kv_heads, "tokens": len(tokens)}))
        return 0
    except (Refusal, OSError, ValueError) as problem:
        print(f"reference: {problem}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
