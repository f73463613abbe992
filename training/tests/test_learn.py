"""Settings, responses, and a run that is interrupted."""

from __future__ import annotations

import contextlib
import io
import json
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

import torch
import yaml
from transformers import GenerationConfig

from longsight_training.errors import TrainingError
from longsight_training.files import writing_alone
from longsight_training.learn.groups import Branch, Group, read_answered, read_groups, write_groups
from longsight_training.learn.prompts import Prompter
from longsight_training.learn.respond import respond
from longsight_training.learn.settings import read_settings
from longsight_training.learn.source import Source
from longsight_training.learn.train import CHECKPOINT, LOG, rate, train
from tests.tiny_model import CONFIGS, base_of, group_of, model_of, tokenizer, write_model

TEXT = "The ferry leaves the harbour every morning before the bakers open their doors. " * 12


class FolderTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="longsight “learning” ")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write_data(self) -> None:
        samples = [
            {
                "id": f"sample-{index}", "kind": "made", "subset": "odd" if index % 2 else "even", "context": f"{index}. {TEXT}",
                "instruction": f"What leaves the harbour, number {index}?", "instruction_place": "after", "response": "The ferry.",
                "split": "val" if index >= 6 else "train",
            }
            for index in range(9)
        ]
        (self.folder / "data").mkdir(exist_ok=True)
        (self.folder / "data" / "made.jsonl").write_text("".join(json.dumps(sample) + "\n" for sample in samples))

    def write_run(self, **over) -> Path:
        """A run of four steps over a tiny base, its data and groups."""
        if not (self.folder / "base").exists():
            write_model(self.folder / "base")
            self.write_data()
            write_groups([group_of((5, 3), (4, 6)), group_of((2, 2), prefix=33)], self.folder / "val.jsonl")
        values = {
            "base": "base", "data": "data", "run": "run", "validation": ["val.jsonl"], "facts_share": 0.5, "data_share": 0.5,
            "lengths": [{"share": 1, "least": 70, "most": 100}], "branches": 3, "tokens": 4, "rank": 2, "steps": 4, "groups_per_step": 2,
            "warm_up": 2, "decay": 2, "validate_every": 2, "save_every": 1, "dtype": "float32", "learning_rate": 0.01,
        }
        path = self.folder / "run.yaml"
        path.write_text(yaml.safe_dump({**values, **over}))
        return path

    def quietly(self, work):
        with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
            return work()

    def log_of(self, run: str) -> list[dict]:
        return [json.loads(line) for line in (self.folder / run / LOG).read_text().splitlines()]


class AnsweringAlone(unittest.TestCase):
    def test_writes_what_transformers_writes(self) -> None:
        for architecture in CONFIGS:
            with self.subTest(architecture):
                base = base_of(architecture)
                group = group_of((5, 0), (11, 0), (1, 0))
                found = respond(base, group, most=9, ends=frozenset())
                model = model_of(architecture, attention="eager")
                settings = GenerationConfig(max_new_tokens=9, do_sample=False, eos_token_id=None, pad_token_id=0)
                for branch, answered in zip(group.branches, found.branches):
                    prompt = torch.tensor([[*group.prefix, *branch.question]])
                    expected = model.generate(prompt, attention_mask=torch.ones_like(prompt), generation_config=settings)
                    self.assertEqual(answered.response, tuple(expected[0, prompt.shape[1] :].tolist()))
                    self.assertEqual(answered.question, branch.question)

    def test_ends_each_response_with_its_end_and_goes_on_with_the_others(self) -> None:
        base = base_of()
        group = group_of((5, 0), (11, 0), (1, 0))
        whole = [branch.response for branch in respond(base, group, most=9, ends=frozenset()).branches]
        end = whole[1][2]
        found = [branch.response for branch in respond(base, group, most=9, ends=frozenset({end})).branches]
        expected = [response[: response.index(end) + 1] if end in response else response for response in whole]
        self.assertEqual(found, expected)
        self.assertLessEqual(len(found[1]), 3)
        self.assertEqual(found[0], expected[0])


class Groups(FolderTest):
    def test_are_the_same_after_a_file(self) -> None:
        groups = [group_of((5, 3), (9, 7)), Group("ž", "a+b", (1,), (Branch((2,), (), "fact"),))]
        write_groups(groups, self.folder / "groups.jsonl")
        self.assertEqual(read_groups(self.folder / "groups.jsonl"), groups)

    def test_that_are_damaged_or_missing_are_refused_by_name(self) -> None:
        path = self.folder / "groups.jsonl"
        with self.assertRaisesRegex(TrainingError, "groups.jsonl could not be read as groups"):
            read_groups(path)
        for text in ("{", "[]", "{}", '{"name":"a","source":"b","prefix":[1],"branches":[{"question":[1]}]}', "7"):
            path.write_text(text)
            with self.subTest(text), self.assertRaisesRegex(TrainingError, "groups.jsonl could not be read as groups"):
                read_groups(path)


class ARun(FolderTest):
    def settings(self, **over):
        return read_settings(self.write_run(**over))

    def test_learns_and_says_so_in_its_log(self) -> None:
        run = self.quietly(lambda: train(self.settings(steps=12, validate_every=6, learning_rate=0.001, embedding_rate=0.02)))
        lines = self.log_of("run")
        validations = [(line["step"], line["validation"]) for line in lines if "validation" in line]
        self.assertEqual([step for step, _ in validations], [0, 6, 12])
        self.assertLess(validations[-1][1]["val"], validations[0][1]["val"])
        self.assertEqual([line["step"] for line in lines if "loss" in line], list(range(1, 13)))
        self.assertEqual(run.step, 12)
        self.assertGreater(run.longest, 70)
        self.assertGreater(run.samples, 12)

    def test_goes_on_after_an_interruption_as_if_there_had_been_none(self) -> None:
        whole = self.quietly(lambda: train(self.settings(run="whole")))
        asked = iter([False, False, True])
        stopped = self.quietly(lambda: train(self.settings(run="parts"), should_stop=lambda: next(asked)))
        self.assertEqual(stopped.step, 2)
        resumed = self.quietly(lambda: train(self.settings(run="parts")))
        self.assertEqual((resumed.step, resumed.samples, resumed.longest), (4, whole.samples, whole.longest))
        for name, parameter in whole.lookahead.learned().items():
            self.assertTrue(torch.equal(parameter, resumed.lookahead.learned()[name]), name)
        whole_losses, parts_losses = (
            [(line["step"], line["loss"]) for line in self.log_of(name) if "loss" in line] for name in ("whole", "parts")
        )
        self.assertEqual(whole_losses, parts_losses)

    def test_goes_on_from_its_last_checkpoint_when_it_was_killed(self) -> None:
        whole = self.quietly(lambda: train(self.settings(run="whole")))

        class Killed(BaseException):
            pass

        def kill(steps=iter([False, False, False])):
            if next(steps, None) is None:
                raise Killed
            return False

        # Three steps are done, of which the checkpoint has two: the third is lost, and done again.
        with self.assertRaises(Killed):
            self.quietly(lambda: train(self.settings(run="parts", save_every=2), should_stop=kill))
        resumed = self.quietly(lambda: train(self.settings(run="parts")))
        for name, parameter in whole.lookahead.learned().items():
            self.assertTrue(torch.equal(parameter, resumed.lookahead.learned()[name]), name)

    def test_stops_after_a_time(self) -> None:
        run = self.quietly(lambda: train(self.settings(), stop_after=0))
        self.assertEqual(run.step, 0)

    def test_learns_embeddings_alone_where_it_is_told_to(self) -> None:
        run = self.quietly(lambda: train(self.settings(lora=False, steps=1)))
        for lora in run.lookahead.loras().values():
            self.assertFalse(lora.b.any())

    def test_of_another_size_does_not_go_on_from_a_checkpoint(self) -> None:
        self.quietly(lambda: train(self.settings(steps=1)))
        with self.assertRaisesRegex(TrainingError, "checkpoint.pt was made with other settings: rank “2”, now “3”"):
            self.quietly(lambda: train(self.settings(rank=3)))

    def test_does_not_go_on_from_a_damaged_checkpoint(self) -> None:
        settings = self.settings(steps=1)
        self.quietly(lambda: train(settings))
        path = settings.run / CHECKPOINT
        whole = path.read_bytes()
        for content in (b"", b"not a checkpoint", whole[: len(whole) // 2]):
            path.write_bytes(content)
            with self.subTest(len(content)), self.assertRaisesRegex(TrainingError, "checkpoint.pt is damaged"):
                self.quietly(lambda: train(settings))

    def test_with_a_pool_costs_the_reading_once(self) -> None:
        fresh = self.quietly(lambda: train(self.settings(run="fresh", pool=2)))
        prepared = self.quietly(lambda: train(self.settings(run="prepared-run", pool=2, prepared="truths")))
        self.assertEqual(len(list((self.folder / "truths").glob("*.pt"))), 2)
        again = self.quietly(lambda: train(self.settings(run="again", pool=2, prepared="truths")))
        for name, parameter in prepared.lookahead.learned().items():
            # Prepared truths are kept in 16 bits.
            torch.testing.assert_close(parameter, fresh.lookahead.learned()[name], atol=0.05, rtol=0.1)
            torch.testing.assert_close(parameter, again.lookahead.learned()[name], atol=0.05, rtol=0.1)

    def test_with_other_settings_leaves_prepared_truths_alone(self) -> None:
        self.quietly(lambda: train(self.settings(run="first", pool=2, prepared="truths", steps=1)))
        earlier = {path.name: path.read_bytes() for path in (self.folder / "truths").glob("*.pt")}
        self.quietly(lambda: train(self.settings(run="second", pool=2, prepared="truths", steps=1, seed=5)))
        found = {path.name: path.read_bytes() for path in (self.folder / "truths").glob("*.pt")}
        self.assertEqual({name: found[name] for name in earlier}, earlier)
        self.assertGreater(len(found), len(earlier))

    def test_learns_from_the_whole_pool_and_the_own_responses_each_round(self) -> None:
        settings = self.settings(pool=3, responses=["val.jsonl"], facts_share=1.0, data_share=0.0)
        source = Source(settings, Prompter(tokenizer()))
        for start in (0, 5):
            self.assertEqual(sorted(source.place(start + turn) for turn in range(5)), [0, 1, 2, 3, 4])
        self.assertEqual([source.group(number) for number in (3, 4)], read_groups(self.folder / "val.jsonl"))

    def test_does_not_go_on_with_another_alpha(self) -> None:
        self.quietly(lambda: train(self.settings(steps=1)))
        with self.assertRaisesRegex(TrainingError, "alpha “32”, now “16”"):
            self.quietly(lambda: train(self.settings(steps=2, alpha=16)))

    def going_on(self, **over) -> str:
        """What people are told on going on."""
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            train(self.settings(**over), stop_after=0)
        return said.getvalue()

    def test_does_not_go_on_with_what_decides_the_data(self) -> None:
        self.quietly(lambda: train(self.settings(steps=1)))
        for over in ({"seed": 1}, {"branches": 2}, {"facts_share": 0.4, "responses": ["val.jsonl"]}, {"data_share": 0.4, "responses": ["val.jsonl"]}, {"without": ["odd"]},
                     {"groups_per_step": 1}, {"lora": False}):
            with self.subTest(over), self.assertRaisesRegex(TrainingError, f"other settings: {next(iter(over))} “"):
                self.quietly(lambda: train(self.settings(**over)))
        lines = (self.folder / "data" / "made.jsonl").read_text()
        (self.folder / "data" / "made.jsonl").write_text(lines.replace("bakers", "barmen"))
        with self.assertRaisesRegex(TrainingError, "other settings: data “1 files"):
            self.quietly(lambda: train(self.settings(steps=2)))

    def test_says_what_else_has_changed(self) -> None:
        self.quietly(lambda: train(self.settings(steps=6, decay=2), stop_after=0))
        self.assertNotIn("other settings", self.going_on(steps=6, decay=2))
        said = self.going_on(steps=7, decay=2, learning_rate=0.02, pool=3, lengths=[{"share": 1, "least": 70, "most": 110}])
        for part in ("steps “6”, now “7”", "learning_rate “0.01”, now “0.02”", "pool “0”, now “3”", "lengths “1:70-100”, now “1:70-110”"):
            self.assertIn(part, said)
        self.assertNotIn("rise again", said)

    def test_says_so_where_the_rates_rise_again(self) -> None:
        self.quietly(lambda: train(self.settings(steps=3, decay=2)))
        self.assertIn("The rates had begun to fall by step 3", self.going_on(steps=9, decay=2))

    def test_goes_on_from_a_checkpoint_of_before(self) -> None:
        run = self.quietly(lambda: train(self.settings(steps=1)))
        path = run.settings.run / CHECKPOINT
        state = torch.load(path, weights_only=True)
        state["made"] = f"{state['made']['base']}, alpha 32, lora true"
        del state["likeness"]
        torch.save(state, path)
        with self.assertRaisesRegex(TrainingError, "alpha “32”, now “8”"):
            self.quietly(lambda: train(self.settings(steps=2, alpha=8)))
        self.assertEqual(self.quietly(lambda: train(self.settings(steps=2))).step, 2)

    def test_says_so_where_warm_up_and_decay_are_longer_than_the_run(self) -> None:
        self.assertIn("more than the 4 of the run", self.going_on(warm_up=3, decay=2))
        self.assertNotIn("of the run", self.going_on())

    def test_cuts_a_torn_line_off_its_log(self) -> None:
        settings = self.settings(steps=1)
        self.quietly(lambda: train(settings))
        with (settings.run / LOG).open("a") as file:
            file.write('{"step": 2, "lo')
        self.quietly(lambda: train(self.settings(steps=2)))
        self.assertEqual([line["step"] for line in self.log_of("run") if "loss" in line], [1, 2])

    def test_keeps_another_out_of_its_folder(self) -> None:
        settings = self.settings(steps=1)
        with writing_alone(settings.run / LOG), self.assertRaisesRegex(TrainingError, "log.jsonl is being written by another process"):
            self.quietly(lambda: train(settings))

    def test_is_refused_where_its_folder_is_a_file(self) -> None:
        (self.folder / "file").write_text("")
        with self.assertRaisesRegex(TrainingError, "log.jsonl could not be written"):
            self.quietly(lambda: train(self.settings(run="file")))

    def test_learns_from_nothing_that_the_base_cannot_read(self) -> None:
        good = group_of((5, 3))
        bad = {
            "not in this model's tokens": replace(good, prefix=(5, 100_000)), "an empty beginning": replace(good, prefix=()),
            "too many for the model's 2048": replace(good, prefix=(5,) * 2044), "without a question": replace(good, branches=(Branch((), (4,), "made"),)),
        }
        for words, group in bad.items():
            write_groups([group], self.folder / "bad.jsonl")
            for over in ({"responses": ["bad.jsonl"]}, {"validation": ["bad.jsonl"]}):
                with self.subTest(words), self.assertRaisesRegex(TrainingError, f"bad.jsonl: .*{words}"):
                    self.quietly(lambda: train(self.settings(**over)))
        with self.assertRaisesRegex(TrainingError, "lengths reach 2045 tokens, but the model has room for 2044"):
            self.quietly(lambda: train(self.settings(lengths=[{"share": 1, "least": 70, "most": 2045}])))

    def test_draws_made_facts_again_where_they_do_not_fit(self) -> None:
        settings = self.settings(facts_share=1.0, data_share=0.0, branches=3)
        plain = Source(settings, Prompter(tokenizer()))
        sizes = [plain.group(number).longest for number in range(12)]
        longest = sorted(sizes)[8]
        source = Source(settings, Prompter(tokenizer()), longest=longest)
        for number, size in enumerate(sizes):
            found = source.group(number)
            self.assertLessEqual(found.longest, longest)
            self.assertEqual(found == plain.group(number), size <= longest)
            self.assertEqual(found, source.group(number))
        with self.assertRaisesRegex(TrainingError, "grow beyond the model's 100 tokens"):
            Source(settings, Prompter(tokenizer()), longest=100).group(0)

    def test_leaves_out_prompts_without_a_response(self) -> None:
        half = Group("half", "made", (1, 2, 3), (Branch((4,), (), "made"), Branch((5,), (6,), "made")))
        none = Group("none", "made", (1, 2, 3), (Branch((4,), (), "made"),))
        write_groups([half, none], self.folder / "some.jsonl")
        (group,) = read_answered(self.folder / "some.jsonl")
        self.assertEqual([branch.question for branch in group.branches], [(5,)])
        write_groups([none], self.folder / "none.jsonl")
        with self.assertRaisesRegex(TrainingError, "none.jsonl has no group with responses"):
            read_answered(self.folder / "none.jsonl")

    def test_without_anything_to_learn_from_is_refused(self) -> None:
        with self.assertRaisesRegex(TrainingError, "no file of them is given"):
            self.quietly(lambda: train(self.settings(data_share=0.0)))
        with self.assertRaisesRegex(TrainingError, "no samples of the split “train”"):
            self.quietly(lambda: train(self.settings(without=["odd", "even"])))
        lines = [json.loads(line) for line in (self.folder / "data" / "made.jsonl").read_text().splitlines()]
        for changes, over, said in (
            ({"response": ""}, {"facts_share": 0.0, "data_share": 1.0}, "no group with the data set's own responses"),
            ({"context": " " * 500}, {}, "no text of more than 400 letters"),
        ):
            (self.folder / "data" / "made.jsonl").write_text("".join(json.dumps({**line, **changes}) + "\n" for line in lines))
            with self.subTest(said), self.assertRaisesRegex(TrainingError, said):
                self.quietly(lambda: train(self.settings(**over)))

    def test_has_rates_that_rise_stay_and_fall_to_a_tenth(self) -> None:
        settings = self.settings(steps=10, warm_up=2, decay=4)
        expected = [0.5, 1, 1, 1, 1, 1, 1, 0.775, 0.55, 0.325, 0.1]
        for step, share in enumerate(expected):
            self.assertAlmostEqual(rate(step, settings), share, msg=str(step))


class TheSettings(FolderTest):
    def refused(self, **over) -> str:
        with self.assertRaises(TrainingError) as refused:
            read_settings(self.write_run(**over))
        self.assertIn("run.yaml", str(refused.exception))
        return str(refused.exception)

    def test_have_paths_beside_the_file(self) -> None:
        settings = read_settings(self.write_run())
        self.assertEqual(settings.data, (self.folder / "data").resolve())
        self.assertEqual(settings.validation, ((self.folder / "val.jsonl").resolve(),))
        self.assertEqual(settings.lengths.parts, ((1.0, 70, 100),))

    def test_are_refused_with_the_name_of_what_is_wrong(self) -> None:
        wrong = [
            ({"stepz": 3}, "no setting stepz"), ({"stepy": 3, "stepz": 1}, "no setting stepy, stepz"),
            ({"steps": "many"}, "steps cannot be 'many'"), ({"steps": 1.5}, "whole number"), ({"steps": 0}, "steps must be at least 1"),
            ({"steps": -1}, "steps cannot be -1"), ({"steps": float("inf")}, "steps cannot be inf"),
            ({"learning_rate": float("nan")}, "learning_rate cannot be nan"), ({"alpha": 0}, "alpha must be above 0"),
            ({"lora": "maybe"}, "true or false"), ({"pool_kernel": 4}, "pool_kernel must be odd"), ({"dtype": "float8"}, "“float8”"),
            ({"facts_share": 0.8, "data_share": 0.4}, "more than 1 together"), ({"validation": "val.jsonl"}, "a list is wanted"),
            ({"without": "odd"}, "a list is wanted"), ({"lengths": [{"share": 1}]}, "lengths cannot be"), ({"lengths": []}, "lengths must"),
            ({"lengths": [{"share": 1, "least": 9, "most": 3}]}, "least ≤ most"), ({"base": None}, "a path is wanted"),
            ({"validate_every": 0}, "validate_every must be at least 1"), ({"data": ["a"]}, "a path is wanted"), ({"rank": None}, "rank"),
            ({"steps": True}, "steps cannot be True"), ({"alpha": False}, "alpha cannot be False"), ({"alpha": 1e300}, "alpha must be above 0"),
            ({"learning_rate": float("inf")}, "learning_rate cannot be inf"), ({"threads": 10**6}, "threads must be at least 0 and at most 1024"),
            ({"branches": 10**6}, "branches must be at least 1 and at most 256"), ({"tokens": 513}, "tokens must"),
            ({"lengths": [{"share": 1, "least": 9, "most": 90}]}, "64 ≤ least"), ({"lengths": [{"share": True, "least": 70, "most": 90}]}, "lengths"),
            ({"lengths": [{"share": 1, "least": 70.5, "most": 90}]}, "a whole number"), ({"without": [None]}, "a list of names"),
            ({"device": None}, "a word is wanted"), ({"run": "data"}, "run and data are one folder"), ({"base": "~nobody-of-this-name/x"}, "base cannot"),
            ({"validation": ["val.jsonl", "other/val.jsonl"]}, "two files of validation are called val"),
            ({"validation": ["run/log.jsonl"]}, "log.jsonl is read"), ({"seed": 2**32}, "seed must"),
        ]
        for over, said in wrong:
            with self.subTest(said):
                self.assertIn(said, self.refused(**over))

    def test_must_name_base_data_and_run(self) -> None:
        path = self.folder / "run.yaml"
        path.write_text("base: here\n")
        with self.assertRaisesRegex(TrainingError, "must set data, run"):
            read_settings(path)

    def test_that_are_no_yaml_are_refused(self) -> None:
        path = self.folder / "run.yaml"
        for content in (b"", b"- a\n- b", b"7: 3\nstepz: 1", b"a: [", b"\xff\xfe\x00", b"[" * 5000, b"!!python/object:os.system {}",
                        b"run: 2026-13-45", b"run: !!timestamp x", b"run: !!bool x", b"run: !!int x"):
            path.write_bytes(content)
            with self.subTest(content[:20]), self.assertRaisesRegex(TrainingError, "run.yaml"):
                read_settings(path)
        with self.assertRaisesRegex(TrainingError, "gone.yaml could not be read"):
            read_settings(self.folder / "gone.yaml")


