"""From texts with instructions to groups: which texts are joined, how long, what is asked."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from longsight_training.errors import TrainingError
from longsight_training.learn.facts import make_facts, strew
from longsight_training.learn.groups import Branch, Group
from longsight_training.learn.prompts import Layout, Prompter, draw_layout

GENERIC = (
    "Summarise the document in two sentences.",
    "What is this text about?",
    "List the main points.",
    "Which people, places or things are named?",
    "Explain the most important idea in simple words.",
    "What happens at the end?",
    "What happens at the beginning?",
    "Write a title for this text and say why it fits.",
    "What numbers or dates are mentioned?",
    "Quote one sentence that matters and explain it.",
)


@dataclass(frozen=True)
class Sample:
    """One line of a data file (see README.md)."""

    id: str
    kind: str
    subset: str
    context: str
    instruction: str
    inside: bool
    response: str
    split: str


@dataclass(frozen=True)
class LengthMix:
    """How long the shared text is, in tokens: shares with their least and most."""

    parts: tuple[tuple[float, int, int], ...]

    def draw(self, rng: random.Random) -> int:
        at = rng.random() * sum(share for share, _, _ in self.parts)
        for share, least, most in self.parts:
            at -= share
            if at <= 0:
                break
        return rng.randint(least, most)


def read_samples(folder: str | Path, *, split: str, without: Sequence[str] = ()) -> list[Sample]:
    """All samples of a split. `without`: subsets that are left out, for example because their licence forbids it.

    Raises TrainingError where the folder holds no data.
    """
    samples = []
    for path in sorted(Path(folder).glob("*.jsonl")):
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            if not line:
                continue
            try:
                row = json.loads(line)
                sample = Sample(
                    row["id"], row["kind"], row["subset"], row["context"], row["instruction"],
                    row["instruction_place"] == "inside", row["response"], row["split"],
                )
            except (ValueError, KeyError, TypeError) as error:
                raise TrainingError(f"{path}, line {number}, is not a sample ({error}).") from error
            if sample.split == split and sample.subset not in without:
                samples.append(sample)
    if not samples:
        raise TrainingError(f"{folder} holds no samples of the split “{split}”. Give a folder of JSON Lines files as README.md describes.")
    return samples


def fact_texts(samples: Sequence[Sample]) -> list[Sample]:
    """Samples whose text can take made facts."""
    return [sample for sample in samples if not sample.inside and len(sample.context) > 400]


def fact_group(texts: Sequence[Sample], prompter: Prompter, lengths: LengthMix, *, branches: int, seed: int, number: int) -> Group:
    """Made facts in texts of the samples, with the responses that the facts give. The same seed and number give the same group."""
    rng = random.Random(f"{seed}/facts/{number}")
    layout = draw_layout(rng)
    length = lengths.draw(rng) if not layout.question_first else rng.randint(300, 900)
    joined = _join(rng, texts, prompter, length)
    facts = make_facts(rng, " ".join(text for _, text in joined), 1 + rng.randrange(2 * branches))
    scattered = [strew(rng, text, part) for (_, text), part in zip(joined, _deal(rng, facts, len(joined)))]
    source = "+".join(sample.id for sample, _ in joined)
    head, tail = prompter.frame(layout.system)
    body = prompter.text(layout, scattered, rng)
    asked = rng.sample(facts, min(len(facts), branches))
    if layout.question_first:
        question, answers = _ask(rng, asked[:1])
        prefix = [*head, *prompter.question(layout, question), *prompter.ids("\n\n"), *body]
        end, response = _answer(rng, prompter, tail, answers)
        return Group(f"facts-{number}", source, tuple(prefix), (Branch(tuple(end), tuple(response), "fact-first"),))
    made = []
    for fact in asked:
        several = [fact, *rng.sample(facts, min(len(facts), rng.randint(1, 2)))] if rng.random() < 0.15 else [fact]
        question, answers = _ask(rng, several)
        end, response = _answer(rng, prompter, tail, answers)
        made.append(Branch((*prompter.question(layout, question), *end), tuple(response), "fact"))
    return Group(f"facts-{number}", source, (*head, *body), tuple(made))


def question_groups(samples: Sequence[Sample], prompter: Prompter, lengths: LengthMix, *, branches: int, seed: int, keep_responses: bool) -> Iterator[Group]:
    """Groups of the samples' own instructions and general ones, each text once.

    keep_responses: with the data set's responses, instructions without one left out; otherwise for the model to respond to.
    """
    rng = random.Random(f"{seed}/questions")
    order = list(samples)
    rng.shuffle(order)
    number = 0
    while order:
        rng = random.Random(f"{seed}/questions/{number}")
        first = order.pop()
        number += 1
        group = _whole(first, prompter, rng) if first.inside else None
        if not first.inside:
            layout = draw_layout(rng)
            wanted = lengths.draw(rng)
            chosen, tokens = [first], len(first.context) / 4
            while tokens < wanted * 0.8 and (index := next((i for i in range(len(order) - 1, -1, -1) if not order[i].inside), None)) is not None:
                chosen.append(order.pop(index))
                tokens += len(chosen[-1].context) / 4
            group = _questions(number, chosen, prompter, layout, wanted, branches, rng)
        if keep_responses and group is not None:
            answered = tuple(branch for branch in group.branches if branch.response)
            group = Group(group.name, group.source, group.prefix, answered) if answered else None
        if group is not None:
            yield group


def _questions(number: int, chosen: list[Sample], prompter: Prompter, layout: Layout, wanted: int, branches: int, rng: random.Random) -> Group:
    head, tail = prompter.frame(layout.system)
    letters = wanted * 4 // len(chosen)
    texts = [sample.context[: max(letters, 800)] for sample in chosen]
    own = [(sample.instruction, sample.response, sample.kind) for sample in chosen if sample.instruction]
    general = [(question, "", "general") for question in rng.sample(GENERIC, min(len(GENERIC), max(2, branches // 2)))]
    asked = [*own, *general][:branches]
    source = "+".join(sample.id for sample in chosen)
    if layout.question_first:
        question, response, kind = asked[0]
        prefix = [*head, *prompter.question(layout, question), *prompter.ids("\n\n"), *prompter.text(layout, texts, rng)]
        made = (Branch(tuple(tail), _response(prompter, response), kind),)
        return Group(f"questions-{number}", source, tuple(prefix), made)
    made = tuple(
        Branch((*prompter.question(layout, question), *tail), _response(prompter, response), kind) for question, response, kind in asked
    )
    return Group(f"questions-{number}", source, (*head, *prompter.text(layout, texts, rng)), made)


def _whole(sample: Sample, prompter: Prompter, rng: random.Random) -> Group:
    """A sample whose text holds its instruction somewhere."""
    head, tail = prompter.frame(rng.choice((None, "You are a helpful assistant.")))
    ids = [*head, *prompter.ids(sample.context.strip())]
    cut = max(1, len(ids) - 24)
    branch = Branch((*ids[cut:], *tail), _response(prompter, sample.response), sample.kind)
    return Group(sample.id, sample.id, tuple(ids[:cut]), (branch,))


def _response(prompter: Prompter, text: str) -> tuple[int, ...]:
    return (*prompter.ids(text.strip()), *prompter.end) if text.strip() else ()


def _ask(rng: random.Random, facts) -> tuple[str, list[tuple[str, str]]]:
    """A question for one fact or several, and for each a possible opening and its value."""
    question = " ".join(rng.choice(fact.questions) for fact in facts)
    return question, [(rng.choice(fact.openings), fact.value) for fact in facts]


def _answer(rng: random.Random, prompter: Prompter, tail: list[int], answers: list[tuple[str, str]]) -> tuple[list[int], list[int]]:
    """The template's tail, with or without the beginning of the answer, and the rest of the answer."""
    draw = rng.random()
    if draw < 0.45 and len(answers) == 1:
        opening, value = answers[0]
        glue = "" if opening.endswith('"') else " "
        return [*tail, *prompter.ids(opening)], [*prompter.ids(f"{glue}{value}"), *prompter.ids("."), *prompter.end]
    if draw < 0.65:
        return tail, [*prompter.ids(", ".join(value for _, value in answers)), *prompter.end]
    text = " ".join(f"{opening}{'' if opening.endswith(chr(34)) else ' '}{value}." for opening, value in answers)
    return tail, [*prompter.ids(text), *prompter.end]


def _join(rng: random.Random, samples: Sequence[Sample], prompter: Prompter, tokens: int) -> list[tuple[Sample, str]]:
    """Texts that have about so many tokens together."""
    joined: list[tuple[Sample, str]] = []
    left = tokens
    while left > 60:
        sample = rng.choice(samples)
        ids = prompter.ids(sample.context[: left * 6])
        text = sample.context[: left * 6]
        if len(ids) > left:
            text = text[: max(200, len(text) * left // len(ids))]
        joined.append((sample, text))
        left -= min(len(ids), left)
    return joined


def _deal(rng: random.Random, facts, hands: int):
    dealt = [[] for _ in range(hands)]
    for fact in facts:
        dealt[rng.randrange(hands)].append(fact)
    return dealt
