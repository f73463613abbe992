"""The measures and the bootstrap, against plain references and cases worked out by hand."""

from __future__ import annotations

import itertools
import math
import unittest

import numpy as np
import torch

from longsight_training.measure.metrics import BUDGETS, kept, mean_divergence, order_by, pool, rank_correlation, to_kv_heads
from longsight_training.measure.policies import streaming_order
from longsight_training.measure.statistics import differences, estimate

LAYERS, KV_HEADS, GROUP = 2, 3, 2


def drawn(tokens: int, seed: int, heads: int = KV_HEADS) -> np.ndarray:
    return np.random.default_rng(seed).random((LAYERS, heads, tokens), dtype=np.float32)


def with_ties(tokens: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 7, (LAYERS, KV_HEADS, tokens)).astype(np.float32)


def best(scores, budget: int) -> set[int]:
    """The plain way: of equal scores the earlier token."""
    return set(sorted(range(len(scores)), key=lambda token: (-float(scores[token]), token))[:budget])


def plain_tau(one, other) -> float:
    """τ-b by all pairs."""
    both = more_one = more_other = 0
    for first, second in itertools.combinations(range(len(one)), 2):
        a = np.sign(one[first] - one[second])
        b = np.sign(other[first] - other[second])
        both, more_one, more_other = both + a * b, more_one + a * a, more_other + b * b
    return both / math.sqrt(more_one * more_other)


def over_heads(measure, *arrays) -> float:
    """The mean of a measure over layers and heads."""
    found = [measure(*(array[layer, head] for array in arrays)) for layer, head in np.ndindex(arrays[0].shape[:2])]
    return sum(found) / len(found)


class Metrics(unittest.TestCase):
    def test_recall_and_mass_are_those_of_sets(self) -> None:
        for tokens, make in ((40, drawn), (40, with_ties), (300, drawn), (300, with_ties)):
            with self.subTest(tokens=tokens, make=make.__name__):
                truth, scores = make(tokens, 1), make(tokens, 2)
                recall, mass = kept(truth, order_by(scores))
                self.assertEqual(list(recall), [budget for budget in BUDGETS if budget < tokens])
                self.assertEqual(list(mass), list(recall))
                for budget in recall:
                    expected = over_heads(lambda t, s: len(best(t, budget) & best(s, budget)) / budget, truth, scores)
                    self.assertAlmostEqual(recall[budget], expected, places=6)
                    expected = over_heads(lambda t, s: sum(t[token] for token in best(s, budget)) / t.sum(), truth, scores)
                    self.assertAlmostEqual(mass[budget], expected, places=5)

    def test_a_prompt_no_longer_than_the_smallest_budget_has_neither(self) -> None:
        self.assertEqual(kept(drawn(16, 1), order_by(drawn(16, 2))), ({}, {}))
        self.assertEqual(list(kept(drawn(17, 1), order_by(drawn(17, 2)))[0]), [16])

    def test_a_case_by_hand(self) -> None:
        truth = np.zeros((1, 1, 20), np.float32)
        truth[0, 0, :4] = (4, 3, 2, 1)
        order = np.arange(19, -1, -1)[None, None]
        # The order's sixteen best are tokens 4 … 19; the truth's are 0 … 15.
        recall, mass = kept(truth, order)
        self.assertAlmostEqual(recall[16], 12 / 16)
        self.assertEqual(mass[16], 0)
        self.assertAlmostEqual(kept(truth, order_by(truth))[1][16], 1)

    def test_kendall_is_tau_b_over_all_pairs(self) -> None:
        for make in (drawn, with_ties):
            truth, scores = make(30, 3), make(30, 4)
            self.assertAlmostEqual(rank_correlation(truth, scores), over_heads(plain_tau, truth, scores), places=6)
        self.assertAlmostEqual(rank_correlation(drawn(30, 3), drawn(30, 3)), 1)
        self.assertAlmostEqual(rank_correlation(drawn(30, 3), -drawn(30, 3)), -1)
        flat = drawn(30, 3)
        flat[0] = 1
        self.assertAlmostEqual(rank_correlation(drawn(30, 3), flat), 0.5)

    def test_divergence_is_of_normalised_scores(self) -> None:
        truth = np.array([[[2.0, 2.0, 0.0]]], np.float32)
        scores = np.array([[[0.1, 0.3, 0.4]]], np.float32)
        expected = 0.5 * math.log(0.5 / (1 / 8)) + 0.5 * math.log(0.5 / (3 / 8))
        self.assertAlmostEqual(mean_divergence(truth, scores), expected, places=6)
        self.assertAlmostEqual(mean_divergence(drawn(30, 5), 3 * drawn(30, 5)), 0, places=6)

    def test_max_pool_is_torchs(self) -> None:
        scores = drawn(50, 6)
        for kernel in (1, 3, 7):
            expected = torch.nn.functional.max_pool1d(torch.from_numpy(scores), kernel, stride=1, padding=kernel // 2)
            np.testing.assert_array_equal(pool(scores, kernel), expected.numpy())
        negative = pool(-scores, 7)
        self.assertLess(negative.max(), 0, "the padding must never win")

    def test_a_kv_heads_score_is_the_mean_of_its_own_query_heads(self) -> None:
        scores = drawn(5, 7, heads=KV_HEADS * GROUP)
        found = to_kv_heads(scores, KV_HEADS)
        for head in range(KV_HEADS):
            np.testing.assert_allclose(found[:, head], (scores[:, 2 * head] + scores[:, 2 * head + 1]) / 2, rtol=1e-6)
            largest = np.maximum(scores[:, 2 * head], scores[:, 2 * head + 1])
            np.testing.assert_array_equal(to_kv_heads(scores, KV_HEADS, largest=True)[:, head], largest)

    def test_streaming_takes_the_first_four_then_the_latest(self) -> None:
        self.assertEqual(streaming_order(9).tolist(), [0, 1, 2, 3, 8, 7, 6, 5, 4])
        self.assertEqual(streaming_order(3).tolist(), [0, 1, 2])


class Bootstrap(unittest.TestCase):
    def test_the_same_values_give_the_same_interval_around_the_mean(self) -> None:
        values = np.random.default_rng(1).random(60).tolist()
        groups = [index // 3 for index in range(60)]
        found = estimate(values, groups)
        self.assertEqual(found, estimate(values, groups))
        self.assertAlmostEqual(found.mean, sum(values) / 60)
        self.assertTrue(found.low < found.mean < found.high)

    def test_the_interval_is_about_as_wide_as_theory_has_it(self) -> None:
        values = np.random.default_rng(2).normal(size=400).tolist()
        found = estimate(values, range(400))
        self.assertAlmostEqual((found.high - found.low) / 2, 1.96 / 20, delta=0.012)

    def test_whole_groups_are_drawn(self) -> None:
        # Equal prompts in a group tell no more than one of them.
        values = np.random.default_rng(3).random(20).tolist()
        once = estimate(values, range(20))
        repeated = estimate([value for value in values for _ in range(5)], [group for group in range(20) for _ in range(5)])
        self.assertAlmostEqual(once.low, repeated.low)
        self.assertAlmostEqual(once.high, repeated.high)
        self.assertEqual(repeated.prompts, 100)

    def test_a_draw_is_the_mean_of_its_prompts_however_large_its_groups(self) -> None:
        # A group of one prompt and one of three: the draws are (a, a), (a, b), (b, a) and (b, b).
        found = estimate([1.0, 0.0, 0.0, 0.0], [0, 1, 1, 1])
        self.assertEqual((found.mean, found.low, found.high), (0.25, 0.0, 1.0))

    def test_prompts_without_a_value_do_not_count(self) -> None:
        found = estimate([1.0, None, 3.0, None], [0, 1, 2, 3])
        self.assertEqual((found.mean, found.prompts), (2.0, 2))
        self.assertIsNone(estimate([None, None], [0, 1]))

    def test_one_group_has_no_interval(self) -> None:
        found = estimate([1.0, 2.0], [4, 4])
        self.assertEqual((found.mean, found.low, found.high), (1.5, None, None))

    def test_differences_are_taken_prompt_by_prompt(self) -> None:
        ahead = differences([1.0, None, 5.0, 2.0], [0.5, 1.0, 4.5, None])
        self.assertEqual(ahead, [0.5, None, 0.5, None])
        found = estimate(ahead, range(4))
        self.assertEqual((found.low, found.mean, found.high), (0.5, 0.5, 0.5))
