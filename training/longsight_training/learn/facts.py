"""Made facts, strewn over other text, and questions about them: what a reader has to find, nothing else in the text tells."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from longsight_training.learn.wordings import ASKING, FIRST_NAMES, LAST_NAMES, MONTHS, THINGS, WORDINGS


@dataclass(frozen=True)
class Fact:
    """One sentence and how it may be asked for."""

    sentence: str
    thing: str
    value: str
    questions: tuple[str, ...]
    openings: tuple[str, ...]


def vocabulary(text: str) -> list[str]:
    """Words of a text that things may be called by."""
    return sorted(set(re.findall(r"\b[a-z]{5,10}\b", text)))


def make_fact(rng: random.Random, words: list[str], form: int | None = None) -> Fact:
    wording = WORDINGS[rng.randrange(len(WORDINGS)) if form is None else form]
    thing = _thing(rng, words)
    value = _value(rng, words, wording.value)
    sentence = _fill(wording.sentence, thing, value)
    return Fact(
        sentence[0].upper() + sentence[1:],
        thing,
        value,
        tuple(rng.choice(ASKING).replace("{q}", _fill(question, thing, value)) for question in wording.questions),
        tuple(_capital(_fill(opening, thing, value)) for opening in wording.openings),
    )


def make_facts(rng: random.Random, text: str, count: int) -> list[Fact]:
    """Facts with different things; often several of one form, so that the thing and not the form tells them apart."""
    words = vocabulary(text)
    if len(words) < 20:
        words = [*words, *(name.lower() for name in (*FIRST_NAMES, *LAST_NAMES))]
    same = rng.random() < 0.4
    form = rng.randrange(len(WORDINGS)) if same else None
    facts: dict[str, Fact] = {}
    for _ in range(count * 3):
        fact = make_fact(rng, words, form if rng.random() < 0.8 else None)
        facts.setdefault(fact.thing.lower(), fact)
        if len(facts) == count:
            break
    return list(facts.values())


def strew(rng: random.Random, text: str, facts: list[Fact]) -> str:
    """The text with the facts between its sentences or lines, anywhere from beginning to end."""
    places = [match.end() for match in re.finditer(r"[.!?]['\"”]?\s+|\n+", text)] or [0]
    chosen = sorted(((rng.choice(places), fact.sentence) for fact in facts), reverse=True)
    for place, sentence in chosen:
        text = f"{text[:place]}{sentence} {text[place:]}"
    return text


def _fill(pattern: str, thing: str, value: str) -> str:
    return pattern.replace("{x}", thing).replace("{v}", value)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _thing(rng: random.Random, words: list[str]) -> str:
    word, other = rng.choice(words), rng.choice(words)
    pattern = rng.choice(THINGS)
    return (
        pattern.replace("{w2}", other).replace("{w}", word).replace("{W}", word.capitalize()).replace("{n}", str(rng.randrange(10, 9999)))
    )


def _value(rng: random.Random, words: list[str], kind: str) -> str:
    if kind == "any":
        kind = rng.choice(("digits", "code", "words", "word", "person", "date"))
    if kind == "digits":
        length = rng.randint(3, 9)
        return str(rng.randrange(10 ** (length - 1), 10**length))
    if kind == "code":
        letters = "".join(rng.choice("ABCDEFGHJKLMNPRSTUVWXYZ") for _ in range(rng.randint(1, 3)))
        return f"{letters}-{rng.randrange(100, 99999)}"
    if kind == "year":
        return str(rng.randrange(1480, 2024))
    if kind == "amount":
        return f"{rng.randrange(11, 98765):,}" if rng.random() < 0.5 else str(rng.randrange(11, 9876))
    if kind == "person":
        return f"{rng.choice(FIRST_NAMES)} {rng.choice(LAST_NAMES)}"
    if kind == "date":
        return f"{rng.randrange(1, 29)} {rng.choice(MONTHS)} {rng.randrange(1900, 2031)}"
    if kind == "word":
        return rng.choice(words)
    return f"{rng.choice(words)} {rng.choice(words)}"
