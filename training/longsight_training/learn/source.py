"""Which group comes when: by its number alone, so that a run goes on after an interruption as if there had been none."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path

from longsight_training.errors import TrainingError
from longsight_training.learn.groups import Group, read_answered
from longsight_training.learn.prompts import Prompter
from longsight_training.learn.samples import FACT_LETTERS, fact_group, fact_texts, question_groups, read_samples
from longsight_training.learn.settings import Settings


ATTEMPTS = 16


class Source:
    """The training groups of a run."""

    def __init__(
        self, settings: Settings, prompter: Prompter, *, read: Callable[[Path], list[Group]] = read_answered, longest: int = sys.maxsize
    ) -> None:
        """read: of a file of groups; longest: tokens of a prompt with its response. Raises TrainingError where there is nothing to learn from."""
        self._settings, self._prompter, self._longest = settings, prompter, longest
        most = max(most for _, _, most in settings.lengths.parts)
        if most > longest:
            raise TrainingError(f"lengths reach {most} tokens, but the model has room for {longest} only. Lower them.")
        samples = read_samples(settings.data, split="train", without=settings.without)
        self._texts = fact_texts(samples)
        if settings.facts_share > 0 and not self._texts:
            raise TrainingError(
                f"{settings.data} has no text of more than {FACT_LETTERS} letters with its instruction outside, as made facts need. "
                "Give longer texts, or set facts_share to 0."
            )
        self._given: list[Group] = []
        if settings.data_share > 0:
            groups = question_groups(
                samples, prompter, settings.lengths, branches=settings.branches, seed=settings.seed, keep_responses=True
            )
            self._given = [group for group in groups if group.longest <= longest]
            if not self._given:
                raise TrainingError(
                    f"{settings.data} gives no group with the data set's own responses that fits into the model. "
                    "Give data with responses, or set data_share to 0."
                )
        self._own = [group for path in settings.responses for group in read(path)]
        if settings.facts_share + settings.data_share < 1 and not self._own:
            raise TrainingError("The shares leave room for the model's own responses, but no file of them is given. Write one with “respond”.")

    def place(self, turn: int) -> int:
        """Which group comes at a turn: with a pool, all of it and of the own responses, in a new order each time round."""
        if self._settings.pool == 0:
            return turn
        count = self._settings.pool + len(self._own)
        order = list(range(count))
        # From the first round on: one kind after the other would be learned and forgotten in turn.
        random.Random(f"{self._settings.seed}/order/{turn // count}").shuffle(order)
        return order[turn % count]

    def group(self, number: int) -> Group:
        """Group number 0, 1, …; the same number gives the same group."""
        settings = self._settings
        if settings.pool > 0 and number >= settings.pool:
            return self._own[number - settings.pool]
        rng = random.Random(f"{settings.seed}/source/{number}")
        draw = rng.random()
        if draw < settings.facts_share:
            return self._facts(number)
        groups = self._given if draw < settings.facts_share + settings.data_share else self._own
        return groups[rng.randrange(len(groups))]

    def _facts(self, number: int) -> Group:
        """Made facts: drawn again, by the number too, where they make a text too long for the model."""
        for attempt in range(ATTEMPTS):
            group = fact_group(
                self._texts, self._prompter, self._settings.lengths, branches=self._settings.branches, seed=self._settings.seed,
                number=number if attempt == 0 else f"{number}-{attempt}",
            )
            if group.longest <= self._longest:
                return group
        raise TrainingError(f"With made facts, texts of these lengths grow beyond the model's {self._longest} tokens. Lower lengths or branches.")
