"""evaluate and report, from the files that they are given to the files that they write."""

from __future__ import annotations

import contextlib
import io
import json
import re
import tempfile
import unittest
import xml.etree.ElementTree as ET
from pathlib import Path
from unittest import mock

import torch

from longsight_training.command_line import main
from longsight_training.learn.groups import Branch, Group, write_groups
from longsight_training.measure.evaluate import Evaluator
from longsight_training.measure.results import read_results
from tests.tiny_model import base_of, group_of, ids, lookahead_of, write_model

POLICIES = [
    "tiny", "tiny, max-pool 3", "tiny, no pooling", "tiny, largest of a head group",
    "untrained", "untrained, max-pool 3", "untrained, no pooling", "untrained, largest of a head group",
    "snapkv", "snapkv, max-pool 3", "snapkv, no pooling", "h2o", "tova", "streamingllm", "random", "oracle",
]
NOT_IN_CHARTS = [name for name in POLICIES if "max-pool 3" in name or "largest" in name] + ["oracle"]


def groups(count: int = 3) -> list[Group]:
    """Of two prompts each; the last has one prompt without a response, which is not measured."""
    made = [Group(f"group {number}", "made", ids(60 + 10 * number, number), group_of((5, 6), (9, 3)).branches) for number in range(count)]
    unanswered = Branch(ids(4, 7), (), "made")
    return [*made[:-1], Group(made[-1].name, "made", made[-1].prefix, (*made[-1].branches, unanswered))]


class InFolder(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory(prefix="longsight “evaluate” ")
        cls.addClassCleanup(folder.cleanup)
        cls.shared = Path(folder.name)
        cls.model = write_model(cls.shared / "model")
        (cls.shared / "tiny").mkdir()
        torch.save({"learned": lookahead_of(base_of()).learned(), "step": 7, "longest": 70}, cls.shared / "tiny" / "checkpoint.pt")
        (cls.shared / "tiny.yaml").write_text("base: model\ndata: data\nrun: tiny\nalpha: 8.0\npool_kernel: 7\n")

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="longsight “results” ")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        write_groups(groups(), self.folder / "groups.jsonl")

    def call(self, *arguments: object, code: int = 0) -> str:
        """What people are told."""
        said = io.StringIO()
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(said):
            found = main([str(argument) for argument in arguments])
        self.assertEqual(found, code, said.getvalue())
        self.assertNotIn("Traceback", said.getvalue())
        return said.getvalue()

    def evaluate(self, *more: object, out: str = "out.json", code: int = 0) -> str:
        given = ("--base", self.model, "--module", self.shared / "tiny.yaml", "--groups", self.folder / "groups.jsonl")
        return self.call("evaluate", *given, "--out", self.folder / out, "--threads", 1, *more, code=code)

    def json(self, out: str = "out.json") -> dict:
        return json.loads((self.folder / out).read_text())

    def figures(self, out: str = "out.json") -> list:
        return self.json(out)["policies"]


class Evaluate(InFolder):
    def test_gives_every_policys_figures(self) -> None:
        self.evaluate()
        results = read_results(self.folder / "out.json")
        self.assertEqual([policy.policy.name for policy in results.policies], POLICIES)
        self.assertEqual(results.counts["prompts"], 6)
        self.assertEqual(results.counts["groups"], 3)
        self.assertEqual(results.counts["prompt_tokens"], {"least": 65, "median": 79, "most": 89})
        by_name = {policy.policy.name: policy for policy in results.policies}
        for policy in results.policies:
            figures = policy.figures
            # Every prompt is longer than 64 tokens, none than 128.
            self.assertEqual(list(figures.recall), [16, 32, 64])
            for budget, recall in figures.recall.items():
                self.assertEqual(recall.prompts, 6)
                self.assertTrue(recall.low <= recall.mean <= recall.high)
                self.assertLessEqual(figures.mass[budget].mean, by_name["oracle"].figures.mass[budget].mean + 1e-6)
            self.assertEqual(figures.tau is None, policy.policy.name in ("streamingllm", "random"))
        oracle = by_name["oracle"].figures
        self.assertEqual((oracle.recall[16].mean, oracle.tau.mean, oracle.kl.mean), (1, 1, 0))
        self.assertEqual(by_name["tiny"].figures.kl, by_name["tiny, no pooling"].figures.kl)
        self.assertEqual(list(by_name["tiny"].ahead_of), ["snapkv", "untrained"])
        self.assertEqual(list(by_name["tiny, no pooling"].ahead_of), ["snapkv", "untrained, no pooling", "snapkv, no pooling"])
        ahead = by_name["tiny"].ahead_of["snapkv"].recall[16].mean
        self.assertAlmostEqual(ahead, by_name["tiny"].figures.recall[16].mean - by_name["snapkv"].figures.recall[16].mean, places=5)

    def test_says_what_it_was_measured_with_and_no_place_of_this_machine(self) -> None:
        self.evaluate()
        found = self.json()
        (module,) = found["subject"]["modules"]
        self.assertEqual((module["name"], module["tokens"], module["rank"], module["alpha"], module["steps"]), ("tiny", 4, 4, 8.0, 7))
        for digest in (module["sha256"], found["subject"]["base"]["sha256"], found["subject"]["groups"][0]["sha256"]):
            self.assertRegex(digest, "^[0-9a-f]{64}$")
        self.assertGreater(found["seconds"], 0)
        for file in ("out.json", "out.groups.jsonl"):
            text = (self.folder / file).read_text()
            self.assertNotIn(str(self.folder), text)
            self.assertNotIn(str(self.shared), text)

    def test_goes_on_after_an_interruption_as_if_there_had_been_none(self) -> None:
        self.evaluate(out="whole.json")
        self.evaluate("--limit", 2)
        journal = self.folder / "out.groups.jsonl"
        # As kill -9 leaves it: in the middle of a line, and without results.
        journal.write_bytes(journal.read_bytes()[:-30])
        (self.folder / "out.json").unlink()
        measured: list[str] = []
        measure = Evaluator.measure
        with mock.patch.object(Evaluator, "measure", lambda self, group: measured.append(group.group.name) or measure(self, group)):
            self.evaluate()
        self.assertEqual(measured, ["group 1", "group 2"])
        self.assertEqual(self.figures(), self.figures("whole.json"))

    def test_does_not_mix_figures_of_different_things(self) -> None:
        self.evaluate("--limit", 1)
        self.evaluate("--seed", 5, "--limit", 1)  # the earlier one had its results
        (self.folder / "out.json").unlink()
        self.assertIn("unfinished evaluation of other files", self.evaluate("--limit", 1, code=1))

    def test_several_modules_are_told_apart(self) -> None:
        yaml = self.shared / "tiny.yaml"
        self.assertIn("--module NAME=PATH", self.evaluate("--module", yaml, code=1))
        self.evaluate("--module", f"again={yaml}")
        by_name = {policy["policy"]["name"]: policy["figures"] for policy in self.figures()}
        self.assertEqual(by_name["again"], by_name["tiny"])
        self.assertIn("“snapkv”", self.evaluate("--module", f"snapkv={yaml}", out="other.json", code=1))

    def test_the_modules_own_kernel_comes_first_and_seven_and_none_as_well(self) -> None:
        yaml = self.shared / "three.yaml"
        yaml.write_text("base: model\ndata: data\nrun: tiny\nalpha: 8.0\npool_kernel: 3\n")
        self.addCleanup(yaml.unlink)
        self.evaluate("--module", f"three={yaml}", "--limit", 1)
        found = {policy["policy"]["name"]: policy["policy"]["kernel"] for policy in self.figures()}
        self.assertEqual((found["three"], found["three, max-pool 7"], found["three, no pooling"]), (3, 7, 1))

    def test_bad_groups_are_refused(self) -> None:
        good = groups(1)[0]
        bad = {
            "not in this model": Group("bad", "made", (5, 100_000), good.branches),
            "without a question": Group("bad", "made", good.prefix, (Branch((), (4,), "made"),)),
            "too many": Group("bad", "made", (5,) * 3000, good.branches),
            "hold no responses": Group("bad", "made", good.prefix, (Branch((4,), (), "made"),)),
        }
        for words, group in bad.items():
            write_groups([group], self.folder / "groups.jsonl")
            self.assertIn(words, self.evaluate(code=1))
        whole = (self.folder / "groups.jsonl").read_text()
        self.assertIn('"kind":"made"', whole)
        (self.folder / "groups.jsonl").write_text(whole.replace('"kind":"made"', '"kind":["made"]'))
        self.assertIn("could not be read as groups (something in it is of another kind", self.evaluate(code=1))
        (self.folder / "groups.jsonl").write_text('{"name": 3}\n')
        self.assertIn("could not be read as groups", self.evaluate(code=1))

    def test_names_with_half_a_character_do_no_harm(self) -> None:
        text = (self.folder / "groups.jsonl").read_text()
        (self.folder / "groups.jsonl").write_text(text.replace('"kind":"made"', '"kind":"\\ud800"'))
        self.evaluate("--limit", 1)
        self.assertEqual(list(read_results(self.folder / "out.json").counts["kinds"]), ["\ud800"])
        self.call("report", self.folder / "out.json", "--out", self.folder / "report")

    def test_damaged_journals_and_results_are_refused(self) -> None:
        self.evaluate("--limit", 1)
        journal = self.folder / "out.groups.jsonl"
        journal.write_text(journal.read_text() + '{"key": 3}\n')
        self.assertIn("out.groups.jsonl is damaged", self.evaluate(code=1))
        (self.folder / "out.json").write_text("[")
        self.assertIn("out.json", self.evaluate(code=1))


class Report(InFolder):
    def setUp(self) -> None:
        super().setUp()
        self.evaluate()
        self.log = self.folder / "log.jsonl"
        self.log.write_text(
            '{"step": 0, "validation": {"own": 0.9}}\n'
            + "".join(f'{{"step": {step}, "loss": {1 / step}, "seconds": {step * 36}}}\n' for step in range(1, 101))
            + '{"step": 100, "validation": {"own": 0.25}}\n{"step": 101, "lo'
        )

    def page(self) -> str:
        return (self.folder / "report" / "report.md").read_text()

    def report(self, *arguments: object, code: int = 0) -> str:
        return self.call("report", *arguments, "--out", self.folder / "report", code=code)

    def test_has_every_figure_and_every_chart(self) -> None:
        self.report(self.folder / "out.json", "--log", f"run={self.log}")
        page = self.page()
        for policy in self.figures():
            name, recall = policy["policy"]["name"], policy["figures"]["recall"]["16"]
            self.assertIn(f"| {name} | {recall['mean']:.3f} ({recall['low']:.3f} to {recall['high']:.3f}) |", page)
        self.assertIn("| run | 100 | 1.00 | own | 0.900 (step 0) | 0.250 (step 100) |", page)
        charts = re.findall(r"\]\(([^)]+\.svg)\)", page)
        self.assertEqual(charts, ["recall-out.svg", "mass-out.svg", "learning.svg"])
        for chart in charts:
            root = ET.parse(self.folder / "report" / chart).getroot()
            self.assertEqual(root.tag, "{http://www.w3.org/2000/svg}svg")
        text = (self.folder / "report" / "recall-out.svg").read_text()
        for name in POLICIES:
            self.assertEqual(f">{name}<" in text, name not in NOT_IN_CHARTS, name)
        self.assertIn(">run: loss, mean of 5<", (self.folder / "report" / "learning.svg").read_text())

    def test_takes_the_place_of_nothing_that_it_reads(self) -> None:
        page = self.folder / "report.md"
        (self.folder / "out.json").rename(page)
        before = page.read_bytes()
        self.assertIn("report.md is read by this command", self.call("report", page, "--out", self.folder, code=1))
        self.assertEqual(page.read_bytes(), before)

    def test_ablations_are_one_table(self) -> None:
        (self.folder / "list.json").write_text(json.dumps([{"name": "four tokens", "json": "out.json"}, {"name": "b|c", "json": "out.json"}]))
        self.report(self.folder / "list.json")
        mean = next(policy for policy in self.figures() if policy["policy"]["name"] == "tiny")["figures"]["recall"]["64"]["mean"]
        self.assertIn(f"| four tokens: tiny | 4 | 7 | 6 | {mean:.3f} (", self.page())
        self.assertIn("| b\\|c: tiny, no pooling | 4 | 7 |", self.page())

    def test_several_results_do_not_overwrite_one_anothers_charts(self) -> None:
        other = self.folder / "out.json.json"
        other.write_text((self.folder / "out.json").read_text())
        (self.folder / "OUT.json").write_text(other.read_text())
        self.report(self.folder / "out.json", self.folder / "OUT.json", other)
        self.assertEqual(len(set(re.findall(r"\]\(([^)]+\.svg)\)", self.page()))), 6)

    def test_names_cannot_break_the_page_or_the_charts(self) -> None:
        found = self.json()
        for policy in found["policies"]:
            if policy["policy"]["name"] == "tiny":
                policy["policy"]["name"] = "<script>|\n# x\u0000 & ](y)"
        (self.folder / "evil.json").write_text(json.dumps(found))
        self.report(self.folder / "evil.json")
        self.assertNotIn("<script>", self.page())
        self.assertNotIn("\n# x", self.page())
        ET.parse(self.folder / "report" / "recall-evil.svg")

    def test_what_is_no_result_is_refused(self) -> None:
        found = self.json()
        estimate = {"mean": 1e300, "low": None, "high": None, "prompts": 1}
        cases: list[object] = [3, {}, {**found, "policies": 5}, {**found, "subject": {**found["subject"], "base": []}}, [{"name": "x"}]]
        cases += [{**found, "format": "other"}, {**found, "policies": [{**found["policies"][0], "figures": {"recall": {"16": estimate}}}]}]
        for case in cases:
            (self.folder / "bad.json").write_text(json.dumps(case))
            self.assertIn("bad.json", self.report(self.folder / "bad.json", code=1))
        self.assertIn("nowhere.json", self.report(self.folder / "nowhere.json", code=1))
        self.assertIn("nothing to report", self.report(code=1))
        self.log.write_text('{"step": 1, "loss": 1}\n{"step": 2, "lo{"step": 3, "loss": 1}\n')
        self.assertIn("(line 2: it is no JSON from letter", self.report("--log", self.log, code=1))
        for text in ("", "5\n", '{"step": 1e999, "loss": 1}\n', '{"step": 1, "loss": NaN}\n'):
            self.log.write_text(text)
            self.assertIn("log.jsonl", self.report("--log", self.log, code=1))


