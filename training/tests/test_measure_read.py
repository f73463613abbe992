"""The scores of the passes are those of transformers' own eager attention."""

from __future__ import annotations

import unittest

import numpy as np
import torch

from longsight_training.learn.groups import Branch
from longsight_training.measure.read import read_branch, read_lookahead, read_shared
from longsight_training.model.load import wrap_model
from tests.tiny_base import HEADS, WIDTH
from tests.tiny_model import CONFIGS, base_of, group_of, ids, model_of

CLOSE = {"atol": 2e-5, "rtol": 1e-3}
PREFIX, QUESTION, RESPONSE = 50, 9, 6
PROMPT = PREFIX + QUESTION
WINDOW = 32
"""The paper's, for snapkv."""


def attention_of(architecture: str, *, tokens=(), rows: torch.Tensor | None = None) -> np.ndarray:
    """Of every layer, (layers, heads, rows, columns), by transformers' eager attention; `rows`: embeddings behind the tokens."""
    model = model_of(architecture, attention="eager")
    with torch.no_grad():
        embedded = model.model.embed_tokens(torch.tensor([tokens]))
        if rows is not None:
            embedded = torch.cat([embedded, rows[None]], dim=1)
        found = model.model(inputs_embeds=embedded, output_attentions=True, use_cache=False).attentions
    return torch.stack([layer[0] for layer in found]).numpy()


class Scores(unittest.TestCase):
    def test_every_kind_is_that_of_one_plain_causal_pass(self) -> None:
        group = group_of((QUESTION, RESPONSE), prefix=PREFIX)
        branch = group.branches[0]
        for architecture in CONFIGS:
            with self.subTest(architecture):
                base = base_of(architecture)
                read = read_branch(base, read_shared(base, group.prefix), branch)
                plain = attention_of(architecture, tokens=(*group.prefix, *branch.question, *branch.response))
                plain = plain[list(base.scored_layers)][..., :PROMPT]
                self.assertEqual(read.tokens, PROMPT)
                self.assertEqual(read.truth.shape, (len(base.scored_layers), HEADS, PROMPT))
                np.testing.assert_allclose(read.truth, plain[:, :, PROMPT:].mean(axis=2), **CLOSE)
                np.testing.assert_allclose(read.snapkv, plain[:, :, PROMPT - WINDOW : PROMPT].mean(axis=2), **CLOSE)
                np.testing.assert_allclose(read.tova, plain[:, :, PROMPT - 1], **CLOSE)
                seen_by = PROMPT - np.arange(PROMPT)
                np.testing.assert_allclose(read.h2o, plain[:, :, :PROMPT].sum(axis=2) / seen_by, **CLOSE)

    def test_lookahead_rows_stand_behind_the_prompt_alone(self) -> None:
        group = group_of((QUESTION, RESPONSE), prefix=PREFIX)
        rows = torch.randn(5, WIDTH, generator=torch.Generator().manual_seed(4))
        for architecture in CONFIGS:
            with self.subTest(architecture):
                base = base_of(architecture)
                read = read_branch(base, read_shared(base, group.prefix), group.branches[0])
                found = read_lookahead(base, read.segments, read.tokens, rows)
                plain = attention_of(architecture, tokens=(*group.prefix, *group.branches[0].question), rows=rows)
                expected = plain[list(base.scored_layers)][:, :, PROMPT:, :PROMPT].mean(axis=2)
                np.testing.assert_allclose(found, expected, **CLOSE)

    def test_chunks_of_rows_give_what_one_chunk_gives(self) -> None:
        group = group_of((QUESTION, RESPONSE), prefix=PREFIX)
        for architecture in ("llama", "gemma3_text"):
            base = base_of(architecture)
            whole, *others = (
                read_branch(base, read_shared(base, group.prefix, chunk=chunk), group.branches[0]) for chunk in (1000, 7, 1)
            )
            for other in others:
                for kind in ("truth", "snapkv", "tova", "h2o"):
                    np.testing.assert_allclose(getattr(other, kind), getattr(whole, kind), **CLOSE)

    def test_prompts_shorter_than_the_window(self) -> None:
        base = base_of()
        for prefix, question in ((0, 1), (0, 5), (3, 1), (WINDOW, 2), (WINDOW + 1, 1)):
            with self.subTest(prefix=prefix, question=question):
                tokens, answer = ids(prefix + question), ids(3, 9)
                shared = read_shared(base, tokens[:prefix])
                read = read_branch(base, shared, Branch(tokens[prefix:], answer, "made"))
                plain = attention_of("llama", tokens=(*tokens, *answer))[..., : len(tokens)]
                window = min(WINDOW, len(tokens))
                np.testing.assert_allclose(read.snapkv, plain[:, :, len(tokens) - window : len(tokens)].mean(axis=2), **CLOSE)
                np.testing.assert_allclose(read.truth, plain[:, :, len(tokens) :].mean(axis=2), **CLOSE)

    def test_branches_of_a_group_do_not_touch_one_another(self) -> None:
        base = base_of()
        group = group_of((QUESTION, RESPONSE), (4, 8), prefix=PREFIX)
        shared = read_shared(base, group.prefix)
        first = read_branch(base, shared, group.branches[0])
        read_branch(base, shared, group.branches[1])
        again = read_branch(base, shared, group.branches[0])
        np.testing.assert_array_equal(first.h2o, again.h2o)
        np.testing.assert_array_equal(first.truth, again.truth)

    def test_sixteen_bits_give_nearly_the_same(self) -> None:
        group = group_of((QUESTION, RESPONSE), prefix=PREFIX)
        exact_base = base_of()
        exact = read_branch(exact_base, read_shared(exact_base, group.prefix), group.branches[0])
        base = wrap_model(model_of("llama").to(torch.bfloat16), None)
        rough = read_branch(base, read_shared(base, group.prefix), group.branches[0])
        self.assertEqual(rough.truth.dtype, np.float32)
        self.assertLess(float(np.abs(rough.truth - exact.truth).sum(axis=-1).mean()), 0.1)
        self.assertGreater(float(np.abs(rough.truth - exact.truth).max()), 0, "16 bits cannot be exact")
