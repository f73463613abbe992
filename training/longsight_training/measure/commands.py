"""The commands “evaluate” and “report”."""

from __future__ import annotations

import argparse
from pathlib import Path

from longsight_training.commands.values import whole
from longsight_training.limits import LIMITS


def add_commands(commands: argparse._SubParsersAction) -> None:
    """Adds both to the command line. What they need is loaded only when one of them runs: PyTorch takes seconds."""
    evaluate = commands.add_parser("evaluate", help="measure how well modules and other policies foretell what answers look at")
    evaluate.set_defaults(run=_evaluate)
    evaluate.add_argument("--base", required=True, type=Path, metavar="MODEL", help="GGUF file or Hugging Face folder")
    evaluate.add_argument(
        "--module", action="append", default=[], type=_named, metavar="[NAME=]PATH", dest="modules",
        help="a module's GGUF file, or a run's YAML file or folder; may be given several times",
    )
    evaluate.add_argument(
        "--groups", action="append", required=True, type=Path, metavar="FILE.jsonl",
        help="prompts with responses, of “respond”; may be given several times",
    )
    evaluate.add_argument("--out", required=True, type=Path, metavar="FILE.json", help="results; a journal lies beside it")
    evaluate.add_argument("--limit", type=whole(1, 10**9), help="measure only so many groups")
    evaluate.add_argument("--seed", type=whole(*LIMITS["seed"]), default=0, help="of the untrained module and the random policy (default 0)")
    evaluate.add_argument("--dtype", choices=("float32", "bfloat16"), default="float32", help="of the base (default float32)")
    evaluate.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    evaluate.add_argument("--threads", type=whole(*LIMITS["threads"]), default=0, help="of the CPU (default: as PyTorch chooses)")

    report = commands.add_parser("report", help="write results as a page with tables and charts")
    report.set_defaults(run=_report)
    report.add_argument(
        "results", nargs="*", type=Path, metavar="FILE.json",
        help='of “evaluate”, or a list [{"name": …, "json": FILE}, …] of ablations',
    )
    report.add_argument(
        "--log", action="append", default=[], type=_named, metavar="[NAME=]log.jsonl", dest="logs",
        help="of a run, for its learning curve; may be given several times",
    )
    report.add_argument("--out", required=True, type=Path, metavar="FOLDER")
    report.add_argument("--title", default="Lookahead modules: results")


def _evaluate(options: argparse.Namespace) -> None:
    from longsight_training.measure.evaluate import EvaluateOptions, evaluate

    results = evaluate(
        EvaluateOptions(
            base=options.base,
            modules=tuple(options.modules),
            groups=tuple(options.groups),
            out=options.out,
            limit=options.limit,
            seed=options.seed,
            dtype=options.dtype,
            device=options.device,
            threads=options.threads,
        )
    )
    counts = results.counts
    print(f"{options.out}: {counts['prompts']} prompts of {counts['groups']} groups, {len(results.policies)} policies")


def _report(options: argparse.Namespace) -> None:
    from longsight_training.errors import TrainingError
    from longsight_training.measure.report import ReportOptions, report

    if not options.results and not options.logs:
        raise TrainingError("There is nothing to report. Give results of “evaluate”, or a run's log with --log.")
    logs = tuple((name or path.parent.name or path.stem, path) for name, path in options.logs)
    print(report(ReportOptions(results=tuple(options.results), logs=logs, out=options.out, title=options.title)))


def _named(text: str) -> tuple[str | None, Path]:
    name, sign, path = text.partition("=")
    if not sign or "/" in name:
        return None, Path(text)
    if not name or not path:
        raise argparse.ArgumentTypeError(f"{text} is not NAME=PATH")
    return name, Path(path)
