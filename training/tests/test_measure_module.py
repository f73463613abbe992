"""Modules read back: from their files, whose rows llama.cpp orders otherwise, and from a run's checkpoint, into the base and out again."""

from __future__ import annotations

import dataclasses
import tempfile
import unittest
from pathlib import Path

import numpy as np
import torch
from gguf import GGUFReader, GGUFWriter
from transformers import AutoModelForCausalLM

from longsight_training.errors import TrainingError
from longsight_training.measure.modules import MountedModule, read_source
from longsight_training.measure.read import read_branch, read_lookahead, read_shared
from longsight_training.module.base import ATTENTION_LINEARS, Base, LinearShape, lora_linears
from longsight_training.module.export import module_of
from longsight_training.module.file import Lora, Module, Training, write_module
from longsight_training.module.permute import from_file_rows, permuted_heads, to_file_rows
from longsight_training.module.read import read_module
from tests.tiny_base import BLOCKS, FEED_FORWARD, HEADS, KV_HEADS, SHAPES, WIDTH
from tests.tiny_model import VOCABULARY, base_of, group_of, lookahead_of


def tiny_module(architecture: str = "llama", *, tokens: int = 4, width: int = WIDTH) -> Module:
    """Of random numbers that 16 bits hold exactly."""
    random = np.random.default_rng(11)

    def matrix(*shape: int) -> np.ndarray:
        return random.normal(size=shape, scale=0.1).astype(np.float16).astype(np.float32)

    linears = tuple(LinearShape(name, *reversed(SHAPES[name.split(".")[2]])) for name in lora_linears(BLOCKS))
    loras = {linear.name: Lora(matrix(4, linear.inputs), matrix(linear.outputs, 4)) for linear in linears}
    base = Base(architecture, "Tiny", BLOCKS, width, HEADS, KV_HEADS, "0" * 64, linears)
    return Module(base, "Tiny module", 5, 8.0, matrix(tokens, width), loras, Training("made", 12, 99, "2026-11-29"))


def write_tiny_llama(path: Path) -> Path:
    """A whole llama model as GGUF, of random weights."""
    random = np.random.default_rng(12)
    writer = GGUFWriter(path, "llama")
    writer.add_block_count(BLOCKS)
    writer.add_context_length(64)
    writer.add_embedding_length(WIDTH)
    writer.add_feed_forward_length(FEED_FORWARD)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KV_HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(10000.0)
    writer.add_vocab_size(VOCABULARY)
    tensors = {"token_embd.weight": (VOCABULARY, WIDTH), "output.weight": (VOCABULARY, WIDTH), "output_norm.weight": (WIDTH,)}
    for block in range(BLOCKS):
        tensors |= {f"blk.{block}.{linear}.weight": shape for linear, shape in SHAPES.items()}
        tensors |= {f"blk.{block}.{norm}.weight": (WIDTH,) for norm in ("attn_norm", "ffn_norm")}
    for name, shape in tensors.items():
        writer.add_tensor(name, random.normal(size=shape).astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


class Permute(unittest.TestCase):
    def test_there_and_back_again(self) -> None:
        rows = np.arange(4 * 6 * 3).reshape(24, 3)
        for heads in (1, 2, 4):
            np.testing.assert_array_equal(from_file_rows(to_file_rows(rows, heads), heads), rows)
            np.testing.assert_array_equal(to_file_rows(from_file_rows(rows, heads), heads), rows)
        self.assertFalse(np.array_equal(to_file_rows(rows, 2), rows))

    def test_pairs_by_hand(self) -> None:
        # One head of six rows: transformers turns 0 with 3, 1 with 4, 2 with 5; llama.cpp turns neighbours.
        self.assertEqual(to_file_rows(np.arange(6), 1).tolist(), [0, 3, 1, 4, 2, 5])
        self.assertEqual(to_file_rows(np.arange(8), 2).tolist(), [0, 2, 1, 3, 4, 6, 5, 7])

    def test_the_rows_of_a_file_are_those_that_transformers_loads(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = write_tiny_llama(Path(folder) / "tiny.gguf")
            stored = {tensor.name: np.array(tensor.data) for tensor in GGUFReader(path).tensors}
            model = AutoModelForCausalLM.from_pretrained(folder, gguf_file=path.name, dtype=torch.float32)
        for block, layer in enumerate(model.model.layers):
            for linear in ATTENTION_LINEARS:
                name = f"blk.{block}.{linear}.weight"
                loaded = getattr(layer.self_attn, f"{linear[5:]}_proj").weight.detach().numpy()
                heads = permuted_heads("llama", name, HEADS, KV_HEADS)
                if linear == "attn_v":
                    self.assertIsNone(heads)
                    np.testing.assert_array_equal(loaded, stored[name])
                else:
                    np.testing.assert_array_equal(loaded, from_file_rows(stored[name], heads))
                    self.assertFalse(np.array_equal(loaded, stored[name]), "nothing was permuted, so nothing was tested")

    def test_only_llamas_q_and_k_are_permuted(self) -> None:
        for architecture in ("qwen2", "qwen3", "gemma3"):
            self.assertIsNone(permuted_heads(architecture, "blk.0.attn_q.weight", HEADS, KV_HEADS))
        self.assertEqual(permuted_heads("llama", "blk.0.attn_k.weight", HEADS, KV_HEADS), KV_HEADS)
        self.assertIsNone(permuted_heads("llama", "blk.0.ffn_up.weight", HEADS, KV_HEADS))


class InFolder(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="longsight “measure” ")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, module: Module) -> Path:
        write_module(module, self.folder / "module.gguf")
        return self.folder / "module.gguf"

    def write_run(self, learned: dict[str, torch.Tensor], **more: str) -> Path:
        """A run's folder with its YAML file beside it. Returns the YAML file."""
        (self.folder / "run").mkdir(exist_ok=True)
        torch.save({"learned": learned, "step": 7, "longest": 70}, self.folder / "run" / "checkpoint.pt")
        settings = {"base": "base.gguf", "data": "data", "run": "run", **more}
        (self.folder / "tiny.yaml").write_text("".join(f"{key}: {value}\n" for key, value in settings.items()))
        return self.folder / "tiny.yaml"


class Files(InFolder):
    def test_what_was_written_is_read(self) -> None:
        module = tiny_module()
        read = read_module(self.write(module))
        np.testing.assert_array_equal(read.embeddings, module.embeddings)
        self.assertEqual(read.base, module.base)
        self.assertEqual((read.alpha, read.pool_kernel, read.training), (8.0, 5, module.training))
        for name, lora in module.loras.items():
            np.testing.assert_array_equal(read.loras[name].a, lora.a)
            np.testing.assert_array_equal(read.loras[name].b, lora.b)

    def test_damaged_files_are_refused_with_their_name(self) -> None:
        path = self.write(tiny_module())
        whole = path.read_bytes()
        for cut in (0, 3, 24, 400, len(whole) // 2, len(whole) - 1):
            path.write_bytes(whole[:cut])
            with self.assertRaisesRegex(TrainingError, "module.gguf"):
                read_module(path)
        with self.assertRaisesRegex(TrainingError, "not found"):
            read_module(self.folder / "nowhere.gguf")

    def test_other_gguf_files_are_refused(self) -> None:
        path = write_tiny_llama(self.folder / "model.gguf")
        with self.assertRaisesRegex(TrainingError, "lookahead.version"):
            read_module(path)


class Sources(InFolder):
    def test_a_files_q_and_k_are_put_in_transformers_order(self) -> None:
        module = tiny_module()
        numbers = read_source(self.write(module), None, base_of(), self.folder).numbers
        for name, lora in module.loras.items():
            heads = permuted_heads("llama", name, HEADS, KV_HEADS)
            expected = lora.b if heads is None else from_file_rows(lora.b, heads)
            np.testing.assert_array_equal(numbers[f"{name}.lora_b"].numpy(), expected)
            np.testing.assert_array_equal(numbers[f"{name}.lora_a"].numpy(), lora.a)

    def test_what_a_run_exports_is_what_it_learned(self) -> None:
        base = base_of()
        learned = {name: tensor.detach().numpy() for name, tensor in lookahead_of(base).learned().items()}
        module = module_of(tiny_module().base, learned, alpha=8.0, pool_kernel=7, training=tiny_module().training)
        numbers = read_source(self.write(module), None, base, self.folder).numbers
        self.assertEqual(set(numbers), set(learned))
        for name, values in learned.items():
            np.testing.assert_allclose(numbers[name].numpy(), values, rtol=1e-3, atol=1e-6)

    def test_another_models_module_is_refused_with_both_names(self) -> None:
        path = self.write(dataclasses.replace(tiny_module(), base=dataclasses.replace(tiny_module().base, head_count=2)))
        with self.assertRaisesRegex(TrainingError, "Tiny, not for own.gguf"):
            read_source(path, None, base_of(), self.folder / "own.gguf")

    def test_a_module_of_another_kind_of_model_is_refused_where_the_base_is_a_folder(self) -> None:
        path = self.write(tiny_module("qwen2"))
        with self.assertRaisesRegex(TrainingError, "Tiny, not for .*: they differ in the kind of model"):
            read_source(path, None, base_of(), self.folder)

    def test_a_run_of_another_base_or_of_settings_that_have_changed_is_refused(self) -> None:
        learned = lookahead_of(base_of()).learned()
        path = self.write_run(learned, alpha="8.0")
        checkpoint = self.folder / "run" / "checkpoint.pt"
        for over, said in (({"made": {"alpha": "32"}}, "alpha “32”, now “8”"), ({"likeness": {"the kind of model": "qwen2"}}, "the kind of model")):
            torch.save({"learned": learned, "step": 7, "longest": 70, **over}, checkpoint)
            with self.subTest(said), self.assertRaisesRegex(TrainingError, said):
                read_source(path, None, base_of(), self.folder)

    def test_a_run_is_found_by_its_yaml_or_its_folder(self) -> None:
        base = base_of()
        learned = lookahead_of(base).learned()
        path = self.write_run(learned, alpha="8.0", pool_kernel="3")
        for given in (path, self.folder / "run"):
            source = read_source(given, None, base, self.folder)
            self.assertEqual((source.name, source.alpha, source.pool_kernel, source.steps), ("run", 8.0, 3, 7))
            self.assertEqual((source.tokens, source.rank), (4, 4))
            torch.testing.assert_close(source.numbers["embeddings"], learned["embeddings"].detach())

    def test_runs_that_cannot_be_read_are_refused(self) -> None:
        base = base_of()
        path = self.write_run(lookahead_of(base).learned())
        (self.folder / "run" / "checkpoint.pt").write_bytes(b"no checkpoint")
        with self.assertRaisesRegex(TrainingError, "checkpoint.pt is damaged"):
            read_source(path, None, base, self.folder)
        (self.folder / "run" / "checkpoint.pt").unlink()
        with self.assertRaisesRegex(TrainingError, "no checkpoint yet"):
            read_source(path, None, base, self.folder)
        path.unlink()
        with self.assertRaisesRegex(TrainingError, "No YAML file"):
            read_source(self.folder / "run", None, base, self.folder)
        with self.assertRaisesRegex(TrainingError, "not found"):
            read_source(self.folder / "nowhere", None, base, self.folder)


class Mounted(InFolder):
    def read(self, base):
        """A prompt, read without any LoRA."""
        group = group_of((6, 4), prefix=30)
        return read_branch(base, read_shared(base, group.prefix), group.branches[0])

    def scores(self, base, read, module: MountedModule) -> np.ndarray:
        with module.at_work() as embeddings:
            return read_lookahead(base, read.segments, read.tokens, embeddings)

    def test_a_runs_module_scores_as_it_did_in_training(self) -> None:
        trained = base_of()
        lookahead = lookahead_of(trained)
        read = self.read(trained)
        with lookahead.switch.active():
            expected = read_lookahead(trained, read.segments, read.tokens, lookahead.embeddings)
        base = base_of()
        path = self.write_run(lookahead.learned(), alpha="8.0")
        module = MountedModule(base, read_source(path, None, base, self.folder))
        np.testing.assert_array_equal(self.scores(base, self.read(base), module), expected)

    def test_modules_beside_one_another_do_not_mix(self) -> None:
        base = base_of()
        before = dict(base.decoder.named_modules())
        path = self.write(tiny_module())
        one = MountedModule(base, read_source(path, "one", base, self.folder))
        other_source = read_source(path, "other", base, self.folder)
        numbers = {name: -tensor for name, tensor in other_source.numbers.items()}
        other = MountedModule(base, dataclasses.replace(other_source, numbers=numbers, alpha=2.0))
        self.assertEqual(before, dict(base.decoder.named_modules()))
        read = self.read(base)
        first, second, again = (self.scores(base, read, module) for module in (one, other, one))
        np.testing.assert_array_equal(first, again)
        self.assertGreater(float(np.abs(first - second).max()), 1e-3)
        self.assertEqual(before, dict(base.decoder.named_modules()))
        plain = read_lookahead(base, read.segments, read.tokens, torch.from_numpy(tiny_module().embeddings))
        self.assertGreater(float(np.abs(first - plain).max()), 1e-3, "the LoRA must act")

    def test_what_does_not_fit_is_refused_and_the_base_left_as_it_was(self) -> None:
        base = base_of()
        source = read_source(self.write(tiny_module()), None, base, self.folder)
        name = "blk.1.ffn_up.weight.lora_b"
        wrong = {
            "missing": {key: tensor for key, tensor in source.numbers.items() if key != name},
            "another shape": {**source.numbers, name: torch.zeros(1, 4)},
            "not a number": {**source.numbers, name: torch.full_like(source.numbers[name], float("nan"))},
            "one row": {**source.numbers, "embeddings": torch.zeros(WIDTH)},
            "no rows": {**source.numbers, "embeddings": torch.zeros(0, WIDTH)},
            "too narrow": {**source.numbers, "embeddings": torch.zeros(4, WIDTH - 1)},
            "no matrix": {**source.numbers, "blk.0.attn_q.weight.lora_a": torch.tensor(1.0)},
            "empty": {"embeddings": source.numbers["embeddings"]},
            "no embeddings": {key: tensor for key, tensor in source.numbers.items() if key != "embeddings"},
        }
        for case, numbers in wrong.items():
            with self.subTest(case), self.assertRaises(TrainingError):
                MountedModule(base, dataclasses.replace(source, numbers=numbers))
            self.assertFalse(any("Lora" in type(part).__name__ for part in base.decoder.modules()))
