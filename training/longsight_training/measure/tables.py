"""Tables of results in Markdown. Names come from files and are never trusted to be harmless in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from longsight_training.measure.metrics import BUDGETS
from longsight_training.measure.results import Figures, PolicyResult, Results
from longsight_training.measure.statistics import Estimate

MARKUP = re.compile(r"([\\`*_{}\[\]<>|~#&!])")
NONE = "–"


def plain(text: object) -> str:
    """A text that Markdown shows as it is, on one line."""
    return MARKUP.sub(r"\\\1", " ".join(str(text).split()))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Cells are Markdown already; the first column stands left, the others right."""
    lines = [f"| {' | '.join(row)} |" for row in (head, ["---", *["---:"] * (len(head) - 1)], *rows)]
    return "\n".join(lines) + "\n"


def show(estimate: Estimate | None, digits: int = 3, *, signed: bool = False) -> str:
    """A mean and its interval, for example “0.382 (0.371 to 0.393)”."""
    if estimate is None:
        return NONE
    form = f"{'+' if signed else ''}.{digits}f"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.mean:{form}}"
    return f"{estimate.mean:{form}} ({estimate.low:{form}} to {estimate.high:{form}})"


def by_budget_table(policies: Sequence[PolicyResult], measure: str) -> str:
    """measure: "recall" or "mass"."""
    budgets = _budgets([policy.figures for policy in policies])
    found = [(policy.policy.name, getattr(policy.figures, measure)) for policy in policies]
    rows = [[plain(name), *(show(estimates.get(budget)) for budget in budgets)] for name, estimates in found]
    return table(["policy", *(f"K = {budget}" for budget in budgets)], rows)


def likeness_table(policies: Sequence[PolicyResult]) -> str:
    """Kendall's τ and the divergences, of the policies that have them."""
    rows = [
        [plain(policy.policy.name), show(policy.figures.tau), show(policy.figures.kl), show(policy.figures.kl_per_head)]
        for policy in policies
        if policy.figures.tau is not None
    ]
    return table(["policy", "Kendall τ-b", "KL, nats", "KL per query head, nats"], rows)


def ahead_table(policies: Sequence[PolicyResult]) -> str:
    """What each module is ahead of snapkv and of the untrained module, prompt by prompt."""
    ahead = [(policy.policy.name, other, figures) for policy in policies for other, figures in policy.ahead_of.items()]
    budgets = _budgets([figures for _, _, figures in ahead])
    rows = [
        [
            f"{plain(name)} − {plain(other)}", label,
            *(show(getattr(figures, measure).get(budget), signed=True) for budget in budgets),
        ]
        for name, other, figures in ahead
        for measure, label in (("recall", "recall"), ("mass", "mass"))
    ]
    return table(["difference", "of", *(f"K = {budget}" for budget in budgets)], rows)


def ablation_table(entries: Sequence[tuple[str, Results]]) -> str:
    """Every trained module of every entry, one row each."""
    rows = []
    for name, results in entries:
        about = {module.get("name"): module for module in results.subject.get("modules", []) if isinstance(module, dict)}
        for policy in results.policies:
            if policy.policy.module not in about:
                continue
            module, figures = about[policy.policy.module], policy.figures
            label = plain(name) if policy.policy.name == name else f"{plain(name)}: {plain(policy.policy.name)}"
            rows.append([
                label, *(plain(module.get(key, NONE)) for key in ("tokens", "steps")), plain(results.counts.get("prompts", NONE)),
                *(show(part.get(budget)) for part in (figures.recall, figures.mass) for budget in (64, 128)),
                show(figures.tau), show(figures.kl_per_head),
            ])
    heads = ["recall, K = 64", "recall, K = 128", "mass, K = 64", "mass, K = 128", "Kendall τ-b", "KL per query head"]
    return table(["module", "tokens", "steps", "prompts", *heads], rows)


def _budgets(figures: Sequence[Figures]) -> list[int]:
    return [budget for budget in BUDGETS if any(budget in part.recall for part in figures)]
