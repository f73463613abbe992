"""What is measured already: a line for each group, so that an evaluation goes on after an interruption."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from longsight_training.errors import TrainingError, reason_of
from longsight_training.files import not_written, write_beside
from longsight_training.measure.metrics import Measured


@dataclass(frozen=True)
class MeasuredPrompt:
    """One prompt's figures by policy."""

    tokens: int
    kind: str
    policies: Mapping[str, Measured]


@dataclass(frozen=True)
class MeasuredGroup:
    """A group's prompts; `key` is its file's digest and its place in the file."""

    key: str
    seconds: float
    prompts: tuple[MeasuredPrompt, ...]


class Journal:
    """A JSON Lines file: first what is measured, then a line for each group."""

    def __init__(self, path: Path, subject: Mapping[str, object], *, finished: Mapping[str, object] | None) -> None:
        """subject: all that the figures hang on. finished: the subject of the evaluation whose results are there already, if any.

        Raises TrainingError where the file holds unfinished figures of something else.
        """
        self._path = path
        self.groups: dict[str, MeasuredGroup] = {}
        head = json.dumps(subject, sort_keys=True)
        lines = self._read()
        if lines and lines[0] == head:
            self.groups = {group.key: group for group in map(self._parse, lines[1:])}
        elif len(lines) > 1 and (finished is None or lines[0] != json.dumps(finished, sort_keys=True)):
            raise TrainingError(f"{path} is an unfinished evaluation of other files or settings. Remove it or give another --out.")
        write_beside(path, "".join(f"{line}\n" for line in [head, *map(_to_line, self.groups.values())]).encode())

    def add(self, group: MeasuredGroup) -> None:
        self.groups[group.key] = group
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(_to_line(group) + "\n")
        except OSError as error:
            raise not_written(self._path, error) from error

    def _read(self) -> list[str]:
        try:
            # What stands behind the last line's end was cut off in writing.
            return self._path.read_text(encoding="utf-8").split("\n")[:-1]
        except FileNotFoundError:
            return []
        except (OSError, ValueError) as error:
            raise TrainingError(f"{self._path} could not be read ({reason_of(error)}). Remove it, or give another --out.") from error

    def _parse(self, line: str) -> MeasuredGroup:
        try:
            value = json.loads(line)
            return MeasuredGroup(value["key"], float(value["seconds"]), tuple(map(_prompt, value["prompts"])))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise TrainingError(f"{self._path} is damaged ({reason_of(error)}). Remove it to measure anew.") from error


def _to_line(group: MeasuredGroup) -> str:
    prompts = [
        {"tokens": prompt.tokens, "kind": prompt.kind, "policies": {name: vars(part) for name, part in prompt.policies.items()}}
        for prompt in group.prompts
    ]
    return json.dumps({"key": group.key, "seconds": group.seconds, "prompts": prompts}, separators=(",", ":"))


def _prompt(value: dict) -> MeasuredPrompt:
    return MeasuredPrompt(int(value["tokens"]), value["kind"], {name: _measured(part) for name, part in value["policies"].items()})


def _measured(value: dict) -> Measured:
    def by_budget(part: dict) -> dict[int, float]:
        return {int(budget): float(number) for budget, number in part.items()}

    single = (None if value[name] is None else float(value[name]) for name in ("tau", "kl", "kl_per_head"))
    return Measured(by_budget(value["recall"]), by_budget(value["mass"]), *single)
