"""Prompts as Longsight lays them out (electron/engine/conversation/prompt.ts), and in other ways that people use."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from transformers import PreTrainedTokenizerBase

MARK = "\u0001"
INSTRUCTION = "You are a helpful assistant. Answer the question from the document."
PAGE_LETTERS = 2200

NAMES = (
    "report.pdf", "notes.pdf", "handbook.pdf", "manual.pdf", "contract.pdf", "minutes.pdf", "article.pdf", "chapter 3.pdf",
    "paper.pdf", "letter.pdf", "thesis.pdf", "guide.pdf", "annual-report.pdf", "memo.pdf", "story.pdf", "transcript.pdf",
)


@dataclass(frozen=True)
class Layout:
    """How text and question are put together."""

    system: str | None
    documents: bool
    """With names and page numbers, as the app has it; otherwise the bare text."""
    question_first: bool


LONGSIGHT = Layout(INSTRUCTION, documents=True, question_first=False)


def draw_layout(rng: random.Random) -> Layout:
    """Mostly the app's own layout; now and then a bare one, or the question before the text."""
    draw = rng.random()
    if draw < 0.7:
        return LONGSIGHT
    system = rng.choice((None, INSTRUCTION, "You are a helpful assistant."))
    return Layout(system, documents=rng.random() < 0.3, question_first=draw > 0.86)


class Prompter:
    """Tokenises prompts in pieces, as the engine does."""

    def __init__(self, tokenizer: PreTrainedTokenizerBase) -> None:
        self.tokenizer = tokenizer
        end = tokenizer.eos_token_id
        self.end = (end,) if end is not None else ()

    def ids(self, text: str) -> list[int]:
        return self.tokenizer(text, add_special_tokens=False)["input_ids"] if text else []

    def frame(self, system: str | None) -> tuple[list[int], list[int]]:
        """Tokens of the template before and behind the user's message."""
        messages = [{"role": "user", "content": MARK}]
        if system is not None:
            messages.insert(0, {"role": "system", "content": system})
        try:
            text = self.tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
        except Exception:  # a template without a system role, or no template at all
            text = f"{system or ''}\n\n{MARK}\n\nAnswer:".lstrip()
        before, _, behind = text.partition(MARK)
        head = self.ids(before)
        begin = self.tokenizer.bos_token_id
        if begin is not None and not before.startswith(self.tokenizer.bos_token) and self.tokenizer("a")["input_ids"][:1] == [begin]:
            head = [begin, *head]
        return head, self.ids(behind)

    def text(self, layout: Layout, texts: Sequence[str], rng: random.Random) -> list[int]:
        """Tokens of the documents."""
        ids: list[int] = []
        for text in texts:
            if not layout.documents:
                ids += self.ids(text + "\n\n")
                continue
            ids += self.ids(f"Document “{rng.choice(NAMES)}”:\n\n")
            pages = cut_pages(text)
            for number, page in enumerate(pages, 1):
                ids += self.ids((f"[Page {number}]\n" if len(pages) > 1 else "") + page + "\n\n")
        return ids

    def question(self, layout: Layout, question: str) -> list[int]:
        return self.ids(f"Question: {question}" if layout.documents else question)

    def question_before(self, layout: Layout, question: str) -> list[int]:
        """Tokens of a question that stands before the documents."""
        return [*self.question(layout, question), *self.ids("\n\n")]


def cut_pages(text: str) -> list[str]:
    """Pieces of about a page, cut at the end of a line or sentence where there is one."""
    pages = []
    while len(text) > PAGE_LETTERS * 1.3:
        cut = max(text.rfind("\n", 0, PAGE_LETTERS), text.rfind(". ", 0, PAGE_LETTERS) + 1)
        cut = cut if cut > PAGE_LETTERS // 2 else PAGE_LETTERS
        pages.append(text[:cut])
        text = text[cut:].lstrip()
    return [*pages, text]
