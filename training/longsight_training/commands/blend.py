"""blend: a module between two of one run."""

from __future__ import annotations

import argparse

from longsight_training.commands.values import date
from longsight_training.files import refuse_inputs


def add(commands: argparse._SubParsersAction) -> None:
    parser = commands.add_parser("blend", help="write a module between two of one run")
    parser.set_defaults(run=_run)
    parser.add_argument("earlier", metavar="EARLIER.gguf", help="as it was before more training")
    parser.add_argument("later", metavar="LATER.gguf", help="what became of it")
    parser.add_argument("--share", type=float, default=0.5, help="of the later one, from 0 to 1 (default 0.5)")
    parser.add_argument("--out", required=True, metavar="MODULE.gguf")
    parser.add_argument("--date", type=date, help="written into the file (default: the later one's)")


def _run(options: argparse.Namespace) -> None:
    # Not before it is needed: a Python without NumPy is told what to install.
    import dataclasses

    from longsight_training.module.blend import blended
    from longsight_training.module.file import write_module
    from longsight_training.module.read import read_module

    refuse_inputs(options.out, [options.earlier, options.later])
    module = blended(read_module(options.earlier), read_module(options.later), options.share)
    if options.date is not None:
        module = dataclasses.replace(module, training=dataclasses.replace(module.training, date=options.date))
    write_module(module, options.out)
    print(f"{options.out}: {options.share:g} of the way to the later one, for {module.base.name}")
