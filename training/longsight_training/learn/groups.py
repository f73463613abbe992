"""A group: prompts that share their beginning, tokenised, each with a question and the response to it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from longsight_training.errors import TrainingError, reason_of
from longsight_training.files import write_beside


@dataclass(frozen=True)
class Branch:
    """One prompt's own end and what follows it."""

    question: tuple[int, ...]
    """Tokens from the question's beginning to the opening of the answer; at least one."""
    response: tuple[int, ...]
    """Tokens of the answer; empty where the model is to write it."""
    kind: str


@dataclass(frozen=True)
class Group:
    """Prompts with one beginning."""

    name: str
    source: str
    """Ids of the samples that the text comes from."""
    prefix: tuple[int, ...]
    branches: tuple[Branch, ...]

    @property
    def longest(self) -> int:
        """Tokens of the longest prompt with its response."""
        return len(self.prefix) + max(len(branch.question) + len(branch.response) for branch in self.branches)

    @property
    def longest_prompt(self) -> int:
        return len(self.prefix) + max(len(branch.question) for branch in self.branches)


def group_to_line(group: Group) -> str:
    return json.dumps(asdict(group), separators=(",", ":"))


def group_from_line(line: str) -> Group:
    value = json.loads(line)
    branches = tuple(
        Branch(tuple(branch["question"]), tuple(branch["response"]), _text(branch["kind"])) for branch in value["branches"]
    )
    return Group(_text(value["name"]), _text(value["source"]), tuple(value["prefix"]), branches)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value


def read_groups(path: str | Path) -> list[Group]:
    """Raises TrainingError where the file is missing or damaged."""
    try:
        lines = Path(path).read_text(encoding="utf-8").split("\n")
        return [group_from_line(line) for line in lines if line]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise TrainingError(f"{path} could not be read as groups ({reason_of(error)}). Write it again with “respond”.") from error


def read_answered(path: str | Path) -> list[Group]:
    """Groups of a file, without prompts that have no response. Raises TrainingError where none has one."""
    groups = [replace(group, branches=tuple(branch for branch in group.branches if branch.response)) for group in read_groups(path)]
    answered = [group for group in groups if group.branches]
    if not answered:
        raise TrainingError(f"{path} has no group with responses. Write it again with “respond”.")
    return answered


def write_groups(groups: Iterable[Group], path: str | Path) -> None:
    write_beside(path, "".join(group_to_line(group) + "\n" for group in groups).encode())
