"""Runs every test of this folder: python -m tests [--report FILE.json]. The report has the counts that `npm test` adds up."""

from __future__ import annotations

import argparse
import json
import sys
import unittest
from pathlib import Path


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests")
    parser.add_argument("--report", type=Path, help="file to write the counts to, as JSON")
    options = parser.parse_args()
    here = Path(__file__).parent
    suite = unittest.defaultTestLoader.discover(str(here), top_level_dir=str(here.parent))
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(suite)
    failed = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
    skipped = len(result.skipped)
    if options.report is not None:
        counts = {"passed": max(0, result.testsRun - failed - skipped), "failed": failed, "skipped": skipped}
        options.report.parent.mkdir(parents=True, exist_ok=True)
        options.report.write_text(json.dumps(counts))
    return 0 if result.wasSuccessful() and result.testsRun > 0 else 1


sys.exit(main())
