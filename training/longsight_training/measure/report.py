"""The report: evaluations, ablations and learning curves as one Markdown page with charts beside it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from longsight_training.errors import TrainingError, reason_of
from longsight_training.files import refuse_inputs, write_beside
from longsight_training.measure.metrics import BUDGETS
from longsight_training.measure.policies import ORACLE
from longsight_training.measure.results import UNREADABLE, PolicyResult, Results, parse_results, read_results
from longsight_training.measure.run_log import RunLog, read_run_log, smooth
from longsight_training.measure.svg import Chart, Line, Point, draw
from longsight_training.measure.tables import NONE, ablation_table, ahead_table, by_budget_table, likeness_table, plain, table

PAGE = "report.md"
SMOOTHED_SHARE = 20
"""The loss is smoothed over this part of all steps: one in so many."""

DEFINITIONS = """
## How it is measured

Truth: the mean attention of the response's rows over the prompt's tokens, for each layer and query head, from one causal pass
of the base without any LoRA. A score of a KV head is the mean over its query heads; the truth is never pooled. Only layers that
see the whole prompt count. No token is protected. Each figure is the mean over layers and heads, then over prompts; budgets K
are measured where the prompt is longer than K.

- recall: of the truth's K highest tokens, the share among the policy's K highest (of equal ones the earlier).
- mass: the share of the response's attention to the prompt that falls on the policy's K tokens.
- Kendall τ-b: over all tokens of the prompt, after pooling; a head whose scores are all equal counts as 0.
- KL: KL(truth ‖ scores) of both normalised over the prompt, before pooling; per KV head, and per query head as in training.
- untrained: rows of the token embeddings, without a LoRA.
- snapkv: mean attention of the last 32 prompt rows, their own columns included; max-pool 7 as in its paper, unless named otherwise.
- h2o: attention of all prompt rows, a column's sum ÷ the number of rows that see it, not pooled.
- tova: attention of the last prompt row, mean over all heads of the layer, one set for the layer, not pooled.
- streamingllm: the first 4 tokens and the most recent ones. random: by seed, anew for each head. oracle: the truth itself.
- Ranges are 95 % bootstrap intervals (percentile) that resample whole groups, since the prompts of a group share their text;
  differences are taken prompt by prompt.
"""


@dataclass(frozen=True)
class ReportOptions:
    """What goes into the report."""

    results: tuple[Path, ...]
    """Results of “evaluate”, and lists of ablations: [{"name": …, "json": FILE}, …], files relative to the list."""
    logs: tuple[tuple[str, Path], ...]
    """Names and log.jsonl files, for learning curves."""
    out: Path
    """A folder."""
    title: str = "Lookahead modules: results"


def report(options: ReportOptions) -> Path:
    """Writes the page and its charts. Returns the page's path. Raises TrainingError where a file is missing or damaged."""
    files: dict[str, str] = {}
    parts = [f"# {plain(options.title)}\n"]
    for path in options.results:
        value = _load(path)
        if isinstance(value, list):
            parts += ["## Ablations\n", ablation_table(_ablations(value, path))]
        else:
            parts += _evaluation(path.stem, parse_results(value, path), files)
    if options.logs:
        parts += ["## Learning\n", *_learning([(name, read_run_log(path)) for name, path in options.logs], files)]
    if options.results:
        parts.append(DEFINITIONS.lstrip())
    files[PAGE] = "\n".join(parts)
    for name in files:
        refuse_inputs(options.out / name, [*options.results, *(path for _, path in options.logs)])
    for name, text in files.items():
        write_beside(options.out / name, text.encode("utf-8", "replace"))
    return options.out / PAGE


def _evaluation(stem: str, results: Results, files: dict[str, str]) -> list[str]:
    names = ", ".join(str(module.get("name")) for module in results.subject.get("modules", []) if isinstance(module, dict))
    parts = [f"## {plain(stem)}\n", _about(results)]
    for measure, title, y_label in (
        ("recall", "Recall of the tokens that the answer looks at", "recall at K"),
        ("mass", "Attention of the answer that is kept", "attention mass at K"),
    ):
        # The oracle's recall is 1 by definition.
        shown = [policy for policy in results.policies if not (measure == "recall" and policy.policy.name == ORACLE)]
        # In the tables; a chart of as many lines is read by nobody.
        shown = [policy for policy in shown if not policy.policy.is_variant]
        lines = [_line(policy, measure, results) for policy in shown]
        description = f"{y_label} over the budget K, by policy; the table below has the figures. Modules: {names or 'none'}."
        x_label = "K, tokens kept per layer and KV head"
        chart = Chart(title, description, x_label, y_label, lines, x_log=True, x_ticks=BUDGETS)
        file = _file(f"{measure}-{stem}", files, draw(chart))
        parts += [f"### {title}\n", f"![{title}]({file})\n", by_budget_table(results.policies, measure)]
    parts += ["### Likeness to the truth\n", likeness_table(results.policies)]
    return [*parts, "### Prompt by prompt\n", ahead_table(results.policies)]


def _line(policy: PolicyResult, measure: str, results: Results) -> Line:
    estimates = getattr(policy.figures, measure)
    points = [Point(budget, one.mean, one.low, one.high) for budget, one in sorted(estimates.items())]
    return Line(policy.policy.name, points, style=results.policies.index(policy))


def _about(results: Results) -> str:
    subject, counts, machine = results.subject, results.counts, results.machine
    base, settings, lengths = subject.get("base", {}), subject.get("settings", {}), counts.get("prompt_tokens", {})
    kinds = ", ".join(f"{count} {kind}" for kind, count in counts.get("kinds", {}).items())
    rows = [
        ("base", f"{base.get('file')}, SHA-256 {base.get('sha256')}"),
        *(
            (
                f"module {module.get('name')}",
                f"{module.get('file')}: {module.get('tokens')} tokens, LoRA of rank {module.get('rank')} and alpha "
                f"{module.get('alpha')}, max-pool {module.get('pool_kernel')}, {module.get('steps')} steps, "
                f"SHA-256 {module.get('sha256')}",
            )
            for module in subject.get("modules", [])
        ),
        *(
            (f"prompts {part.get('file')}", f"{part.get('groups')} groups, SHA-256 {part.get('sha256')}")
            for part in subject.get("groups", [])
        ),
        ("measured", f"{counts.get('prompts')} prompts of {counts.get('groups')} groups ({kinds})"),
        ("length", f"{lengths.get('least')} to {lengths.get('most')} tokens, median {lengths.get('median')}"),
        ("settings", f"{settings.get('dtype')}, seed {settings.get('seed')}"),
        ("machine", ", ".join(f"{key} {value}" for key, value in machine.items())),
        ("date", f"{results.date}; {results.seconds / 60:.1f} minutes"),
    ]
    return table(["", ""], ([plain(name), plain(text)] for name, text in rows)).replace("---:", "---")


def _learning(logs: Sequence[tuple[str, RunLog]], files: dict[str, str]) -> list[str]:
    lines: list[Line] = []
    rows: list[list[str]] = []
    style = 0
    for name, log in logs:
        width = max(1, len(log.losses) // SMOOTHED_SHARE)
        lines.append(Line(name, _points(log.losses), style, faint=True))
        lines.append(Line(f"{name}: loss, mean of {width}", _points(smooth(log.losses, width)), style))
        for at, (part, found) in enumerate(log.validations.items(), 1):
            lines.append(Line(f"{name}: {part}", _points(found), style + at))
        style += 1 + len(log.validations)
        about = [plain(name), str(log.losses[-1][0] if log.losses else 0), f"{log.seconds / 3600:.2f}"]
        shown = [
            [plain(part), *(f"{loss:.3f} (step {step})" for step, loss in (found[0], found[-1]))]
            for part, found in log.validations.items()
        ]
        rows += [[*about, *cells] for cells in shown or [[NONE] * 3]]
    title = "Loss while learning"
    description = "KL of truth and prediction over the steps of training: the steps' own, smoothed, and of validation prompts."
    chart = Chart(title, description, "step", "KL, nats", [line for line in lines if line.points])
    head = ["run", "steps", "hours of learning", "validation prompts", "loss at first", "loss at last"]
    return [f"![{title}]({_file('learning', files, draw(chart))})\n", table(head, rows)]


def _points(values: Sequence[tuple[int, float]]) -> list[Point]:
    return [Point(step, value) for step, value in values]


def _file(name: str, files: dict[str, str], text: str) -> str:
    """Keeps a chart's text under a file name that no other has."""
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "chart"
    number = 1
    while (file := f"{slug}.svg" if number == 1 else f"{slug}-{number}.svg") in files:
        number += 1
    files[file] = text
    return file


def _load(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, *UNREADABLE) as error:
        raise TrainingError(f"{path} could not be read as JSON ({reason_of(error)}). Write it with “evaluate”.") from error


def _ablations(value: list[Any], path: Path) -> list[tuple[str, Results]]:
    entries = []
    for entry in value:
        if not (isinstance(entry, dict) and isinstance(entry.get("name"), str) and isinstance(entry.get("json"), str)):
            raise TrainingError(f'{path} is no list of ablations: each must be {{"name": …, "json": FILE}}.')
        entries.append((entry["name"], read_results(path.parent / entry["json"])))
    return entries
