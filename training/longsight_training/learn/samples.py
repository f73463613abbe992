"""From texts with instructions to groups: which texts are joined, how long, what is asked."""

from __future__ import annotations

import itertools
import json
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from longsight_training.errors import TrainingError, reason_of
from longsight_training.learn.facts import make_facts, strew
from longsight_training.learn.groups import Branch, Group
from longsight_training.learn.lengths import LengthMix
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


FACT_LETTERS = 400
"""A text that takes made facts has more."""


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


def read_samples(folder: str | Path, *, split: str, without: Sequence[str] = ()) -> list[Sample]:
    """All samples of a split. `without`: subsets that are left out, for example because their licence forbids it.

    Raises TrainingError where the folder holds no data.
    """
    samples = []
    for path in data_files(folder):
        for number, line in enumerate(_read_lines(path), 1):
            if not line.strip():
                continue
            try:
                sample = _sample(json.loads(line))
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                raise TrainingError(f"{path}, line {number}, is not a sample ({reason_of(error)}).") from error
            if sample.split == split and sample.subset not in without:
                samples.append(sample)
    if not samples:
        raise TrainingError(f"{folder} holds no samples of the split “{split}”. Give a folder of JSON Lines files as README.md describes.")
    return samples


def data_files(folder: str | Path) -> list[Path]:
    """The folder's JSON Lines files, in order."""
    return sorted(path for path in Path(folder).glob("*.jsonl") if path.is_file())


def refuse_among_data(out: Path, folder: str | Path) -> None:
    """Raises TrainingError where groups would be written into the folder of the data."""
    if out.resolve().parent == Path(folder).resolve():
        raise TrainingError(f"{out} lies in the folder of the data, and would be read as data. Give an --out elsewhere.")


def _read_lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise TrainingError(f"{path} is not text in UTF-8 ({error.reason} at byte {error.start}). Convert it.") from error
    except OSError as error:
        raise TrainingError(f"{path} could not be read ({error.strerror}).") from error


def _sample(row: dict) -> Sample:
    if not isinstance(row, dict):
        raise ValueError("it is no object")
    texts = {name: row[name] for name in ("kind", "subset", "context", "instruction", "instruction_place", "response", "split")}
    # Ids that are whole numbers are common.
    texts["id"] = str(row["id"]) if type(row["id"]) is int else row["id"]
    for name, text in texts.items():
        if not isinstance(text, str):
            raise ValueError(f"{name} is {json.dumps(text):.40}, not a text")
        try:
            text.encode()
        except UnicodeEncodeError:
            raise ValueError(f"{name} holds half a character") from None
    place = texts.pop("instruction_place")
    return Sample(inside=place == "inside", **texts)


def fact_texts(samples: Sequence[Sample]) -> list[Sample]:
    """Samples whose text can take made facts."""
    return [sample for sample in samples if not sample.inside and len(sample.context.strip()) > FACT_LETTERS]


def fact_group(
    texts: Sequence[Sample], prompter: Prompter, lengths: LengthMix, *, branches: int, seed: int, number: int | str, within: float = 1.0
) -> Group:
    """Made facts in texts of the samples, with the responses that the facts give. The same seed and number give the same group.

    within: the first share of all the text that the facts lie in.
    """
    rng = random.Random(f"{seed}/facts/{number}")
    layout = draw_layout(rng)
    length = lengths.draw(rng) if not layout.question_first else rng.randint(300, 900)
    joined = _join(rng, texts, prompter, length)
    facts = make_facts(rng, " ".join(text for _, text in joined), 1 + rng.randrange(2 * branches))
    scattered = _scatter(rng, [text for _, text in joined], facts, within)
    source = "+".join(sample.id for sample, _ in joined)
    head, tail = prompter.frame(layout.system)
    body = prompter.text(layout, scattered, rng)
    asked = rng.sample(facts, min(len(facts), branches))
    if layout.question_first:
        question, answers = _ask(rng, asked[:1])
        end, response = _answer(rng, prompter, tail, answers)
        prefix = (*head, *prompter.question_before(layout, question), *body)
        return Group(f"facts-{number}", source, prefix, (Branch(tuple(end), tuple(response), "fact-first"),))
    made = []
    for fact in asked:
        several = [fact, *rng.sample(facts, min(len(facts), rng.randint(1, 2)))] if rng.random() < 0.15 else [fact]
        question, answers = _ask(rng, several)
        end, response = _answer(rng, prompter, tail, answers)
        made.append(Branch((*prompter.question(layout, question), *end), tuple(response), "fact"))
    return Group(f"facts-{number}", source, (*head, *body), tuple(made))


def question_groups(
    samples: Sequence[Sample], prompter: Prompter, lengths: LengthMix, *, branches: int, seed: int, keep_responses: bool
) -> Iterator[Group]:
    """Groups of the samples' own instructions and general ones, each text once.

    keep_responses: with the data set's responses, instructions without one left out; otherwise for the model to respond to.
    """
    left = list(samples)
    random.Random(f"{seed}/questions").shuffle(left)
    for number in itertools.count():
        if not left:
            return
        rng = random.Random(f"{seed}/questions/{number}")
        first = left.pop()
        group = _whole(first, prompter, rng) if first.inside else _questions(number + 1, first, left, prompter, lengths, branches, rng)
        if keep_responses:
            group = replace(group, branches=tuple(branch for branch in group.branches if branch.response))
        if group.branches:
            yield group


def _questions(
    number: int, first: Sample, left: list[Sample], prompter: Prompter, lengths: LengthMix, branches: int, rng: random.Random
) -> Group:
    """A text, joined by others of those left until it is as long as was drawn, with its questions."""
    layout = draw_layout(rng)
    wanted = lengths.draw(rng)
    chosen = [first, *_take_more(left, wanted * 0.8 - _tokens_about(first))]
    head, tail = prompter.frame(layout.system)
    letters = wanted * 4 // len(chosen)
    texts = [sample.context[: max(letters, 800)] for sample in chosen]
    own = [(sample.instruction, sample.response, sample.kind) for sample in chosen if sample.instruction]
    general = [(question, "", "general") for question in rng.sample(GENERIC, min(len(GENERIC), max(2, branches // 2)))]
    asked = [*own, *general][: 1 if layout.question_first else branches]
    body = prompter.text(layout, texts, rng)
    if layout.question_first:
        head += prompter.question_before(layout, asked[0][0])
    made = (
        Branch((*([] if layout.question_first else prompter.question(layout, question)), *tail), _response(prompter, response), kind)
        for question, response, kind in asked
    )
    return Group(f"questions-{number}", "+".join(sample.id for sample in chosen), (*head, *body), tuple(made))


def _take_more(left: list[Sample], tokens: float) -> list[Sample]:
    """Takes samples with a text of their own from the end, until they have about so many tokens or there are none."""
    taken: list[Sample] = []
    for index in range(len(left) - 1, -1, -1):
        if tokens <= 0:
            break
        if not left[index].inside:
            taken.append(left.pop(index))
            tokens -= _tokens_about(taken[-1])
    return taken


def _tokens_about(sample: Sample) -> float:
    return len(sample.context) / 4


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
        return [*tail, *prompter.ids(opening)], [*prompter.ids(f"{_glue(opening)}{value}"), *prompter.ids("."), *prompter.end]
    if draw < 0.65:
        return tail, [*prompter.ids(", ".join(value for _, value in answers)), *prompter.end]
    text = " ".join(f"{opening}{_glue(opening)}{value}." for opening, value in answers)
    return tail, [*prompter.ids(text), *prompter.end]


def _glue(opening: str) -> str:
    """What stands between an opening and its value: nothing behind an opened quotation."""
    return "" if opening.endswith('"') else " "


def _join(rng: random.Random, samples: Sequence[Sample], prompter: Prompter, tokens: int) -> list[tuple[Sample, str]]:
    """Texts that have about so many tokens together."""
    joined: list[tuple[Sample, str]] = []
    left = tokens
    while left > 60:
        sample = rng.choice(samples)
        text = sample.context[: left * 6]
        length = len(prompter.ids(text))
        if length > left:
            text = text[: max(200, len(text) * left // length)]
        joined.append((sample, text))
        left -= min(length, left)
    return joined


def _scatter(rng: random.Random, texts: Sequence[str], facts, within: float) -> list[str]:
    """The texts with the facts in the first share of them all."""
    left = within * sum(map(len, texts))
    reaches: list[int] = []
    for text in texts:
        reaches.append(min(len(text), max(0, math.ceil(left))))
        left -= len(text)
    hands = max(1, sum(reach > 0 for reach in reaches))
    dealt = [*_deal(rng, facts, hands), *([] for _ in texts[hands:])]
    return [strew(rng, text[:reach], part) + text[reach:] for text, reach, part in zip(texts, reaches, dealt)]


def _deal(rng: random.Random, facts, hands: int):
    dealt = [[] for _ in range(hands)]
    for fact in facts:
        dealt[rng.randrange(hands)].append(fact)
    return dealt
