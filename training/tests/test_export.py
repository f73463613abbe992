"""From a checkpoint to a module's file and back."""

from __future__ import annotations

import contextlib
import datetime
import io
import os
import unittest
from pathlib import Path

import numpy as np
import torch

from longsight_training.command_line import main
from longsight_training.errors import TrainingError
from longsight_training.learn.checkpoint import Checkpoint, check_checkpoint, read_checkpoint
from longsight_training.learn.loss import divergence
from longsight_training.learn.objective import Truth, predicted_loss, prepare
from longsight_training.learn.settings import read_settings
from longsight_training.learn.train import rate, train
from longsight_training.measure.modules import MountedModule, read_source
from longsight_training.model.load import LoadedBase
from longsight_training.model.passes import look_ahead
from longsight_training.module.base import BaseFile, likeness_of
from longsight_training.module.export import module_of
from longsight_training.module.file import Training, check_module, write_module
from longsight_training.module.read import read_module
from tests.test_learn import FolderTest
from tests.tiny_base import HEAD_WIDTH, HEADS, KV_HEADS, WIDTH, write_tiny_base
from tests.tiny_model import CONFIGS, base_of, group_of, lookahead_of, write_model


def numbers_of(lookahead) -> dict[str, np.ndarray]:
    return {name: parameter.detach().numpy() for name, parameter in lookahead.learned().items()}


def loss_of(base: LoadedBase, module: MountedModule, truth: Truth) -> torch.Tensor:
    """As predicted_loss, of a module that was read from a file."""
    losses = []

    def compare(layer: int, scores: torch.Tensor) -> None:
        if layer in truth.scores:
            losses.append(divergence(truth.scores[layer], scores[:, 0, :, : truth.valid.shape[1]], truth.valid).mean(dim=1))

    with module.at_work() as embeddings:
        look_ahead(base, [truth.prefix, truth.questions], embeddings, truth.lengths, compare)
    return torch.stack(losses).mean(dim=0)


class AModule(FolderTest):
    def described(self, architecture: str = "llama"):
        return BaseFile(write_tiny_base(self.folder / f"{architecture}.gguf", architecture=architecture)).describe()

    def export(self, learned, architecture: str = "llama", **over):
        values = {"alpha": 8.0, "pool_kernel": 7, "training": Training("made", 3, 90, "2026-11-29"), **over}
        return module_of(self.described(architecture), learned, **values)

    def test_pairs_a_heads_rows_as_llama_cpp_turns_them(self) -> None:
        learned = numbers_of(lookahead_of(base_of()))
        loras = self.export(learned).loras
        # transformers turns rows i and i + half together, llama.cpp rows 2i and 2i + 1.
        for linear, heads in (("attn_q", HEADS), ("attn_k", KV_HEADS)):
            name = f"blk.1.{linear}.weight"
            for head in range(heads):
                for pair in range(HEAD_WIDTH // 2):
                    for half in range(2):
                        here, there = head * HEAD_WIDTH + 2 * pair + half, head * HEAD_WIDTH + half * HEAD_WIDTH // 2 + pair
                        np.testing.assert_array_equal(loras[name].b[here], learned[f"{name}.lora_b"][there])

    def test_has_everything_else_in_its_order(self) -> None:
        for architecture in ("llama", "qwen2", "qwen3", "gemma3"):
            with self.subTest(architecture):
                learned = numbers_of(lookahead_of(base_of()))
                module = self.export(learned, architecture)
                check_module(module)
                np.testing.assert_array_equal(module.embeddings, learned["embeddings"])
                for name, lora in module.loras.items():
                    np.testing.assert_array_equal(lora.a, learned[f"{name}.lora_a"])
                    if architecture != "llama" or name.split(".")[2] not in ("attn_q", "attn_k"):
                        np.testing.assert_array_equal(lora.b, learned[f"{name}.lora_b"])

    def test_says_the_same_after_its_file_as_before(self) -> None:
        for model in CONFIGS:
            architecture = {"mistral": "llama", "gemma3_text": "gemma3"}.get(model, model)
            with self.subTest(model), torch.no_grad():
                base = base_of(model)
                (truth,) = prepare(base, lookahead_of(base_of(model)), group_of((5, 3), (7, 2)))
                lookahead = lookahead_of(base)
                before = predicted_loss(base, lookahead, truth)
                path = self.folder / f"{model}-module.gguf"
                write_module(self.export(numbers_of(lookahead), architecture), path)
                fresh = base_of(model)
                mounted = MountedModule(fresh, read_source(path, None, fresh, self.folder / f"{architecture}.gguf"))
                after = loss_of(fresh, mounted, truth)
                # The LoRA is kept in 16 bits.
                torch.testing.assert_close(after, before, atol=2e-3, rtol=2e-3)
                # So much it would be off with the LoRA forgotten.
                other = base_of(model)
                plain = predicted_loss(other, lookahead_of(other, random=False), truth)
                self.assertGreater(float((plain - before).abs().max()), 0.02)

    def test_of_another_model_is_refused_by_name(self) -> None:
        learned = numbers_of(lookahead_of(base_of()))
        del learned["blk.1.ffn_up.weight.lora_a"]
        with self.assertRaisesRegex(TrainingError, "not for Tiny: blk.1.ffn_up.weight.lora_a"):
            self.export(learned)
        learned["blk.1.ffn_up.weight.lora_a"] = np.zeros(4, dtype=np.float32)
        with self.assertRaisesRegex(TrainingError, "blk.1.ffn_up.weight.lora_a is not a matrix"):
            self.export(learned)
        learned["blk.1.ffn_up.weight.lora_a"] = np.zeros((4, WIDTH), dtype=np.float32)
        learned["blk.0.attn_q.weight.lora_b"] = np.zeros((30, 4), dtype=np.float32)
        with self.assertRaisesRegex(TrainingError, "blk.0.attn_q.weight has 30 outputs, the base 64"):
            self.export(learned)
        learned["blk.0.attn_q.weight.lora_b"] = np.full((64, 4), 1e6, dtype=np.float32)
        with self.assertRaisesRegex(TrainingError, "16-bit"):
            check_module(self.export(learned))


class ARunsCheckpoint(FolderTest):
    def test_becomes_a_module_that_says_where_it_comes_from(self) -> None:
        path = self.write_run(steps=2)
        run = self.quietly(lambda: train(read_settings(path)))
        checkpoint = self.folder / "run" / "checkpoint.pt"
        day = datetime.datetime(2026, 3, 4, 12)
        os.utime(checkpoint, (day.timestamp(), day.timestamp()))
        gguf = write_tiny_base(self.folder / "base.gguf")
        out = self.folder / "module.gguf"
        named = ["--base-name", "Tiny Chat", "--data-name", "Ferries"]
        code = self.quietly(lambda: main(["export", str(path), "--base", str(gguf), "--out", str(out), *named]))
        self.assertEqual(code, 0)
        module = read_module(out)
        self.assertEqual((module.base.name, module.name), ("Tiny Chat", "Lookahead module for Tiny Chat"))
        self.assertEqual(module.training, Training("Ferries", 2, run.longest, "2026-03-04"))
        self.assertEqual((module.alpha, module.pool_kernel, module.embeddings.shape), (32.0, 1, (4, WIDTH)))
        np.testing.assert_array_equal(module.embeddings, run.lookahead.embeddings.detach().numpy())
        name = "blk.0.ffn_down.weight"
        np.testing.assert_allclose(module.loras[name].b, run.lookahead.loras()[name].b.detach().numpy(), atol=1e-3)
        self.assertTrue(module.loras[name].b.any())

    def test_is_exported_with_the_settings_and_for_the_base_that_it_was_learned_with(self) -> None:
        path = self.write_run(steps=1, validation=[])
        self.quietly(lambda: train(read_settings(path)))

        def export(**over) -> str:
            said = io.StringIO()
            gguf = write_tiny_base(self.folder / "other.gguf", **over)
            with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
                code = main(["export", str(path), "--base", str(gguf), "--out", str(self.folder / "module.gguf")])
            self.assertEqual(code, 1 if said.getvalue() else 0)
            return said.getvalue()

        self.assertIn("learned for base, not for other.gguf: they differ in the kind of model", export(architecture="qwen2"))
        self.assertIn("they differ in the number of key-value heads", export(head_count_kv=4))
        self.assertEqual(export(), "")
        self.write_run(steps=1, validation=[], alpha=16)
        self.assertIn("checkpoint.pt was made with other settings: alpha “32”, now “16”", export())

    def exported(self, **over) -> Path:
        """What a run of four steps has learned, as a module."""
        path, out = self.write_run(**over), self.folder / "module.gguf"
        self.quietly(lambda: train(read_settings(path)))
        gguf = write_tiny_base(self.folder / "base.gguf")
        self.assertEqual(self.quietly(lambda: main(["export", str(path), "--base", str(gguf), "--out", str(out)])), 0)
        return out

    def test_is_gone_on_from_as_a_module_with_its_steps_counted(self) -> None:
        out = self.exported()
        learned = self.log_of("run")[-1]["validation"]["val"]
        further = self.quietly(lambda: train(read_settings(self.write_run(run="further", start=out.name, steps=9))))
        log = self.log_of("further")
        self.assertEqual(log[0]["step"], 4)
        self.assertAlmostEqual(log[0]["validation"]["val"], learned, places=3)
        self.assertEqual([line["step"] for line in log if "loss" in line], [5, 6, 7, 8, 9])
        self.assertEqual((further.step, further.first), (9, 4))
        # Its rates rise again from where it began, and the same command goes on from its checkpoint.
        self.assertEqual([rate(step, further.settings, 4) for step in (4, 5, 6)], [0.5, 1, 1])
        self.assertEqual(self.quietly(lambda: train(read_settings(self.write_run(run="further", start=out.name, steps=10)))).step, 10)

    def test_of_other_sizes_or_another_base_is_not_gone_on_from(self) -> None:
        out = self.exported(validation=[])
        for over, said in (
            ({"rank": 3}, "has rank 2, the settings 3. Write rank: 2 into them"), ({"tokens": 5}, "has tokens 4, the settings 5"),
            ({"alpha": 16}, "has alpha 32, the settings 16"),
        ):
            with self.subTest(said), self.assertRaisesRegex(TrainingError, said):
                self.quietly(lambda: train(read_settings(self.write_run(run="further", start=out.name, steps=9, **over))))
        write_model(self.folder / "elsewhere", "qwen2")
        with self.assertRaisesRegex(TrainingError, "is for .*, not for elsewhere: they differ in the kind of model"):
            self.quietly(lambda: train(read_settings(self.write_run(run="further", start=out.name, base="elsewhere", steps=9))))

    def test_for_a_base_of_another_tokenizer_is_refused(self) -> None:
        settings = read_settings(self.write_run())
        base = likeness_of(BaseFile(write_tiny_base(self.folder / "one.gguf")).describe())
        other = likeness_of(BaseFile(write_tiny_base(self.folder / "two.gguf", leave_out=("tokenizer.ggml.pre",))).describe())
        checkpoint = Checkpoint({}, 1, 1, {}, base, "")
        check_checkpoint(self.folder / "checkpoint.pt", checkpoint, settings, base, self.folder / "one.gguf")
        with self.assertRaisesRegex(TrainingError, "for base, not for two.gguf: they differ in the tokenizer"):
            check_checkpoint(self.folder / "checkpoint.pt", checkpoint, settings, other, self.folder / "two.gguf")

    def test_of_no_steps_or_none_or_a_damaged_one_is_refused_by_name(self) -> None:
        path = self.folder / "checkpoint.pt"
        with self.assertRaisesRegex(TrainingError, "no checkpoint .*checkpoint.pt"):
            read_checkpoint(path)
        for content in (b"", b"PK\x03\x04", b"text"):
            path.write_bytes(content)
            with self.subTest(content), self.assertRaisesRegex(TrainingError, "checkpoint.pt is damaged"):
                read_checkpoint(path)
        torch.save({"learned": {"embeddings": "text"}, "step": 1, "longest": 1}, path)
        with self.assertRaisesRegex(TrainingError, "checkpoint.pt is damaged"):
            read_checkpoint(path)
