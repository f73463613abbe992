"""A module between two of one run, through the command line and the file that it writes."""

from __future__ import annotations

import contextlib
import io
import tempfile
import unittest
from pathlib import Path

import numpy as np

from longsight_training.command_line import main
from longsight_training.module.read import read_module
from tests.tiny_base import write_tiny_base


class Blend(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="longsight “training” ")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.base = write_tiny_base(self.folder / "base.gguf")

    def module(self, name: str, *arguments: str, base: Path | None = None) -> Path:
        path = self.folder / name
        usual = ["--tokens", "5", "--random-lora", "0.1", "--date", "2026-11-29"]
        self.assertEqual(self.call("untrained", "--base", str(base or self.base), "--out", str(path), *usual, *arguments)[0], 0)
        return path

    def call(self, *arguments: str) -> tuple[int, str]:
        said = io.StringIO()
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(said):
            return main([*arguments]), said.getvalue()

    def test_lies_where_its_share_says(self) -> None:
        one, other, out = self.module("one.gguf"), self.module("other.gguf", "--seed", "1", "--date", "2026-11-30"), self.folder / "out.gguf"
        self.assertEqual(self.call("blend", str(one), str(other), "--share", "0.25", "--out", str(out)), (0, ""))
        earlier, later, between = map(read_module, (one, other, out))
        np.testing.assert_allclose(between.embeddings, 0.75 * earlier.embeddings + 0.25 * later.embeddings, rtol=1e-6)
        for name, lora in between.loras.items():
            np.testing.assert_allclose(lora.a, 0.75 * earlier.loras[name].a + 0.25 * later.loras[name].a, rtol=1e-3, atol=1e-6)
            np.testing.assert_allclose(lora.b, 0.75 * earlier.loras[name].b + 0.25 * later.loras[name].b, rtol=1e-3, atol=1e-6)
        self.assertEqual(between.training.date, "2026-11-30")

    def test_at_its_ends_is_the_one_or_the_other(self) -> None:
        one, other = self.module("one.gguf"), self.module("other.gguf", "--seed", "1")
        for share, same in (("0", one), ("1", other)):
            out = self.folder / f"out-{share}.gguf"
            self.call("blend", str(one), str(other), "--share", share, "--out", str(out))
            self.assertEqual(out.read_bytes(), same.read_bytes())

    def test_of_two_that_do_not_fit_together_is_refused_by_what_differs(self) -> None:
        one, out = self.module("one.gguf"), self.folder / "out.gguf"
        elsewhere = write_tiny_base(self.folder / "elsewhere.gguf", architecture="qwen2")
        for other, said in (
            (self.module("long.gguf", "--tokens", "6"), "the number of embeddings is 5 and 6"),
            (self.module("high.gguf", "--rank", "4"), "its rank is 8 and 4"),
            (self.module("pooled.gguf", "--pool-kernel", "1"), "the pool kernel is 7 and 1"),
            (self.module("strong.gguf", "--alpha", "16"), "the LoRA's alpha is 32 and 16"),
            (self.module("foreign.gguf", base=elsewhere), "for different models: the kind of model differs"),
        ):
            code, text = self.call("blend", str(one), str(other), "--out", str(out))
            self.assertEqual(code, 1)
            self.assertIn(said, text)
        self.assertFalse(out.exists())

    def test_writes_over_neither_and_takes_no_share_beyond_one(self) -> None:
        one, other = self.module("one.gguf"), self.module("other.gguf", "--seed", "1")
        self.assertEqual(self.call("blend", str(one), str(other), "--out", str(other))[0], 1)
        for share in ("1.5", "-0.1", "nan"):
            code, text = self.call("blend", str(one), str(other), "--share", share, "--out", str(self.folder / "out.gguf"))
            self.assertEqual(code, 1)
            self.assertIn("from 0 to 1", text)


if __name__ == "__main__":
    unittest.main()
