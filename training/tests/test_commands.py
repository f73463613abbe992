"""The command line: from data to a module, interrupted and gone on with, and what people are told where it fails."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

import numpy as np

from longsight_training.command_line import main
from longsight_training.commands import respond
from longsight_training.commands.responses import ends_of
from longsight_training.commands.train import in_shell
from longsight_training.files import writing_alone
from longsight_training.learn.groups import read_groups
from longsight_training.learn.settings import Settings
from tests.test_learn import FolderTest
from tests.tiny_base import write_tiny_base
from tests.tiny_model import ids, tokenizer, write_model

PACKAGE = Path(__file__).parent.parent


class CommandTest(FolderTest):
    def call(self, *arguments: object) -> tuple[int, str, str]:
        """Exit code, output, and what was said to people."""
        out, said = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said):
            code = main([str(argument) for argument in arguments])
        return code, out.getvalue(), said.getvalue()

    def refused(self, *arguments: object) -> str:
        code, _, said = self.call(*arguments)
        self.assertEqual(code, 1, said)
        last = said.strip().split("\n")[-1]
        self.assertNotIn("Traceback", said)
        return last

    def respond(self, *more: object) -> tuple[object, ...]:
        if not (self.folder / "base").exists():
            write_model(self.folder / "base")
            self.write_data()
        return (
            "respond", "--base", self.folder / "base", "--data", self.folder / "data", "--out", self.folder / "groups.jsonl", "--most", 5,
            "--branches", 2, "--lengths", "1:70-100", "--dtype", "float32", "--threads", 1, *more,
        )


class Facts(CommandTest):
    def facts(self, *more: object) -> tuple[object, ...]:
        self.respond()
        return (
            "facts", "--base", self.folder / "base", "--data", self.folder / "data", "--out", self.folder / "facts.jsonl", "--groups", 6,
            "--branches", 4, "--lengths", "1:1500-1700", *more,
        )

    def places(self) -> list[float]:
        """Where the answers' beginnings stand first, as shares of their texts."""
        found = []
        for group in read_groups(self.folder / "facts.jsonl"):
            for branch in group.branches:
                value = branch.response[:3]
                at = next((at for at in range(len(group.prefix)) if group.prefix[at : at + len(value)] == value), None)
                if at is not None and len(group.branches) > 1:
                    found.append(at / len(group.prefix))
        return found

    def test_writes_the_same_groups_each_time_for_a_run_to_learn_from(self) -> None:
        path = self.folder / "facts.jsonl"
        code, out, _ = self.call(*self.facts())
        self.assertEqual(code, 0)
        groups = read_groups(path)
        self.assertEqual(len(groups), 6)
        self.assertRegex(out, r"facts\.jsonl: \d+ questions in 6 groups")
        first = path.read_bytes()
        self.call(*self.facts())
        self.assertEqual(path.read_bytes(), first)
        self.call(*self.facts("--seed", 1))
        self.assertNotEqual(path.read_bytes(), first)

    def test_puts_the_facts_into_the_first_share_of_the_text(self) -> None:
        self.call(*self.facts())
        self.assertGreater(max(self.places()), 0.6)
        self.call(*self.facts("--within", 0.25))
        self.assertGreater(len(self.places()), 5)
        self.assertLess(max(self.places()), 0.4)

    def test_refuses_what_it_cannot_write(self) -> None:
        self.assertIn("lies in the folder of the data", self.refused(*self.facts("--out", self.folder / "data" / "facts.jsonl")))
        self.assertIn("Too few groups fit into the model's 2048 tokens", self.refused(*self.facts("--lengths", "1:4000-5000")))


class Respond(CommandTest):
    def test_writes_groups_of_one_split_with_responses(self) -> None:
        code, out, _ = self.call(*self.respond("--split", "val"))
        self.assertEqual(code, 0)
        groups = read_groups(self.folder / "groups.jsonl")
        self.assertRegex(out, rf"\d+ responses in {len(groups)} groups")
        for group in groups:
            self.assertTrue(set(group.source.split("+")) <= {"sample-6", "sample-7", "sample-8"}, group.source)
            for branch in group.branches:
                self.assertTrue(1 <= len(branch.response) <= 5)

    def test_goes_on_where_it_was_interrupted(self) -> None:
        path = self.folder / "groups.jsonl"
        self.assertEqual(self.call(*self.respond())[0], 0)
        whole = path.read_bytes()
        lines = whole.splitlines(keepends=True)
        self.assertGreater(len(lines), 2)
        # Killed in the middle of a line, at its very beginning, at its end without the line break, and between lines.
        for left in (lines[0] + lines[1][:30], lines[0] + lines[1][:1], lines[0] + lines[1][:-1], lines[0], lines[0][:9], b""):
            path.write_bytes(left)
            with self.subTest(len(left)):
                self.assertEqual(self.call(*self.respond())[0], 0)
                self.assertEqual(path.read_bytes(), whole)
        # What is done is not done again.
        marked = lines[0].replace(b'"kind":"made"', b'"kind":"kept"')
        path.write_bytes(marked)
        self.call(*self.respond())
        self.assertEqual(path.read_bytes(), marked + b"".join(lines[1:]))

    def test_takes_the_first_groups_only_and_more_later(self) -> None:
        path = self.folder / "groups.jsonl"
        self.call(*self.respond("--groups", 1))
        first = path.read_bytes()
        self.assertEqual(first.count(b"\n"), 1)
        self.call(*self.respond("--groups", 2))
        self.assertTrue(path.read_bytes().startswith(first))
        self.assertEqual(path.read_bytes().count(b"\n"), 2)

    def test_does_not_go_on_with_a_file_of_other_options_or_another_kind(self) -> None:
        path = self.folder / "groups.jsonl"
        self.call(*self.respond())
        before = path.read_bytes()
        self.assertIn("groups.jsonl was written with other options", self.refused(*self.respond("--seed", 1)))
        self.assertIn("groups.jsonl was written with other options", self.refused(*self.respond("--groups", 1)))
        self.assertEqual(path.read_bytes(), before)
        for content in (b"Dear reader,\nhow are you", b"Dear reader", b'{"a": 1}\n'):
            path.write_bytes(content)
            with self.subTest(content):
                self.assertIn("groups.jsonl could not be read as groups", self.refused(*self.respond()))
                self.assertEqual(path.read_bytes(), content)

    def test_does_not_go_on_with_other_options_than_before(self) -> None:
        path = self.folder / "groups.jsonl"
        self.call(*self.respond("--groups", 1))
        before = path.read_bytes()
        write_model(self.folder / "base2")
        (self.folder / "base2" / "extra.safetensors").write_bytes(b"1")
        for more, said in (
            (("--most", 6), "--most “5”, now “6”"), (("--lengths", "1:70-101"), "--lengths “1:70-100”, now “1:70-101”"),
            (("--base", self.folder / "base2"), "--base “base "), (("--seed", 3), "--seed “0”, now “3”"),
        ):
            with self.subTest(said):
                found = self.refused(*self.respond("--groups", 1, *more))
                self.assertIn("groups.jsonl was written with other options", found)
                self.assertIn(said, found)
        self.assertEqual(path.read_bytes(), before)
        (self.folder / "groups.jsonl.made.json").unlink()
        self.assertIn("groups.jsonl.made.json is missing", self.call(*self.respond("--groups", 1))[2])

    def test_is_kept_out_while_another_writes(self) -> None:
        arguments = self.respond()
        with writing_alone(self.folder / "groups.jsonl"):
            self.assertIn("groups.jsonl is being written by another process", self.refused(*arguments))

    def test_never_writes_over_what_it_reads(self) -> None:
        arguments = self.respond()
        inside = self.folder / "data" / "groups.jsonl"
        self.assertIn("would be read as data", self.refused(*arguments, "--out", inside))
        self.assertIn("would be overwritten", self.refused(*arguments, "--out", self.folder / "base" / "config.json"))
        self.assertIn("could not be written", self.refused(*arguments, "--out", self.folder / "base" / "config.json" / "x" / "g.jsonl"))

    def test_says_which_line_of_the_data_is_no_sample(self) -> None:
        arguments = self.respond()
        good = json.loads((self.folder / "data" / "made.jsonl").read_text().split("\n")[0])
        bad = self.folder / "data" / "bad.jsonl"
        lines = {
            json.dumps({**good, "context": None}): "context is null, not a text", json.dumps({**good, "response": 3}): "response is 3",
            json.dumps({**good, "id": [1]}): "id is [1]", json.dumps({**good, "id": True}): "id is true", "7": "no object",
            json.dumps({**good, "context": "\ud800"}): "context holds half a character", "[" * 100_000: "bad.jsonl, line 1,",
            '{"id": 1}': "“kind” is missing",
        }
        for line, said in lines.items():
            bad.write_text(line + "\n")
            with self.subTest(said):
                self.assertIn(said, self.refused(*arguments))
        bad.write_bytes(b"\xff\xfe")
        self.assertIn("bad.jsonl is not text in UTF-8", self.refused(*arguments))
        bad.write_text(json.dumps({**good, "id": 12}) + "\n")
        (self.folder / "data" / "folder.jsonl").mkdir()
        self.assertEqual(self.call(*arguments, "--groups", 1)[0], 0)

    def test_says_what_is_missing(self) -> None:
        self.assertIn("gone was not found", self.refused(*self.respond("--base", self.folder / "gone")))
        self.assertIn("no samples of the split “train”", self.refused(*self.respond("--data", self.folder / "gone")))
        self.assertIn("fit into the model's 2048 tokens", self.refused(*self.respond("--most", 2047)))
        self.assertIn("“nowhere” cannot be used", self.refused(*self.respond("--device", "nowhere")))
        (self.folder / "data" / "bad.jsonl").write_text('{"id": 1}\n')
        self.assertIn("bad.jsonl, line 1, is not a sample", self.refused(*self.respond()))

    def test_takes_the_lengths_that_a_run_takes(self) -> None:
        parser = argparse.ArgumentParser()
        respond.add(parser.add_subparsers())
        options = parser.parse_args(["respond", "--base", "base", "--data", "data", "--out", "out"])
        self.assertEqual(options.lengths, Settings.lengths.parts)

    def test_knows_the_ends_of_a_turn_and_of_a_text(self) -> None:
        made = tokenizer()
        self.assertEqual(ends_of(made), {1, 3})
        made.chat_template = None
        self.assertEqual(ends_of(made), {3})
        made.chat_template = "{% for message in messages %}{{ message.role }}: {{ message.content }}\n{% endfor %}"
        # A line break is no end.
        self.assertEqual(ends_of(made), {3})


class FromDataToAModule(CommandTest):
    def test_goes_through_all_commands(self) -> None:
        self.assertEqual(self.call(*self.respond("--groups", 2))[0], 0)
        self.write_run()
        run = self.write_run(data_share=0.25, facts_share=0.5, responses=["groups.jsonl"], validation=["groups.jsonl"], steps=3)
        code, out, said = self.call("train", run)
        self.assertEqual(code, 0, said)
        self.assertIn("All 3 steps are done", out)
        gguf = write_tiny_base(self.folder / "base.gguf")
        module = self.folder / "module.gguf"
        self.assertEqual(self.call("export", run, "--base", gguf, "--out", module)[0], 0)
        tokens = self.folder / "tokens.u32"
        np.array(ids(40), dtype="<u4").tofile(tokens)
        scores = self.folder / "scores.f32"
        code, out, said = self.call("scores", "--base", self.folder / "base", "--module", module, "--tokens", tokens, "--out", scores)
        self.assertEqual(code, 0, said)
        self.assertEqual(json.loads(out), {"layers": 3, "kvHeads": 2, "tokens": 40})
        values = np.fromfile(scores, dtype="<f4").reshape(3, 2, 40)
        self.assertTrue(np.all(values > 0))
        self.assertTrue(np.all(values.sum(axis=2) < 1))
        results = self.folder / "results.json"
        evaluate = ("evaluate", "--base", self.folder / "base", "--groups", self.folder / "groups.jsonl", "--out", results)
        self.assertEqual(self.call(*evaluate, "--module", run, "--threads", 1)[0], 0)
        self.assertEqual(self.call("report", results, "--log", self.folder / "run" / "log.jsonl", "--out", self.folder / "report")[0], 0)
        self.assertTrue(any((self.folder / "report").glob("*.md")))

    def test_needs_the_models_file_where_the_base_is_a_folder(self) -> None:
        run = self.write_run(steps=1)
        self.assertIn("is a folder. Give the same model as a GGUF file", self.refused("export", run, "--out", self.folder / "m.gguf"))
        gguf = write_tiny_base(self.folder / "base.gguf")
        self.assertIn("There is no checkpoint", self.refused("export", run, "--base", gguf, "--out", self.folder / "m.gguf"))
        self.call("train", run, "--stop-after", "0.0000001")
        self.assertIn("not learned a step", self.refused("export", run, "--base", gguf, "--out", self.folder / "m.gguf"))

    def test_says_so_where_more_is_done_than_is_asked_for_and_quotes_paths(self) -> None:
        run = self.write_run(steps=2, validation=[])
        self.call("train", run)
        code, out, said = self.call("train", self.write_run(steps=1, validation=[]))
        self.assertEqual(code, 0)
        self.assertIn("2 steps are done already, more than the 1", said)
        self.assertIn("All 2 steps are done", out)
        self.assertIn(f"export {in_shell(str(run))} --out", out)
        self.assertEqual(in_shell("a b"), '"a b"' if os.name == "nt" else "'a b'")

    def test_refuses_what_is_not_there_by_name(self) -> None:
        self.assertIn("gone.yaml could not be read", self.refused("train", self.folder / "gone.yaml"))
        for device in ("nowhere", "meta"):
            self.assertIn(f"“{device}” cannot be used", self.refused("train", self.write_run(device=device)))
        self.assertIn("val2.jsonl could not be read", self.refused("train", self.write_run(validation=["val2.jsonl"])))
        tokens = self.folder / "tokens.u32"
        scores = ("scores", "--base", self.folder / "base", "--module", self.folder / "gone.gguf", "--tokens", tokens, "--out", "s")
        self.assertIn("tokens.u32 could not be read", self.refused(*scores))
        np.array([5, 300], dtype="<u4").tofile(tokens)
        self.assertIn("ids of tokens below 300", self.refused(*scores))
        np.array([5, 6], dtype="<u4").tofile(tokens)
        self.assertIn("gone.gguf was not found", self.refused(*scores))

    def test_writes_over_nothing_that_it_reads(self) -> None:
        run = self.write_run(steps=1, validation=[])
        self.assertEqual(self.call("train", run)[0], 0)
        gguf = write_tiny_base(self.folder / "base.gguf")
        module = self.folder / "module.gguf"
        self.assertEqual(self.call("export", run, "--base", gguf, "--out", module)[0], 0)
        tokens = self.folder / "tokens.u32"
        np.array(ids(40), dtype="<u4").tofile(tokens)
        groups = self.folder / "mine.groups.jsonl"
        groups.write_bytes((self.folder / "val.jsonl").read_bytes())
        before = {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}
        for out in (gguf, run, self.folder / "run" / "checkpoint.pt", self.folder / "base" / "config.json", self.folder / "data" / "made.jsonl"):
            self.assertIn(f"{out} is read by this command", self.refused("export", run, "--base", gguf, "--out", out))
        for out in (tokens, module, self.folder / "base" / "config.json"):
            arguments = ("scores", "--base", self.folder / "base", "--module", module, "--tokens", tokens, "--out", out)
            self.assertIn(f"{out} is read by this command", self.refused(*arguments))
        evaluate = ("evaluate", "--base", self.folder / "base", "--groups", groups, "--module", run)
        for out in (self.folder / "mine.json", run, groups):
            self.assertIn("is read by this command", self.refused(*evaluate, "--out", out))
        self.assertEqual({path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}, before)

    def test_takes_whole_ids_only_and_no_more_than_fit(self) -> None:
        self.write_run()
        tokens = self.folder / "tokens.u32"
        arguments = ("scores", "--base", self.folder / "base", "--module", "gone.gguf", "--tokens", tokens, "--out", self.folder / "s")
        tokens.write_bytes(bytes(7))
        self.assertIn("has 7 bytes, but ids take four each", self.refused(*arguments))
        tokens.write_bytes(bytes(4 * 2049))
        self.assertIn("2049 tokens, too many for the model's 2048", self.refused(*arguments))

    def test_values_that_are_not_understood_end_with_two(self) -> None:
        for more in (["--lengths", "1:9-3"], ["--lengths", "often"], ["--inside-share", "2"], ["--groups", "0"], ["--dtype", "float8"]):
            with self.subTest(more), contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit) as left:
                main([str(argument) for argument in self.respond(*more)])
            self.assertEqual(left.exception.code, 2)

    def test_values_that_are_no_numbers_are_not_called_by_pythons_names(self) -> None:
        for more, said in ((["--alpha", "much"], "invalid number value: 'much'"), (["--alpha", "1e300"], "above 1000000"), (["--alpha", "nan"], "not above 0")):
            heard = io.StringIO()
            with self.subTest(more), contextlib.redirect_stderr(heard), self.assertRaises(SystemExit):
                main(["untrained", "--base", "b", "--out", "o", *more])
            self.assertIn(said, heard.getvalue())


def of_this_process() -> dict[str, str]:
    """An environment in which a child finds this package, and the packages that this process was given by PYTHONPATH."""
    given = os.environ.get("PYTHONPATH")
    path = os.pathsep.join([str(PACKAGE), *([given] if given else [])])
    return {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}


class Stopping(CommandTest):
    def start(self, run: Path, steps_before: int) -> subprocess.Popen:
        """Starts a long run and waits until it has done some steps."""
        environment = {**of_this_process(), "OMP_NUM_THREADS": "1"}
        child = subprocess.Popen(
            [sys.executable, "-m", "longsight_training", "train", str(run)], env=environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        self.addCleanup(child.kill)
        until = time.monotonic() + 120
        while time.monotonic() < until and child.poll() is None:
            log = self.folder / "run" / "log.jsonl"
            if log.exists() and log.read_text().count('"loss"') >= steps_before:
                return child
            time.sleep(0.05)
        child.kill()
        self.fail(f"The run did not begin. {child.communicate()[1]}")

    @unittest.skipIf(os.name == "nt", "Windows has no such signals")
    def test_by_interruption_saves_and_says_how_to_go_on(self) -> None:
        run = self.write_run(steps=100_000, validation=[], save_every=50_000)
        child = self.start(run, 2)
        child.send_signal(signal.SIGINT)
        out, said = child.communicate(timeout=60)
        self.assertEqual(child.returncode, 130, said)
        self.assertIn("Stopping after this step", said)
        self.assertRegex(out, r"Saved after step \d+ of 100000\. To go on: python -m longsight_training train .*run\.yaml")
        self.assertTrue((self.folder / "run" / "checkpoint.pt").exists())

    @unittest.skipIf(os.name == "nt", "Windows has no such signals")
    def test_by_kill_loses_no_checkpoint(self) -> None:
        child = self.start(self.write_run(steps=100_000, validation=[], save_every=1), 3)
        child.kill()
        child.communicate(timeout=60)
        done = (self.folder / "run" / "log.jsonl").read_text().count('"loss"')
        code, out, said = self.call("train", self.write_run(steps=done + 1, validation=[]))
        self.assertEqual(code, 0, said)
        self.assertIn(f"All {done + 1} steps are done", out)


class WithoutPyTorch(unittest.TestCase):
    """The engine's set-up writes untrained modules with the few packages of requirements.txt."""

    BLOCKER = (
        "import sys\n"
        "for name in ('torch', 'transformers', 'accelerate', 'safetensors', 'tokenizers', 'scipy'): sys.modules[name] = None\n"
        "from longsight_training.command_line import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )

    def call(self, *arguments: str) -> subprocess.CompletedProcess:
        return subprocess.run([sys.executable, "-c", self.BLOCKER, *arguments], env=of_this_process(), capture_output=True, text=True, timeout=120)

    def test_help_and_light_commands_work(self) -> None:
        found = self.call("--help")
        self.assertEqual(found.returncode, 0, found.stderr)
        for command in ("respond", "facts", "train", "evaluate", "report", "export", "scores", "untrained"):
            self.assertIn(command, found.stdout)
        found = self.call("untrained", "--base", "gone.gguf", "--out", "module.gguf")
        self.assertEqual(found.returncode, 1)
        self.assertEqual(found.stderr, "The base model gone.gguf was not found. Give the path of a GGUF file.\n")

    def test_without_numpy_says_what_to_install(self) -> None:
        blocker = self.BLOCKER.replace("('torch',", "('numpy', 'gguf', 'yaml', 'torch',")
        for command, file in ((("untrained", "--base", "b", "--out", "m"), "requirements.txt"), (("train", "run.yaml"), "requirements-learn.txt")):
            found = subprocess.run([sys.executable, "-c", blocker, *command], env=of_this_process(), capture_output=True, text=True, timeout=120)
            self.assertEqual(found.returncode, 1)
            self.assertRegex(found.stderr, rf"^The package \w+ is missing\. Install .*: pip install -r {file}\n$")

    def test_the_others_say_what_to_install(self) -> None:
        found = self.call("train", "run.yaml")
        self.assertEqual(found.returncode, 1)
        self.assertRegex(found.stderr, r"^The package \w+ is missing\. Install .*: pip install -r requirements-learn\.txt\n$")
