"""An evaluation's results, and their JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from longsight_training.errors import TrainingError, reason_of
from longsight_training.files import write_beside
from longsight_training.measure.journal import MeasuredPrompt
from longsight_training.measure.metrics import BUDGETS, Measured
from longsight_training.measure.policies import SNAPKV, UNTRAINED, Policy
from longsight_training.measure.statistics import DRAWS, Estimate, differences, estimate

FORMAT = "longsight-evaluation-2"
DIGITS = 6
LARGEST = 1e30
UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)
"""What JSON that is not as it should be makes Python raise."""


@dataclass(frozen=True)
class Figures:
    """Means over prompts: of a policy, or of what it is ahead of another."""

    recall: Mapping[int, Estimate]
    mass: Mapping[int, Estimate]
    tau: Estimate | None
    kl: Estimate | None
    kl_per_head: Estimate | None


@dataclass(frozen=True)
class PolicyResult:
    policy: Policy
    figures: Figures
    ahead_of: Mapping[str, Figures]
    """Paired differences, this policy's less the other's, by the other's name; of modules only: see summarise."""


@dataclass(frozen=True)
class Results:
    """What one evaluation found, and all that it hangs on."""

    subject: Mapping[str, Any]
    """The base, the modules and the files of groups with their digests, and the settings."""
    machine: Mapping[str, Any]
    date: str
    seconds: float
    """Spent measuring, interruptions left out."""
    counts: Mapping[str, Any]
    policies: tuple[PolicyResult, ...]


def count_prompts(prompts: Sequence[MeasuredPrompt], groups: Sequence[int]) -> dict[str, Any]:
    """How many there are of what kind and length."""
    lengths = sorted(prompt.tokens for prompt in prompts)
    return {
        "groups": len(set(groups)),
        "prompts": len(prompts),
        "prompt_tokens": {"least": lengths[0], "median": lengths[len(lengths) // 2], "most": lengths[-1]},
        "kinds": dict(sorted(Counter(prompt.kind for prompt in prompts).items())),
        "bootstrap_draws": DRAWS,
    }


def summarise(policies: Sequence[Policy], prompts: Sequence[MeasuredPrompt], groups: Sequence[int]) -> tuple[PolicyResult, ...]:
    """Means and intervals of every policy. groups: the number of each prompt's group.

    A module is compared to snapkv as its paper has it, and to snapkv and the untrained module with the same pooling as its own.
    """
    columns = {policy.name: _columns([prompt.policies[policy.name] for prompt in prompts]) for policy in policies}
    results = []
    for policy in policies:
        others = dict.fromkeys(_rivals(policy, policies)) if policy.module is not None else ()
        ahead = {other: _figures(_less(columns[policy.name], columns[other]), groups) for other in others}
        results.append(PolicyResult(policy, _figures(columns[policy.name], groups), ahead))
    return tuple(results)


def _rivals(policy: Policy, policies: Sequence[Policy]) -> Iterator[str]:
    yield SNAPKV
    for other in policies:
        is_snapkv = other.module is None and other.name.startswith(SNAPKV)
        is_untrained = other.module == UNTRAINED and policy.module != UNTRAINED
        if (other.kernel, other.largest) == (policy.kernel, policy.largest) and (is_snapkv or is_untrained):
            yield other.name


Columns = dict[tuple[str, int | None], list[float | None]]
"""By measure and budget: each prompt's value."""


def _columns(measured: Sequence[Measured]) -> Columns:
    columns: Columns = {}
    for budget in BUDGETS:
        columns["recall", budget] = [one.recall.get(budget) for one in measured]
        columns["mass", budget] = [one.mass.get(budget) for one in measured]
    for name in ("tau", "kl", "kl_per_head"):
        columns[name, None] = [getattr(one, name) for one in measured]
    return columns


def _less(columns: Columns, others: Columns) -> Columns:
    return {key: differences(values, others[key]) for key, values in columns.items()}


def _figures(columns: Columns, groups: Sequence[int]) -> Figures:
    found = {key: made for key, values in columns.items() if (made := estimate(values, groups)) is not None}

    def by_budget(measure: str) -> dict[int, Estimate]:
        return {budget: found[measure, budget] for budget in BUDGETS if (measure, budget) in found}

    return Figures(by_budget("recall"), by_budget("mass"), *(found.get((name, None)) for name in ("tau", "kl", "kl_per_head")))


def write_results(results: Results, path: Path) -> None:
    """Raises TrainingError where it cannot be written."""
    value = {"format": FORMAT, **_rounded(asdict(results))}
    write_beside(path, (json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8", "backslashreplace"))


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, dict):
        return {key: _rounded(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_rounded(part) for part in value]
    return value


def read_results(path: str | Path) -> Results:
    """Raises TrainingError where the file is missing, damaged, or no evaluation's."""
    try:
        value = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, *UNREADABLE) as error:
        raise _unreadable(path, error) from error
    return parse_results(value, path)


def parse_results(value: Any, path: str | Path) -> Results:
    """What a file's JSON holds. Raises TrainingError where it is no evaluation's."""
    try:
        return _parse_results(value)
    except UNREADABLE as error:
        raise _unreadable(path, error) from error


def _unreadable(path: str | Path, error: Exception) -> TrainingError:
    return TrainingError(f"{path} could not be read as an evaluation's results ({reason_of(error)}). Write it with “evaluate”.")


def _parse_results(value: Any) -> Results:
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise ValueError(f"its format is not {FORMAT}")
    subject, counts = _mapping(value["subject"]), _mapping(value["counts"])
    parts = (subject["base"], subject["settings"], *subject["modules"], *subject["groups"])
    for part in (*parts, counts["prompt_tokens"], counts["kinds"]):
        _mapping(part)
    return Results(
        subject=subject,
        machine=_mapping(value["machine"]),
        date=str(value["date"]),
        seconds=finite(value["seconds"]),
        counts=counts,
        policies=tuple(
            PolicyResult(
                _parse_policy(part["policy"]),
                _parse_figures(part["figures"]),
                {str(other): _parse_figures(figures) for other, figures in part["ahead_of"].items()},
            )
            for part in value["policies"]
        ),
    )


def _parse_policy(value: Any) -> Policy:
    module = value["module"]
    return Policy(
        str(value["name"]), None if module is None else str(module), int(value["kernel"]), value["largest"] is True, value["is_variant"] is True
    )


def _parse_figures(value: Any) -> Figures:
    def by_budget(part: Any) -> dict[int, Estimate]:
        return {budget: _parse_estimate(part[str(budget)]) for budget in BUDGETS if str(budget) in _mapping(part)}

    def maybe(part: Any) -> Estimate | None:
        return None if part is None else _parse_estimate(part)

    single = (maybe(value[name]) for name in ("tau", "kl", "kl_per_head"))
    return Figures(by_budget(value["recall"]), by_budget(value["mass"]), *single)


def _parse_estimate(value: Any) -> Estimate:
    low, high = (None if value[name] is None else finite(value[name]) for name in ("low", "high"))
    return Estimate(finite(value["mean"]), low, high, int(value["prompts"]))


def finite(value: Any) -> float:
    """A number that can be shown. Raises one of UNREADABLE where it is none."""
    number = float(value)
    if not abs(number) < LARGEST:
        raise ValueError(f"{value} is no number that can be shown")
    return number


def _mapping(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{value!r:.40} is not an object")
    return value
