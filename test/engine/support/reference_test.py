"""Tests of reference.py with small random models made in memory: python -m unittest reference_test (in this folder, needs numpy)."""

import unittest

import numpy

import reference

WIDTH, HIDDEN, VOCABULARY, RANK = 24, 40, 50, 4


def random_model(seed, architecture="llama", **changes):
    """Two layers, 4 heads on 2 KV heads of 8 dimensions; weights large enough that attention is far from uniform."""
    generator = numpy.random.default_rng(seed)
    shape = {"heads": 4, "kv_heads": 2, "key_length": 8, "value_length": 8, "rope_dimensions": 8, "rope_base": 100.0, "rope_scale": 1.0}
    hyper = reference.Hyper(**{"architecture": architecture, "layers": 2, "width": WIDTH, "epsilon": 1e-5, **shape, **changes})

    def draw(*size):
        return generator.normal(0, 0.4, size).astype(numpy.float32)

    entries = {"token_embd.weight": draw(VOCABULARY, WIDTH), "output_norm.weight": 1 + draw(WIDTH)}
    for layer in range(hyper.layers):
        weights = {"attn_norm": 1 + draw(WIDTH), "attn_q": draw(32, WIDTH), "attn_k": draw(16, WIDTH), "attn_v": draw(16, WIDTH)}
        weights |= {"attn_output": draw(WIDTH, 32), "ffn_norm": 1 + draw(WIDTH), "ffn_gate": draw(HIDDEN, WIDTH)}
        weights |= {"ffn_up": draw(HIDDEN, WIDTH), "ffn_down": draw(WIDTH, HIDDEN)}
        entries |= {f"blk.{layer}.{name}.weight": value for name, value in weights.items()}
        if architecture == "qwen2":
            entries |= {f"blk.{layer}.attn_{name}.bias": draw(size) for name, size in (("q", 32), ("k", 16), ("v", 16))}
    return hyper, reference.Tensors(entries)


def random_lora(seed, tensors):
    generator = numpy.random.default_rng(seed)
    pairs = {}
    for name, weight in tensors.entries.items():
        if name.startswith("blk.") and weight.ndim == 2:
            rows, columns = weight.shape
            pairs[name] = tuple(generator.normal(0, 0.3, size).astype(numpy.float32) for size in ((RANK, columns), (rows, RANK)))
    return pairs


def plain(hyper, prompt, probe, tokens, rows):
    """The same attention, written the plainest way: all rows at once, head by head, complex numbers for RoPE, float64.

    `prompt` and `probe` are dictionaries of weights, the probe's with its LoRA merged. Returns [layer][head][row][column].
    """
    count = len(tokens)
    total = count + len(rows)
    state = numpy.concatenate([prompt["token_embd.weight"][tokens], rows]).astype(numpy.float64)
    norm = lambda x, weight: x / numpy.sqrt((x * x).mean(-1, keepdims=True) + hyper.epsilon) * weight  # noqa: E731

    def linear(part, x):
        parts = []
        for block, weights in ((x[:count], prompt), (x[count:], probe)):
            parts.append(block @ weights[f"{part}.weight"].astype(numpy.float64).T + weights.get(f"{part}.bias", 0.0))
        return numpy.concatenate(parts)

    def turn(x):
        pairs = x.shape[-1] // 2
        turns = numpy.exp(1j * numpy.outer(numpy.arange(total), hyper.rope_base ** (-numpy.arange(pairs) / pairs)))
        if hyper.architecture == "llama":
            turned = (x[:, 0::2] + 1j * x[:, 1::2]) * turns
            return numpy.stack([turned.real, turned.imag], axis=-1).reshape(x.shape)
        turned = (x[:, :pairs] + 1j * x[:, pairs:]) * turns
        return numpy.concatenate([turned.real, turned.imag], axis=-1)

    matrices = []
    for layer in range(hyper.layers):
        name = f"blk.{layer}"
        normed = norm(state, prompt[f"{name}.attn_norm.weight"])
        query, key, value = (linear(f"{name}.attn_{part}", normed) for part in ("q", "k", "v"))
        outputs, heads = [], []
        for head in range(hyper.heads):
            shared = head // (hyper.heads // hyper.kv_heads)
            own, other = slice(head * 8, head * 8 + 8), slice(shared * 8, shared * 8 + 8)
            scores = turn(query[:, own]) @ turn(key[:, other]).T / numpy.sqrt(8)
            scores[numpy.triu_indices(total, 1)] = -numpy.inf
            weights = numpy.exp(scores - scores.max(-1, keepdims=True))
            heads.append(weights / weights.sum(-1, keepdims=True))
            outputs.append(heads[-1] @ value[:, other])
        matrices.append(heads)
        state = state + linear(f"{name}.attn_output", numpy.concatenate(outputs, axis=-1))
        normed = norm(state, prompt[f"{name}.ffn_norm.weight"])
        gate = linear(f"{name}.ffn_gate", normed)
        state = state + linear(f"{name}.ffn_down", gate / (1 + numpy.exp(-gate)) * linear(f"{name}.ffn_up", normed))
    return numpy.array(matrices), state


def merged(tensors, lora, alpha):
    weights = dict(tensors.entries)
    for name, (a, b) in lora.items():
        weights[name] = weights[name] + alpha / RANK * (b @ a)
    return weights


TOKENS = numpy.random.default_rng(7).integers(0, VOCABULARY, 75)
ROWS = numpy.random.default_rng(8).normal(0, 0.4, (5, WIDTH)).astype(numpy.float32)


class ReferenceTest(unittest.TestCase):
    def close(self, actual, expected, tolerance=2e-6):
        numpy.testing.assert_allclose(actual, expected, atol=tolerance, rtol=0)

    def group_means(self, matrices, rows):
        picked = matrices[:, :, rows, : len(TOKENS)].mean(axis=2)
        return picked.reshape(2, 2, 2, len(TOKENS)).mean(axis=2)

    def test_lookahead_is_the_plain_attention_of_merged_weights(self):
        for architecture in ("llama", "qwen2", "qwen3"):
            hyper, tensors = random_model(1, architecture)
            lora = random_lora(2, tensors)
            matrices, state = plain(hyper, tensors.entries, merged(tensors, lora, 8.0), TOKENS, ROWS)
            for row_block in (16, 75, 256):
                probe = reference.Probe(ROWS, lora, 8.0)
                scores, last, rows = reference.run(hyper, tensors, TOKENS, probe=probe, row_block=row_block)
                self.close(scores, self.group_means(matrices, slice(75, 80)))
                self.close(last, state[74], 2e-4)
                self.close(rows, state[75:], 2e-4)
            without = reference.run(hyper, tensors, TOKENS, probe=reference.Probe(ROWS))[0]
            self.assertGreater(numpy.abs(scores - without).max(), 0.01)

    def test_a_window_is_the_mean_of_the_last_rows(self):
        hyper, tensors = random_model(3)
        matrices, _ = plain(hyper, tensors.entries, tensors.entries, TOKENS, ROWS[:0])
        for window in (1, 5, 32, 75, 100):
            for row_block in (16, 256):
                scores = reference.run(hyper, tensors, TOKENS, window=window, row_block=row_block)[0]
                self.close(scores, self.group_means(matrices, slice(max(0, 75 - window), 75)))

    def test_rows_of_attention_sum_to_one(self):
        hyper, tensors = random_model(4)
        scores = reference.run(hyper, tensors, TOKENS, window=32)[0]
        self.close(scores.sum(axis=-1), 1.0)
        # Part of a probe's attention is on the probe itself; a first row alone sees the prompt and its own column.
        sums = reference.run(hyper, tensors, TOKENS, probe=reference.Probe(ROWS))[0].sum(axis=-1)
        self.assertTrue((sums > 0).all() and (sums < 1).all())

    def test_a_lora_of_zeros_is_no_lora(self):
        hyper, tensors = random_model(5)
        zeros = {name: (a, numpy.zeros_like(b)) for name, (a, b) in random_lora(6, tensors).items()}
        with_zeros, without = (
            reference.run(hyper, tensors, TOKENS, probe=reference.Probe(ROWS, lora, 8.0))[0] for lora in (zeros, {})
        )
        numpy.testing.assert_array_equal(with_zeros, without)

    def test_probe_rows_that_are_tokens_attend_like_a_longer_prompt(self):
        hyper, tensors = random_model(9)
        probe = reference.Probe(reference.embed(hyper, tensors, TOKENS[60:]))
        scores = reference.run(hyper, tensors, TOKENS[:60], probe=probe)[0]
        longer = reference.run(hyper, tensors, TOKENS, window=15)[0]
        self.close(scores, longer[:, :, :60])

    def test_a_sliding_layer_sees_its_window_alone(self):
        extra = {"sliding_window": 10, "sliding_period": 2}
        hyper, tensors = random_model(10, "gemma3", **extra)
        scores = reference.run(hyper, tensors, TOKENS, window=1, row_block=16)[0]
        self.assertTrue((scores[0, :, :65] == 0).all() and (scores[0, :, 65:] > 0).all())
        self.assertTrue((scores[1] > 0).all())
        self.close(scores.sum(axis=-1), 1.0)

    def test_f16_rounds_what_the_cache_holds(self):
        hyper, tensors = random_model(11)
        full, half = (reference.run(hyper, tensors, TOKENS, window=8, kv_type=kind)[0] for kind in ("f32", "f16"))
        difference = numpy.abs(full - half).max()
        self.assertTrue(0 < difference < 5e-3, difference)

    def test_nothing_to_read_is_refused(self):
        hyper, tensors = random_model(12)
        with self.assertRaisesRegex(reference.Refusal, "no tokens"):
            reference.run(hyper, tensors, [])
        del tensors.entries["blk.1.ffn_up.weight"]
        with self.assertRaisesRegex(reference.Refusal, "blk.1.ffn_up.weight"):
            reference.run(hyper, tensors, TOKENS)


if __name__ == "__main__":
    unittest.main()
