"""export: a run's checkpoint as a module's GGUF."""

from __future__ import annotations

import argparse
import dataclasses
import datetime
from pathlib import Path

from longsight_training.commands.values import date
from longsight_training.errors import TrainingError
from longsight_training.files import refuse_inputs


def add(commands: argparse._SubParsersAction) -> None:
    parser = commands.add_parser("export", help="write what a run has learned as a module")
    parser.set_defaults(run=_run)
    parser.add_argument("settings", metavar="RUN.yaml", help="of the run")
    parser.add_argument("--out", required=True, metavar="MODULE.gguf")
    parser.add_argument(
        "--base", metavar="MODEL.gguf", help="the model as people load it; needed where the run's base is a Hugging Face folder"
    )
    parser.add_argument("--base-name", metavar="NAME", help="name of the model as people know it (default: what its file says)")
    parser.add_argument("--data-name", metavar="NAME", help="of what it was trained on (default: the name of the data's folder)")
    parser.add_argument("--date", type=date, help="of the training (default: the checkpoint's)")


def _run(options: argparse.Namespace) -> None:
    # Not before it is needed: other commands run without PyTorch.
    from longsight_training.learn.checkpoint import check_checkpoint, read_checkpoint
    from longsight_training.learn.settings import read_settings
    from longsight_training.learn.train import CHECKPOINT
    from longsight_training.module.base import BaseFile, likeness_of
    from longsight_training.module.export import module_of
    from longsight_training.module.file import Training, write_module

    settings = read_settings(options.settings)
    base_path = settings.base if options.base is None else Path(options.base)
    if base_path.is_dir():
        raise TrainingError(f"{base_path} is a folder. Give the same model as a GGUF file with --base: the module is for that.")
    base = BaseFile(base_path).describe()
    if options.base_name is not None:
        base = dataclasses.replace(base, name=options.base_name)
    path = settings.run / CHECKPOINT
    refuse_inputs(options.out, [options.settings, settings.run, settings.base, base_path, settings.data, *settings.responses, *settings.validation])
    checkpoint = read_checkpoint(path)
    check_checkpoint(path, checkpoint, settings, likeness_of(base), base_path)
    if checkpoint.step == 0:
        raise TrainingError(f"{path} has not learned a step yet. Train first, or write an untrained module.")
    training = Training(
        data=options.data_name or settings.data.name,
        steps=checkpoint.step,
        length=checkpoint.longest,
        date=options.date or datetime.date.fromtimestamp(path.stat().st_mtime).isoformat(),
    )
    learned = {name: numbers.numpy() for name, numbers in checkpoint.learned.items()}
    module = module_of(base, learned, alpha=settings.alpha, pool_kernel=settings.pool_kernel, training=training)
    write_module(module, options.out)
    print(f"{options.out}: {module.embeddings.shape[0]} embeddings and a LoRA after {checkpoint.step} steps, for {base.name}")
