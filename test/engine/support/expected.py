"""Expected attention (arXiv 2510.00636), computed a second time with nothing but NumPy: what the engine's scores are tested against.

The model is reference.py's; what is added here are the queries before their rotation, in float64, all of a layer's at once.

    python expected.py --model BASE.gguf --tokens TOKENS.u32 --out SCORES.f32

SCORES.f32 is little-endian float32 [layer][KV head][n]: with mean and covariance of the queries from position 4 on, turned by the mean
rotation of the positions n ... n + 511, the softmax over the tokens from the fourth on of k.mean/sqrt(d) + k.covariance.k/(2d), averaged over
the query heads that share a KV head, times the length of the value. The first 4 have the greatest score of their row. Each row is divided
by its sum. The other options, and the line of JSON, are reference.py's.
"""

import argparse
import json
import sys

import numpy
import reference

FIRST = 4
FUTURE = 512


class Observed(reference.Layer):
    """A layer that remembers its queries: what the norm of the queries (or its lack) hands on to the rotation."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.queries = []

    def norm(self, part, rows):
        normed = super().norm(part, rows)
        if part == "attn_q_norm":
            self.queries.append(normed.astype(numpy.float64))
        return normed


def mean_rotation(layer, positions):
    """[d][d], for column vectors: the mean of the rotations at these positions."""
    width = layer.hyper.key_length
    units = numpy.repeat(numpy.eye(width, dtype=numpy.float32)[None], len(positions), axis=0)
    turned = reference.rotate(units, positions, layer.hyper, layer.index, layer.factors)
    return turned.mean(axis=0, dtype=numpy.float64).T


def scores_of(layer, keys, values):
    """Scores [KV head][position] of one layer, by its queries, over keys and values [KV head][position][d]."""
    hyper = layer.hyper
    count = keys.shape[1]
    queries = numpy.concatenate(layer.queries)[FIRST:]
    rotation = mean_rotation(layer, count + numpy.arange(FUTURE))
    scale = hyper.attention_scale
    scores = numpy.zeros((hyper.kv_heads, count))
    group = hyper.heads // hyper.kv_heads
    for head in range(hyper.heads):
        own = queries[:, head]
        mean = rotation @ own.mean(axis=0)
        covariance = rotation @ numpy.cov(own, rowvar=False, bias=True) @ rotation.T
        key = keys[head // group, FIRST:].astype(numpy.float64)
        logits = scale * (key @ mean) + scale * scale / 2 * numpy.einsum("ti,ij,tj->t", key, covariance, key)
        weights = numpy.exp(logits - logits.max())
        scores[head // group, FIRST:] += weights / weights.sum() / group
    scores *= numpy.linalg.norm(values.astype(numpy.float64), axis=-1)
    scores[:, :FIRST] = scores[:, FIRST:].max(axis=-1, keepdims=True)
    return scores / scores.sum(axis=-1, keepdims=True)


def run(hyper, tensors, tokens, kv_type="f32", row_block=reference.ROW_BLOCK):
    """Reads the prompt. Returns scores [layer][KV head][n] and the last row as it leaves the last layer."""
    tokens = numpy.asarray(tokens, dtype=numpy.int64)
    count = len(tokens)
    if count <= FIRST:
        raise reference.Refusal(f"The prompt has {count} tokens; the first {FIRST} are no examples.")
    rows = reference.embed(hyper, tensors, tokens)
    scores = []
    for index in range(hyper.layers):
        layer = Observed(hyper, tensors, index, kv_type)
        keys = numpy.zeros((hyper.kv_heads, count, hyper.key_length), dtype=numpy.float32)
        values = numpy.zeros((hyper.kv_heads, count, hyper.value_length), dtype=numpy.float32)
        for start in range(0, count, row_block):
            end = min(start + row_block, count)
            query, key, value = layer.queries_keys_values(rows[start:end], numpy.arange(start, end), None)
            keys[:, start:end], values[:, start:end] = key.transpose(1, 0, 2), value.transpose(1, 0, 2)
            rows[start:end] = layer.finish(rows[start:end], layer.attend(query, start, keys, values)[0], None)
        if not hyper.is_sliding(index):
            scores.append(scores_of(layer, keys, values))
    return numpy.array(scores, dtype=numpy.float32), rows[-1]


def main(arguments):
    parser = argparse.ArgumentParser(description="Expected attention to a prompt, computed with NumPy.")
    parser.add_argument("--model", required=True)
    parser.add_argument("--tokens", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--logits")
    parser.add_argument("--kv-type", choices=["f32", "f16"], default="f32")
    options = parser.parse_args(arguments)
    try:
        tokens = numpy.fromfile(options.tokens, dtype="<u4")
        hyper, tensors = reference.read_model(options.model)
        scores, last = run(hyper, tensors, tokens, options.kv_type)
        reference.write(options.out, scores)
        if options.logits is not None:
            reference.write(options.logits, reference.logits_of(hyper, tensors, last))
        print(json.dumps({"layers": len(scores), "kvHeads": hyper.kv_heads, "tokens": len(tokens)}))
        return 0
    except (reference.Refusal, OSError, ValueError) as problem:
        print(f"expected: {problem}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
