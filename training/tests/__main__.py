"""Runs every test of this folder: python -m tests [--report FILE.json]. The report has the counts that `npm test` adds up.

Tests of what needs PyTorch are skipped, and said so, where only the packages of requirements.txt are there.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import unittest
from pathlib import Path

from longsight_training.command_line import LEARNING_PACKAGES

HERE = Path(__file__).parent


def load() -> tuple[unittest.TestSuite, list[str]]:
    """All tests that can run here, and the names of the files that cannot."""
    suite, left_out = unittest.TestSuite(), []
    for path in sorted(HERE.glob("test_*.py")):
        try:
            module = importlib.import_module(f"tests.{path.stem}")
        except ModuleNotFoundError as error:
            if error.name is None or error.name.split(".")[0] not in LEARNING_PACKAGES:
                raise
            left_out.append(path.name)
        else:
            suite.addTests(unittest.defaultTestLoader.loadTestsFromModule(module))
    return suite, left_out


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests")
    parser.add_argument("--report", type=Path, help="file to write the counts to, as JSON")
    options = parser.parse_args()
    suite, left_out = load()
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(suite)
    if left_out:
        print(f"\n!!! NOT RUN, because the packages of requirements-learn.txt are not here: {', '.join(left_out)}\n")
    failed = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
    skipped = len(result.skipped)
    if options.report is not None:
        counts = {"passed": max(0, result.testsRun - failed - skipped), "failed": failed, "skipped": skipped + len(left_out)}
        options.report.parent.mkdir(parents=True, exist_ok=True)
        options.report.write_text(json.dumps(counts))
    return 0 if result.wasSuccessful() and result.testsRun > 0 else 1


sys.exit(main())
