"""Which group comes when: by its number alone, so that a run goes on after an interruption as if there had been none."""

from __future__ import annotations

import random

from longsight_training.errors import TrainingError
from longsight_training.learn.groups import Group, read_answered
from longsight_training.learn.prompts import Prompter
from longsight_training.learn.samples import fact_group, fact_texts, question_groups, read_samples
from longsight_training.learn.settings import Settings


class Source:
    """The training groups of a run."""

    def __init__(self, settings: Settings, prompter: Prompter) -> None:
        """Raises TrainingError where there is nothing to learn from."""
        self._settings, self._prompter = settings, prompter
        samples = read_samples(settings.data, split="train", without=settings.without)
        self._texts = fact_texts(samples)
        self._given: list[Group] = []
        if settings.data_share > 0:
            groups = question_groups(
                samples, prompter, settings.lengths, branches=settings.branches, seed=settings.seed, keep_responses=True
            )
            self._given = list(groups)
        self._own = [group for path in settings.responses for group in read_answered(path)]
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
            return fact_group(
                self._texts, self._prompter, settings.lengths, branches=settings.branches, seed=settings.seed, number=number
            )
        groups = self._given if draw < settings.facts_share + settings.data_share else self._own
        return groups[rng.randrange(len(groups))]
