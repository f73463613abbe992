"""The passes over the base: the same numbers as transformers' own attention, whatever is shared, cached or padded."""

from __future__ import annotations

import unittest

import torch

from longsight_training.errors import TrainingError
from longsight_training.learn.objective import Lookahead
from longsight_training.model.attention import Keys
from longsight_training.model.load import LoadedBase, load_base, wrap_model
from longsight_training.model.passes import look_ahead, read_prefix, read_rows
from longsight_training.module.base import lora_linears
from tests.tiny_base import BLOCKS, HEADS, KV_HEADS, SHAPES, WIDTH
from tests.tiny_model import CONFIGS, VOCABULARY, WINDOW, base_of, ids, lookahead_of, model_of

PROMPT = 30
ROWS = 4


def read_plainly(architecture: str, tokens, lookahead: Lookahead | None = None):
    """One causal pass by transformers' eager attention, the lookahead rows behind the prompt, the LoRA added to those alone.

    Returns the last hidden rows (rows, width) and each layer's attention (heads, rows, columns).
    """
    model = model_of(architecture, attention="eager")
    rows = model.model.embed_tokens(torch.tensor([tokens]))
    if lookahead is not None:
        rows = torch.cat([rows, lookahead.embeddings[None]], dim=1)
        for name, lora in lookahead.loras().items():
            _, block, linear, _ = name.split(".")
            own = {"attn_q": "q_proj", "attn_k": "k_proj", "attn_v": "v_proj", "attn_output": "o_proj"}
            parent = model.model.layers[int(block)]
            child = getattr(parent.self_attn, own[linear]) if linear in own else getattr(parent.mlp, linear[4:] + "_proj")
            child.register_forward_hook(adding(lora, len(tokens)))
    with torch.no_grad():
        found = model.model(inputs_embeds=rows, output_attentions=True, use_cache=False)
    return found.last_hidden_state[0], [attention[0] for attention in found.attentions]


def adding(lora, prompt: int):
    """The LoRA as the paper writes it (eq. 3): [0; rows] · A · B · alpha / rank."""

    def hook(_, inputs, output):
        rows = inputs[0].clone()
        rows[:, :prompt] = 0
        return output + rows @ lora.a.T @ lora.b.T * lora.scale

    return hook


def read_whole(base: LoadedBase, tokens) -> Keys:
    with torch.no_grad():
        return read_prefix(base, tokens)


def scores_of(base: LoadedBase, lookahead: Lookahead, segments: list[Keys], lengths: list[int]) -> dict[int, torch.Tensor]:
    found: dict[int, torch.Tensor] = {}
    with torch.no_grad(), lookahead.switch.active():
        look_ahead(base, segments, lookahead.embeddings, torch.tensor(lengths), lambda layer, scores: found.update({layer: scores[:, 0]}))
    return found


def assert_close(one: torch.Tensor, other: torch.Tensor) -> None:
    torch.testing.assert_close(one, other, atol=2e-5, rtol=1e-4)


class EveryArchitecture(unittest.TestCase):
    def test_reads_a_prompt_as_transformers_does(self) -> None:
        for architecture in CONFIGS:
            with self.subTest(architecture):
                base = base_of(architecture)
                expected, _ = read_plainly(architecture, ids(PROMPT))
                first = Keys(torch.zeros(1, 0, dtype=torch.long), torch.zeros(1, 0, dtype=torch.bool))
                first.layers = {layer: (torch.zeros(1, KV_HEADS, 0, 16),) * 2 for layer in range(BLOCKS)}
                # The one way through the keys alone, the other through rows behind them.
                whole = read_whole(base, ids(PROMPT))
                kept, hidden = read_rows(base, [first], [ids(PROMPT)], torch.tensor([0]))
                assert_close(hidden[0], expected)
                for layer in range(BLOCKS):
                    for one, other in zip(whole.layers[layer], kept.layers[layer]):
                        assert_close(one, other)

    def test_looks_ahead_on_cached_keys_as_in_one_causal_pass(self) -> None:
        for architecture in CONFIGS:
            with self.subTest(architecture):
                base = base_of(architecture)
                lookahead = lookahead_of(base, tokens=ROWS)
                found = scores_of(base, lookahead, [read_whole(base, ids(PROMPT))], [PROMPT])
                _, attentions = read_plainly(architecture, ids(PROMPT), lookahead)
                self.assertEqual(sorted(found), list(range(BLOCKS)))
                for layer, scores in found.items():
                    self.assertEqual(scores.shape, (1, HEADS, PROMPT + ROWS))
                    assert_close(scores[0], attentions[layer][:, PROMPT:].mean(dim=1))

    def test_the_lora_is_in_those_scores(self) -> None:
        base = base_of()
        lookahead = lookahead_of(base)
        whole = read_whole(base, ids(PROMPT))
        changed = scores_of(base, lookahead, [whole], [PROMPT])
        for lora in lookahead.loras().values():
            torch.nn.init.zeros_(lora.b)
        plain = scores_of(base, lookahead, [whole], [PROMPT])
        for layer in range(BLOCKS):
            self.assertGreater(float((changed[layer] - plain[layer]).abs().max()), 0.01)

    def test_has_a_lora_of_the_right_shapes_where_a_score_can_see_it(self) -> None:
        for architecture in CONFIGS:
            with self.subTest(architecture):
                loras = lookahead_of(base_of(architecture)).loras()
                self.assertEqual(list(loras), lora_linears(BLOCKS))
                for name, lora in loras.items():
                    outputs, inputs = SHAPES[name.split(".")[2]]
                    self.assertEqual((tuple(lora.a.shape), tuple(lora.b.shape)), ((4, inputs), (outputs, 4)))
                last = {name.split(".")[2] for name in loras if name.startswith(f"blk.{BLOCKS - 1}.")}
                self.assertEqual(last, {"attn_q", "attn_k", "attn_v"})


class ThePrompt(unittest.TestCase):
    def test_is_bit_identical_with_and_without_the_lora_beside_it(self) -> None:
        for architecture in CONFIGS:
            with self.subTest(architecture), torch.no_grad():
                base = base_of(architecture)
                before = read_whole(base, ids(PROMPT))
                _, hidden = read_rows(base, [before], [ids(6, 1)], torch.tensor([PROMPT]))
                logits = base.head(hidden)
                lookahead = lookahead_of(base)
                scores_of(base, lookahead, [before], [PROMPT])
                after = read_whole(base, ids(PROMPT))
                _, again = read_rows(base, [after], [ids(6, 1)], torch.tensor([PROMPT]))
                self.assertTrue(torch.equal(base.head(again), logits))
                for layer in range(BLOCKS):
                    for one, other in zip(before.layers[layer], after.layers[layer]):
                        self.assertTrue(torch.equal(one, other))

    def test_would_be_another_with_the_lora_on(self) -> None:
        base = base_of()
        before = read_whole(base, ids(PROMPT))
        lookahead = lookahead_of(base)
        with lookahead.switch.active():
            after = read_whole(base, ids(PROMPT))
        self.assertFalse(torch.allclose(before.layers[1][0], after.layers[1][0], atol=1e-3))

    def test_is_off_again_when_a_pass_fails(self) -> None:
        switch = lookahead_of(base_of()).switch
        with self.assertRaises(ZeroDivisionError), switch.active():
            raise ZeroDivisionError
        self.assertFalse(switch.on)


class BranchesOfOnePrefix(unittest.TestCase):
    QUESTIONS = (ids(5, 1), ids(11, 2), ids(1, 3))

    def test_are_read_as_each_alone_and_as_one_prompt(self) -> None:
        for architecture in CONFIGS:
            with self.subTest(architecture):
                base = base_of(architecture)
                prefix = read_whole(base, ids(PROMPT))
                first = torch.full((3,), PROMPT)
                _, together = read_rows(base, [prefix], self.QUESTIONS, first)
                for index, question in enumerate(self.QUESTIONS):
                    _, alone = read_rows(base, [prefix], [question], first[:1])
                    expected, _ = read_plainly(architecture, (*ids(PROMPT), *question))
                    # What pads the shorter ones is behind their own rows.
                    assert_close(together[index, : len(question)], alone[0])
                    assert_close(alone[0], expected[PROMPT:])

    def test_are_looked_ahead_from_as_each_alone_whatever_the_padding_holds(self) -> None:
        for architecture in CONFIGS:
            with self.subTest(architecture):
                base = base_of(architecture)
                lookahead = lookahead_of(base, tokens=ROWS)
                prefix = read_whole(base, ids(PROMPT))
                asked, _ = read_rows(base, [prefix], self.QUESTIONS, torch.full((3,), PROMPT))
                lengths = [PROMPT + len(question) for question in self.QUESTIONS]
                together = scores_of(base, lookahead, [prefix, asked], lengths)
                for keys, values in asked.layers.values():
                    keys[~asked.valid[:, None].expand(keys.shape[:3])] = 1e3
                    values[~asked.valid[:, None].expand(values.shape[:3])] = -1e3
                spoiled = scores_of(base, lookahead, [prefix, asked], lengths)
                for index, question in enumerate(self.QUESTIONS):
                    _, attentions = read_plainly(architecture, (*ids(PROMPT), *question), lookahead)
                    for layer in range(BLOCKS):
                        expected = attentions[layer][:, lengths[index] :, : lengths[index]].mean(dim=1)
                        assert_close(together[layer][index][:, : lengths[index]], expected)
                        assert_close(spoiled[layer][index][:, : lengths[index]], expected)
                        padding = together[layer][index][:, lengths[index] : PROMPT + 11]
                        self.assertEqual(float(padding.abs().sum()), 0)


class SlidingLayers(unittest.TestCase):
    def test_are_left_out_of_what_is_scored(self) -> None:
        self.assertEqual(base_of("gemma3_text").scored_layers, (1, 2))
        self.assertEqual(base_of("llama").scored_layers, (0, 1, 2))

    def test_see_their_window_only(self) -> None:
        base = base_of("gemma3_text")
        lookahead = lookahead_of(base, tokens=ROWS)
        found = scores_of(base, lookahead, [read_whole(base, ids(PROMPT))], [PROMPT])
        # The window is of 8: the first lookahead row, at position 30, sees from position 23 on.
        self.assertEqual(float(found[0][..., : PROMPT - 7].abs().sum()), 0)
        self.assertGreater(float(found[0][..., PROMPT - 7].min()), 0)
        self.assertGreater(float(found[1][..., : PROMPT - 7].sum()), 0)


class ABase(unittest.TestCase):
    def test_of_an_unknown_kind_is_refused_by_name(self) -> None:
        model = model_of("llama")
        model.config.model_type = "mamba"
        with self.assertRaisesRegex(TrainingError, "“mamba”.*llama, mistral, qwen2, qwen3, gemma3_text"):
            wrap_model(model, None)

    def test_that_sees_only_a_window_is_refused(self) -> None:
        model = model_of("mistral")
        model.config.sliding_window = WINDOW
        with self.assertRaisesRegex(TrainingError, "nothing to evict"):
            wrap_model(model, None)

    def test_that_is_missing_is_refused_by_name(self) -> None:
        with self.assertRaisesRegex(TrainingError, "gone was not found"):
            load_base("gone", dtype=torch.float32, device="cpu")

    def test_without_a_linear_layer_in_its_place_is_refused_by_name(self) -> None:
        base = base_of()
        base.decoder.layers[1].mlp.gate_proj = torch.nn.Identity()
        with self.assertRaisesRegex(TrainingError, "no linear layer mlp.gate_proj in block 1"):
            lookahead_of(base)

    def test_says_its_sizes(self) -> None:
        base = base_of("qwen2")
        self.assertEqual((base.heads, base.kv_heads, base.width, base.context_length), (HEADS, KV_HEADS, WIDTH, 2048))
        self.assertEqual(base.head.out_features, VOCABULARY)
        self.assertFalse(any(parameter.requires_grad for parameter in base.decoder.parameters()))
