"""Made facts, strewn over other text, and questions about them.

What a reader has to find is a value that nothing else in the text tells. The wordings are on purpose other than those of the
common needle tests ("the special magic number for X"), which are for measuring.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

STATEMENTS: tuple[tuple[str, tuple[str, ...], tuple[str, ...], str], ...] = (
    # sentence, questions, openings of an answer, kind of value
    ("The access code of {x} is {v}.", ("What is the access code of {x}?", "Which access code does {x} have?"), ("The access code of {x} is",), "digits"),
    ("The inventory number for {x} was recorded as {v}.", ("What inventory number was recorded for {x}?", "Give the inventory number for {x}."), ("The inventory number for {x} is", "It was recorded as"), "digits"),
    ("Anyone asking about {x} should quote reference {v}.", ("Which reference should be quoted when asking about {x}?",), ("The reference for {x} is", "One should quote reference"), "code"),
    ("{x} can be reached by telephone under {v}.", ("What is the telephone number of {x}?", "Under which number can {x} be reached?"), ("{x} can be reached under", "The telephone number of {x} is"), "digits"),
    ("Note that the value of {x} equals {v}.", ("What is the value of {x}?", "What does {x} equal?"), ("The value of {x} is", "{x} equals"), "digits"),
    ("The password for {x} is \"{v}\".", ("What is the password for {x}?",), ("The password for {x} is \"",), "words"),
    ("{x} was founded in the year {v}.", ("When was {x} founded?", "In which year was {x} founded?"), ("{x} was founded in",), "year"),
    ("The price of {x} came to {v} dollars.", ("How much did {x} cost?", "What was the price of {x} in dollars?"), ("The price of {x} was", "{x} cost"), "amount"),
    ("The person responsible for {x} is {v}.", ("Who is responsible for {x}?",), ("The person responsible for {x} is",), "person"),
    ("According to the register, {x} belongs to {v}.", ("Who does {x} belong to, according to the register?", "Who owns {x}?"), ("{x} belongs to",), "person"),
    ("The favourite dish of {x} is {v}.", ("What is the favourite dish of {x}?",), ("The favourite dish of {x} is",), "words"),
    ("{x} is kept in the {v} room.", ("In which room is {x} kept?", "Where is {x} kept?"), ("{x} is kept in the",), "words"),
    ("On the list, entry {x} stands for {v}.", ("What does entry {x} stand for on the list?",), ("Entry {x} stands for",), "words"),
    ("Serial number of {x}: {v}.", ("What is the serial number of {x}?", "Serial number of {x}?"), ("The serial number of {x} is", "Serial number of {x}:"), "code"),
    ("The sample labelled {x} weighed {v} grams.", ("How many grams did the sample labelled {x} weigh?", "What was the weight of sample {x}?"), ("The sample labelled {x} weighed",), "amount"),
    ("For {x}, the secret word is {v}.", ("What is the secret word for {x}?",), ("The secret word for {x} is",), "word"),
    ("The meeting about {x} takes place on {v}.", ("When does the meeting about {x} take place?",), ("The meeting about {x} takes place on",), "date"),
    ("{x}: {v}", ("What stands beside {x} in the text?", "Give the entry for {x}."), ("{x}:",), "any"),
    ("Remember this: {x} is number {v}.", ("Which number is {x}?", "What number is {x}?"), ("{x} is number",), "digits"),
    ("The key called {x} opens with {v}.", ("What does the key called {x} open with?",), ("The key called {x} opens with",), "digits"),
    ("In the ledger, {x} has {v} against it.", ("What number is against {x} in the ledger?",), ("The number against {x} is", "In the ledger, {x} has"), "digits"),
)

FIRST = ("Anna", "Boris", "Clara", "David", "Elena", "Farid", "Grace", "Henrik", "Ines", "Jonas", "Keiko", "Liam", "Mira", "Nils", "Olga", "Pavel", "Rosa", "Samir", "Tara", "Ulrich", "Vera", "Wen", "Yusuf", "Zoe")
LAST = ("Albrecht", "Barros", "Castell", "Dimitrov", "Ekberg", "Fontaine", "Garza", "Hallam", "Ivanova", "Jensen", "Kovacs", "Lindqvist", "Moreau", "Novak", "Okafor", "Petit", "Quist", "Rahman", "Silva", "Tanaka", "Ullman", "Varga", "Weiss", "Yilmaz")
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December")
THINGS = ("the {w} office", "the {w} project", "the {w} account", "the {w} archive", "the {w} bridge", "the {w} team", "the {w} engine", "the {w} house", "{w}", "{w}", "{w}-{w2}", "{w} {w2}", "Captain {W}", "the {W} contract", "{W} Station", "unit {n}", "case {n}")


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


def make_fact(rng: random.Random, words: list[str], form: int | None = None, kind: str | None = None) -> Fact:
    sentence, questions, openings, own_kind = STATEMENTS[rng.randrange(len(STATEMENTS)) if form is None else form]
    thing = _thing(rng, words)
    value = _value(rng, words, kind or own_kind)
    sentence = _fill(sentence, thing, value)
    return Fact(
        sentence[0].upper() + sentence[1:],
        thing,
        value,
        tuple(_fill(question, thing, value) for question in questions),
        tuple(_capital(_fill(opening, thing, value)) for opening in openings),
    )


def make_facts(rng: random.Random, text: str, count: int) -> list[Fact]:
    """Facts with different things; often several of one form, so that the thing and not the form tells them apart."""
    words = vocabulary(text)
    if len(words) < 20:
        words = [*words, *(name.lower() for name in (*FIRST, *LAST))]
    same = rng.random() < 0.4
    form = rng.randrange(len(STATEMENTS)) if same else None
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
        return "".join(rng.choice("0123456789") for _ in range(rng.randint(3, 9))).replace("0", "7", 1)
    if kind == "code":
        letters = "".join(rng.choice("ABCDEFGHJKLMNPRSTUVWXYZ") for _ in range(rng.randint(1, 3)))
        return f"{letters}-{rng.randrange(100, 99999)}"
    if kind == "year":
        return str(rng.randrange(1480, 2024))
    if kind == "amount":
        return f"{rng.randrange(11, 98765):,}" if rng.random() < 0.5 else str(rng.randrange(11, 9876))
    if kind == "person":
        return f"{rng.choice(FIRST)} {rng.choice(LAST)}"
    if kind == "date":
        return f"{rng.randrange(1, 29)} {rng.choice(MONTHS)} {rng.randrange(1900, 2031)}"
    if kind == "word":
        return rng.choice(words)
    return f"{rng.choice(words)} {rng.choice(words)}"
