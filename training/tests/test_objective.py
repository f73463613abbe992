"""The loss and its gradient."""

from __future__ import annotations

import math
import unittest
from unittest import mock

import torch

from longsight_training.learn import objective
from longsight_training.learn.groups import Group
from longsight_training.learn.loss import divergence, normalise
from longsight_training.learn.objective import in_parts, learn_truths, predicted_loss, prepare
from tests.test_model import assert_close, read_plainly
from tests.tiny_base import BLOCKS, HEADS
from tests.tiny_model import CONFIGS, base_of, group_of, lookahead_of

GROUP = group_of((5, 3), (9, 7), (2, 1))


class TheDivergence(unittest.TestCase):
    def test_of_a_case_by_hand(self) -> None:
        # Truth ½, ¼, ¼ after normalising, prediction ¼, ½, ¼: ½ ln 2 − ¼ ln 2 = ¼ ln 2. The fourth column is padding.
        truth = torch.tensor([[[2.0, 1.0, 1.0, 9.0]]])
        predicted = torch.tensor([[[0.1, 0.2, 0.1, 0.0]]])
        valid = torch.tensor([[True, True, True, False]])
        found = divergence(truth, predicted, valid)
        self.assertEqual(found.shape, (1, 1))
        self.assertAlmostEqual(float(found), math.log(2) / 4, places=6)

    def test_is_zero_where_the_prediction_is_the_truth_but_for_its_size(self) -> None:
        truth = torch.rand(2, 3, 50)
        valid = torch.ones(2, 50, dtype=torch.bool)
        torch.testing.assert_close(divergence(truth, truth * 0.3, valid), torch.zeros(2, 3), atol=1e-6, rtol=0)

    def test_is_above_zero_anywhere_else_and_finite_at_zeros(self) -> None:
        truth = torch.tensor([[[0.0, 1.0, 0.0]]])
        predicted = torch.tensor([[[1.0, 0.0, 0.0]]])
        found = float(divergence(truth, predicted, torch.ones(1, 3, dtype=torch.bool)))
        self.assertTrue(math.isfinite(found))
        self.assertGreater(found, 10)

    def test_normalises_over_the_valid_columns_alone(self) -> None:
        found = normalise(torch.tensor([[[1.0, 3.0, 5.0]]]), torch.tensor([[True, True, False]]))
        torch.testing.assert_close(found, torch.tensor([[[0.25, 0.75, 0.0]]]))


class TheTruth(unittest.TestCase):
    def test_is_the_mean_attention_of_the_responses_rows(self) -> None:
        for architecture in CONFIGS:
            with self.subTest(architecture):
                base = base_of(architecture)
                (truth,) = prepare(base, lookahead_of(base), GROUP)
                self.assertEqual(sorted(truth.scores), list(base.scored_layers))
                for index, branch in enumerate(GROUP.branches):
                    prompt = (*GROUP.prefix, *branch.question)
                    _, attentions = read_plainly(architecture, (*prompt, *branch.response))
                    self.assertEqual(int(truth.lengths[index]), len(prompt))
                    self.assertEqual(int(truth.valid[index].sum()), len(prompt))
                    for layer, scores in truth.scores.items():
                        self.assertEqual(scores.shape, (3, HEADS, 29))
                        expected = attentions[layer][:, len(prompt) :, : len(prompt)].mean(dim=1)
                        assert_close(scores[index][:, truth.valid[index]], expected)


class TheLoss(unittest.TestCase):
    def test_is_the_papers_over_layers_and_query_heads(self) -> None:
        for architecture in CONFIGS:
            with self.subTest(architecture):
                base = base_of(architecture)
                lookahead = lookahead_of(base)
                (truth,) = prepare(base, lookahead, GROUP)
                with torch.no_grad():
                    losses = predicted_loss(base, lookahead, truth)
                for index, branch in enumerate(GROUP.branches):
                    prompt = (*GROUP.prefix, *branch.question)
                    _, answered = read_plainly(architecture, (*prompt, *branch.response))
                    _, ahead = read_plainly(architecture, prompt, lookahead)
                    each = []
                    for layer in base.scored_layers:
                        for head in range(HEADS):
                            true = answered[layer][head, len(prompt) :, : len(prompt)].double().mean(dim=0)
                            said = ahead[layer][head, len(prompt) :, : len(prompt)].double().mean(dim=0)
                            true, said = true / true.sum(), said / said.sum()
                            each.append(float((true * (true / said).log()).sum()))
                    self.assertAlmostEqual(float(losses[index]), sum(each) / len(each), places=4)

    def test_is_zero_when_the_lookahead_rows_are_the_response(self) -> None:
        base = base_of()
        group = group_of((5, 4), (8, 4))
        # With the LoRA at zero, rows that are the response's own tokens see what the response sees.
        for branch in group.branches:
            alone = Group(group.name, group.source, group.prefix, (branch,))
            lookahead = lookahead_of(base_of(), random=False)
            with torch.no_grad():
                lookahead.embeddings.copy_(base.decoder.embed_tokens(torch.tensor(branch.response)))
                (truth,) = prepare(base, lookahead, alone)
                found = predicted_loss(base, lookahead, truth)
                lookahead.embeddings.add_(torch.randn(4, 64, generator=torch.Generator().manual_seed(1)))
                other = predicted_loss(base, lookahead, truth)
            self.assertLess(abs(float(found)), 1e-5)
            self.assertGreater(float(other), 1e-3)


class TheGradient(unittest.TestCase):
    def test_is_in_embeddings_and_lora_and_nowhere_in_the_base(self) -> None:
        for architecture in CONFIGS:
            with self.subTest(architecture):
                base = base_of(architecture)
                lookahead = lookahead_of(base)
                learn_truths(base, lookahead, prepare(base, lookahead, GROUP), 1.0)
                learned = {id(parameter): name for name, parameter in lookahead.learned().items()}
                for name, parameter in lookahead.learned().items():
                    # In the last layer no score can see the values: their LoRA is there for the file's sake.
                    seen = not name.startswith(f"blk.{BLOCKS - 1}.attn_v")
                    self.assertEqual(parameter.grad is not None and bool(parameter.grad.any()), seen, name)
                for name, parameter in [*base.decoder.named_parameters(), *base.head.named_parameters()]:
                    if id(parameter) not in learned:
                        self.assertIsNone(parameter.grad, name)
                        self.assertFalse(parameter.requires_grad, name)

    def test_is_that_of_a_small_step(self) -> None:
        base = base_of()
        lookahead = lookahead_of(base)
        truths = prepare(base, lookahead, GROUP)
        before = sum(learn_truths(base, lookahead, truths, 1.0)) / 3
        size = sum(float((parameter.grad**2).sum()) for parameter in lookahead.learned().values() if parameter.grad is not None)
        step = 1e-3 / math.sqrt(size)
        with torch.no_grad():
            for parameter in lookahead.learned().values():
                if parameter.grad is not None:
                    parameter -= step * parameter.grad
            after = float(predicted_loss(base, lookahead, truths[0]).mean())
        self.assertAlmostEqual((before - after) / (step * size), 1, delta=0.05)

    def test_does_not_hang_on_how_a_group_is_cut_into_parts(self) -> None:
        gradients, losses = [], []
        for room in (objective.ROW_BYTES, 1):
            base = base_of()
            lookahead = lookahead_of(base)
            with mock.patch.object(objective, "ROW_BYTES", room):
                self.assertEqual(len(in_parts(base, lookahead, GROUP)), 1 if room > 1 else 3)
                losses.append(learn_truths(base, lookahead, prepare(base, lookahead, GROUP), 0.5))
            gradients.append({name: parameter.grad for name, parameter in lookahead.learned().items()})
        torch.testing.assert_close(losses[0], losses[1], atol=1e-5, rtol=1e-4)
        for name, gradient in gradients[0].items():
            if gradient is not None:
                torch.testing.assert_close(gradient, gradients[1][name], atol=1e-5, rtol=1e-3, msg=name)
