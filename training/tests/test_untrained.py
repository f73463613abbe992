"""The untrained module, through the command line and the file that it writes."""

from __future__ import annotations

import contextlib
import hashlib
import io
import struct
import tempfile
import unittest
from pathlib import Path

import numpy as np
from gguf import GGMLQuantizationType, GGUFReader, GGUFValueType, dequantize, quantize

from longsight_training.command_line import main
from tests.tiny_base import BLOCKS, CONTROL, MERGES, SHAPES, TOKENS, WIDTH, table, write_tiny_base

try:
    import resource
except ImportError:  # Windows
    resource = None

FEW = ["--tokens", "5", "--date", "2026-11-29"]


class ModuleTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="longsight “training” ")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def make(self, *arguments: str, base: Path | None = None, out: str = "module.gguf") -> Path:
        """Writes a module, by default for a tiny llama."""
        base = base or write_tiny_base(self.folder / "base.gguf")
        path = self.folder / out
        with contextlib.redirect_stdout(io.StringIO()):
            code = main(["untrained", "--base", str(base), "--out", str(path), *FEW, *arguments])
        self.assertEqual(code, 0)
        return path

    def refuse(self, base: Path, *arguments: str, out: str = "module.gguf") -> str:
        """What people are told where it fails; nothing may be left behind."""
        before = sorted(self.folder.iterdir())
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            code = main(["untrained", "--base", str(base), "--out", str(self.folder / out), *FEW, *arguments])
        self.assertEqual(code, 1)
        self.assertEqual(sorted(self.folder.iterdir()), before)
        text = said.getvalue()
        self.assertEqual(text.count("\n"), 1, text)
        self.assertNotIn("Traceback", text)
        return text


def tensors_of(path: Path) -> dict[str, np.ndarray]:
    return {tensor.name: np.array(tensor.data) for tensor in GGUFReader(path).tensors}


def value_of(path: Path, key: str):
    return GGUFReader(path).fields[key].contents()


class TheFile(ModuleTest):
    @unittest.skipIf(resource is None, "Windows has no such limit")
    def test_is_whole_or_not_there_where_the_disk_takes_no_more(self) -> None:
        whole = self.make().stat().st_size
        base = self.folder / "base.gguf"
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_FSIZE, (soft, hard))
        for size in (whole - 1, whole - 400, whole // 2, 10):
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
            with self.subTest(size):
                self.assertIn("other.gguf could not be written", self.refuse(base, out="other.gguf"))
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    def test_says_what_it_is_in_the_types_that_the_engine_demands(self) -> None:
        fields = GGUFReader(self.make("--alpha", "16", "--rank", "4", "--pool-kernel", "5")).fields
        digest = hashlib.sha256()
        for text in (b"gpt2", b"smollm"):
            digest.update(struct.pack("<I", len(text)) + text)
        for texts in (TOKENS, [merge.encode() for merge in MERGES]):
            digest.update(struct.pack("<I", len(texts)))
            for text in texts:
                digest.update(struct.pack("<I", len(text)) + text)
        text, count, number = GGUFValueType.STRING, GGUFValueType.UINT32, GGUFValueType.FLOAT32
        expected = {
            "general.architecture": (text, "llama"),
            "general.type": (text, "adapter"),
            "general.name": (text, "Untrained lookahead module for Tiny"),
            "adapter.type": (text, "lora"),
            "adapter.lora.alpha": (number, 16.0),
            "lookahead.version": (count, 1),
            "lookahead.n_tokens": (count, 5),
            "lookahead.pool_kernel": (count, 5),
            "lookahead.base.architecture": (text, "llama"),
            "lookahead.base.name": (text, "Tiny"),
            "lookahead.base.block_count": (count, 3),
            "lookahead.base.embedding_length": (count, 64),
            "lookahead.base.attention.head_count": (count, 4),
            "lookahead.base.attention.head_count_kv": (count, 2),
            "lookahead.base.tokenizer_hash": (text, digest.hexdigest()),
            "lookahead.training.data": (text, "none"),
            "lookahead.training.steps": (count, 0),
            "lookahead.training.length": (count, 0),
            "lookahead.training.date": (text, "2026-11-29"),
        }
        found = {key: (field.types[0], field.contents()) for key, field in fields.items() if not key.startswith("GGUF.")}
        self.assertEqual(found, expected)
        self.assertEqual(fields["GGUF.version"].contents(), 3)

    def test_has_a_lora_for_each_linear_layer_but_those_that_reach_no_score(self) -> None:
        tensors = {tensor.name: tensor for tensor in GGUFReader(self.make("--rank", "4")).tensors}
        expected = {"lookahead.embeddings": ([WIDTH, 5], GGMLQuantizationType.F32)}
        for block in range(BLOCKS):
            for linear, (outputs, inputs) in SHAPES.items():
                if block < BLOCKS - 1 or linear in ("attn_q", "attn_k", "attn_v"):
                    expected[f"blk.{block}.{linear}.weight.lora_a"] = ([inputs, 4], GGMLQuantizationType.F16)
                    expected[f"blk.{block}.{linear}.weight.lora_b"] = ([4, outputs], GGMLQuantizationType.F16)
        found = {name: ([int(length) for length in tensor.shape], tensor.tensor_type) for name, tensor in tensors.items()}
        self.assertEqual(found, expected)

    def test_has_the_same_bytes_for_the_same_seed_and_others_for_another(self) -> None:
        one, same, other = self.make(out="one.gguf"), self.make(out="same.gguf"), self.make("--seed", "1", out="other.gguf")
        self.assertEqual(one.read_bytes(), same.read_bytes())
        self.assertNotEqual(one.read_bytes(), other.read_bytes())
        self.assertTrue(
            np.any(tensors_of(one)["lookahead.embeddings"] != tensors_of(other)["lookahead.embeddings"]),
        )

    def test_replaces_an_older_one_and_leaves_nothing_beside_it(self) -> None:
        older = self.make("--seed", "4").read_bytes()
        path = self.make()
        self.assertNotEqual(path.read_bytes(), older)
        self.assertEqual(path.read_bytes()[:4], b"GGUF")
        self.assertEqual(sorted(file.name for file in self.folder.iterdir()), ["base.gguf", "module.gguf"])

    def test_takes_the_name_that_people_know_the_base_by(self) -> None:
        self.assertEqual(value_of(self.make("--base-name", "Tiny Instruct"), "lookahead.base.name"), "Tiny Instruct")

    def test_names_a_base_without_a_name_by_its_file(self) -> None:
        base = write_tiny_base(self.folder / "a base.gguf", leave_out=("general.name",))
        self.assertEqual(value_of(self.make(base=base), "lookahead.base.name"), "a base")


class TheOutput(ModuleTest):
    def test_is_refused_with_half_a_character_in_its_name(self) -> None:
        self.assertIn("cannot stand in a module", self.refuse(write_tiny_base(self.folder / "base.gguf"), "--base-name", "\ud800"))

    def test_is_never_the_model_nor_another_file(self) -> None:
        base = write_tiny_base(self.folder / "base.gguf")
        other = write_tiny_base(self.folder / "other.gguf")
        text = self.folder / "notes.txt"
        text.write_text("Dear reader")
        before = {path: path.read_bytes() for path in (base, other, text)}
        self.assertIn("base.gguf is read by this command and would be overwritten", self.refuse(base, out="base.gguf"))
        for out in ("other.gguf", "notes.txt"):
            self.assertIn(f"{out} is there already and is no lookahead module", self.refuse(base, out=out))
        self.assertEqual({path: path.read_bytes() for path in before}, before)


class TheNumbers(ModuleTest):
    def rows(self) -> np.ndarray:
        kind = GGMLQuantizationType.Q8_0
        return dequantize(quantize(table(), kind), kind)

    def test_embeddings_are_rows_of_the_bases_table_each_once_and_none_of_a_control_token(self) -> None:
        embeddings = tensors_of(self.make("--tokens", "20"))["lookahead.embeddings"]
        ids = [int(np.flatnonzero((self.rows() == row).all(axis=1))[0]) for row in embeddings]
        self.assertEqual(len(set(ids)), 20)
        self.assertFalse(set(ids) & set(CONTROL))

    def test_every_text_token_can_be_drawn(self) -> None:
        embeddings = tensors_of(self.make("--tokens", str(len(TOKENS) - len(CONTROL))))["lookahead.embeddings"]
        ids = {int(np.flatnonzero((self.rows() == row).all(axis=1))[0]) for row in embeddings}
        self.assertEqual(ids, set(range(len(TOKENS))) - set(CONTROL))

    def test_embeddings_are_scaled_where_the_architecture_scales_tokens(self) -> None:
        plain = tensors_of(self.make())["lookahead.embeddings"]
        base = write_tiny_base(self.folder / "gemma.gguf", architecture="gemma3")
        scaled = tensors_of(self.make(base=base, out="gemma-module.gguf"))["lookahead.embeddings"]
        np.testing.assert_allclose(scaled, plain * 8, rtol=1e-6)

    def test_other_architectures_leave_them_as_they_are(self) -> None:
        plain = tensors_of(self.make())["lookahead.embeddings"]
        for architecture in ("qwen2", "qwen3"):
            with self.subTest(architecture):
                base = write_tiny_base(self.folder / f"{architecture}.gguf", architecture=architecture)
                module = self.make(base=base, out=f"{architecture}-module.gguf")
                np.testing.assert_array_equal(tensors_of(module)["lookahead.embeddings"], plain)
                self.assertEqual(value_of(module, "lookahead.base.architecture"), architecture)

    def test_the_lora_changes_nothing_until_it_is_asked_to(self) -> None:
        tensors = tensors_of(self.make("--rank", "8"))
        first = np.concatenate([value.ravel() for name, value in tensors.items() if name.endswith(".lora_a")]).astype(np.float64)
        self.assertAlmostEqual(float(first.std()), 1 / 8, delta=0.005)
        self.assertAlmostEqual(float(first.mean()), 0, delta=0.005)
        for name, value in tensors.items():
            if name.endswith(".lora_b"):
                self.assertFalse(np.any(value), name)

    def test_a_random_lora_changes_everything_and_nothing_else(self) -> None:
        zero, random = tensors_of(self.make()), tensors_of(self.make("--random-lora", "0.5", out="random.gguf"))
        second = []
        for name, value in random.items():
            if name.endswith(".lora_b"):
                second.append(value.ravel())
            else:
                np.testing.assert_array_equal(value, zero[name])
        self.assertAlmostEqual(float(np.concatenate(second).astype(np.float64).std()), 0.5, delta=0.02)


class TheTokenizerHash(ModuleTest):
    def test_takes_what_is_missing_as_empty(self) -> None:
        base = write_tiny_base(self.folder / "base.gguf", leave_out=("tokenizer.ggml.pre", "tokenizer.ggml.merges"))
        tokens = b"".join(struct.pack("<I", len(token)) + token for token in TOKENS)
        expected = hashlib.sha256(b"\4\0\0\0gpt2" + b"\0\0\0\0" + struct.pack("<I", len(TOKENS)) + tokens + b"\0\0\0\0").hexdigest()
        self.assertEqual(value_of(self.make(base=base), "lookahead.base.tokenizer_hash"), expected)


class ABadBase(ModuleTest):
    def test_is_missing(self) -> None:
        self.assertRegex(self.refuse(self.folder / "gone.gguf"), r"gone\.gguf was not found")

    def test_is_no_gguf_or_cut_short(self) -> None:
        path = self.folder / "bad.gguf"
        whole = write_tiny_base(self.folder / "base.gguf").read_bytes()
        for content in (b"", b"Dear reader\n", b"GGUF", whole[:300], whole[:-20_000]):
            path.write_bytes(content)
            with self.subTest(len(content)):
                self.assertRegex(self.refuse(path), r"bad\.gguf is not a complete GGUF file")

    def test_is_an_adapter(self) -> None:
        self.assertIn("part of one (adapter)", self.refuse(write_tiny_base(self.folder / "base.gguf", kind="adapter")))

    def test_is_of_a_kind_that_modules_cannot_be_made_for(self) -> None:
        self.assertIn("“mamba”", self.refuse(write_tiny_base(self.folder / "base.gguf", architecture="mamba")))

    def test_lacks_a_linear_layer(self) -> None:
        name = "blk.1.ffn_up.weight"
        self.assertIn(f"no tensor {name}", self.refuse(write_tiny_base(self.folder / "base.gguf", leave_out=(name,))))

    def test_lacks_a_count_or_has_heads_that_differ_by_layer(self) -> None:
        self.assertIn("llama.block_count", self.refuse(write_tiny_base(self.folder / "a.gguf", leave_out=("llama.block_count",))))
        self.assertIn("head_count_kv is [2, 1, 2]", self.refuse(write_tiny_base(self.folder / "b.gguf", head_count_kv=[2, 1, 2])))

    def test_has_too_few_tokens(self) -> None:
        self.assertIn("48 text tokens", self.refuse(write_tiny_base(self.folder / "base.gguf"), "--tokens", "49"))


class ABadRequest(ModuleTest):
    def test_has_an_even_pool_kernel(self) -> None:
        self.assertIn("must be odd", self.refuse(write_tiny_base(self.folder / "base.gguf"), "--pool-kernel", "4"))

    def test_has_a_lora_beyond_16_bits(self) -> None:
        self.assertIn("16-bit", self.refuse(write_tiny_base(self.folder / "base.gguf"), "--random-lora", "1e6"))

    def test_has_a_name_that_the_engine_would_refuse(self) -> None:
        base = write_tiny_base(self.folder / "base.gguf")
        for name in ("", "two\nlines", "x" * 1001):
            with self.subTest(name):
                self.assertIn("cannot stand in a module", self.refuse(base, "--base-name", name))

    def test_names_a_place_that_cannot_be_written(self) -> None:
        base = write_tiny_base(self.folder / "base.gguf")
        self.assertIn("could not be written", self.refuse(base, out="base.gguf/module.gguf"))

    def test_is_not_understood(self) -> None:
        for arguments in ([], ["train"], ["untrained"], ["untrained", "--base", "b", "--out", "o", "--rank", "0"]):
            with self.subTest(arguments), contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit) as left:
                main(arguments)
            self.assertEqual(left.exception.code, 2)
