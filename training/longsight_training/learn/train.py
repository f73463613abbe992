"""The training loop: steps, checkpoints, the log."""

from __future__ import annotations

import io
import json
import math
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import torch
from tqdm import tqdm

from longsight_training.errors import TrainingError
from longsight_training.files import append_line, cut_torn_line, write_beside, writing_alone
from longsight_training.learn.fitting import check_group
from longsight_training.learn.groups import Group, read_answered
from longsight_training.learn.made import Made, changeable, check_made, describe_base, differences, of_run, parse_made
from longsight_training.learn.objective import Lookahead, Truth, learn_truths, predicted_loss, prepare
from longsight_training.learn.prepared import load_truths, prepared_name, save_truths
from longsight_training.learn.prompts import Prompter
from longsight_training.learn.settings import CHECKPOINT, LOG, Settings
from longsight_training.learn.source import Source
from longsight_training.model.load import LoadedBase, likeness_of_loaded, load_base
from longsight_training.model.place import computing_on
from longsight_training.module.export import learned_of
from longsight_training.module.file import Module
from longsight_training.module.read import read_module_for


def draw_embeddings(base: LoadedBase, tokens: int, seed: int) -> torch.Tensor:
    """Rows of the base's token embeddings as its first layer gets them, drawn by the seed."""
    generator = torch.Generator().manual_seed(seed)
    table = base.decoder.embed_tokens
    # The last tenth is often reserved for tokens that were never learned.
    drawn = torch.randint(0, int(table.weight.shape[0] * 0.9), (tokens,), generator=generator).to(base.device)
    with torch.no_grad():
        return table(drawn).float()


def rate(step: int, settings: Settings, first: int = 0) -> float:
    """Share of the full learning rate: up from the run's first step, level, and down to a tenth at the end."""
    if step - first < settings.warm_up:
        return (step - first + 1) / settings.warm_up
    left = settings.steps - step
    if left >= settings.decay:
        return 1.0
    return 0.1 + 0.9 * left / settings.decay


def say(text: str) -> None:
    """Tells people something while the run goes on."""
    print(text, file=sys.stderr)


def check_start(path: Path, module: Module, settings: Settings) -> None:
    """Raises TrainingError where a run cannot go on from a module: it is of other sizes than the settings say."""
    rank = next(iter(module.loras.values())).a.shape[0]
    for name, found, wanted in (("tokens", module.embeddings.shape[0], settings.tokens), ("rank", rank, settings.rank), ("alpha", module.alpha, settings.alpha)):
        if found != wanted:
            raise TrainingError(f"The module {path} has {name} {found:g}, the settings {wanted:g}. Write {name}: {found:g} into them to go on from it.")


def _damaged(path: Path, error: Exception) -> TrainingError:
    reason = str(error).partition("\n")[0] or type(error).__name__
    return TrainingError(f"{path} is damaged or of another run ({reason}). Remove it to begin anew.")


class Run:
    """A run with its model, where it stands, and its folder."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.base = load_base(settings.base, dtype=getattr(torch, settings.dtype), device=settings.device)
        self.lookahead = Lookahead(
            self.base, draw_embeddings(self.base, settings.tokens, settings.seed), rank=settings.rank, alpha=settings.alpha, seed=settings.seed
        )
        loras = [part for lora in self.lookahead.loras().values() for part in (lora.a, lora.b)]
        for part in loras:
            part.requires_grad_(settings.lora)
        groups = [{"params": [self.lookahead.embeddings], "lr": settings.embedding_rate}]
        if settings.lora:
            groups.append({"params": loras, "lr": settings.learning_rate})
        self.optimiser = torch.optim.Adam(groups, betas=(0.9, 0.98))
        self.full_rates = [group["lr"] for group in groups]
        self.origin = describe_base(settings.base, settings.dtype)
        self.made, self.changeable = of_run(settings), changeable(settings)
        self.likeness = likeness_of_loaded(self.base, settings.base)
        self.step = 0
        self.first = 0
        """The step that it began with: above 0 where it goes on from a module."""
        self.seconds = 0.0
        self.longest = 0
        self.samples = 0

    def start(self) -> None:
        """Begins with what the module of the settings has learned, if they name one. Raises TrainingError where it does not fit."""
        path = self.settings.start
        if path is None:
            return
        module = read_module_for(path, self.likeness, self.settings.base)
        check_start(path, module, self.settings)
        self.lookahead.load_learned({name: torch.from_numpy(numbers) for name, numbers in learned_of(module).items()})
        self.step = self.first = module.training.steps
        self.longest = module.training.length

    def load(self) -> bool:
        """Goes on from the checkpoint, if there is one. Raises TrainingError where it is of other settings or damaged."""
        path = self.settings.run / CHECKPOINT
        if not path.exists():
            return False
        try:
            state = torch.load(path, map_location=self.base.device, weights_only=True)
            before = parse_made(state["made"])
        except Exception as error:  # whatever torch meets in a damaged file
            raise _damaged(path, error) from error
        check_made(path, before, self.made)
        try:
            self.lookahead.load_learned(state["learned"])
            self.optimiser.load_state_dict(state["optimiser"])
            self.step, self.seconds, self.longest, self.samples = state["step"], state["seconds"], state["longest"], state["samples"]
            self.first = state.get("first", 0)
        except Exception as error:  # as above
            raise _damaged(path, error) from error
        self._say_changes(before)
        return True

    def _say_changes(self, before: Made) -> None:
        if changed := differences(before, self.changeable):
            say(f"Going on with other settings than before: {changed}.")
        if {"steps", "decay"} <= before.keys() and self.step > int(before["steps"]) - int(before["decay"]) and self.step < self.settings.steps:
            if before["steps"] != self.changeable["steps"]:
                say(f"The rates had begun to fall by step {self.step}; with other steps they rise again, which may cost some of what was learned.")

    def save(self) -> None:
        state = {
            "learned": self.lookahead.learned(), "optimiser": self.optimiser.state_dict(), "step": self.step, "first": self.first,
            "seconds": self.seconds, "longest": self.longest, "samples": self.samples,
            "made": {**self.made, **self.changeable}, "likeness": dict(self.likeness),
        }
        buffer = io.BytesIO()
        torch.save(state, buffer)
        write_beside(self.settings.run / CHECKPOINT, buffer.getvalue())

    def log(self, **values) -> None:
        append_line(self.settings.run / LOG, json.dumps({"step": self.step, **values}))

    def truths(self, source: Source, turn: int) -> list[Truth]:
        """What is learned from at a turn: computed, or from the folder of prepared ones."""
        group = source.group(source.place(turn))
        if self.settings.prepared is None:
            return prepare(self.base, self.lookahead, group)
        path = self.settings.prepared / prepared_name(self.origin, group)
        if (truths := load_truths(path, self.base.device)) is None:
            truths = prepare(self.base, self.lookahead, group)
            save_truths(truths, path)
        return truths

    def learn(self, groups: Iterable[list[Truth]]) -> float:
        """One step of the optimiser. Returns the mean loss."""
        for parameters, full in zip(self.optimiser.param_groups, self.full_rates):
            parameters["lr"] = full * rate(self.step, self.settings, self.first)
        self.optimiser.zero_grad(set_to_none=True)
        losses = []
        for truths in groups:
            losses.append(learn_truths(self.base, self.lookahead, truths, 1 / self.settings.groups_per_step))
            self.longest = max(self.longest, *(int(truth.lengths.max()) for truth in truths))
        parameters = [part for each in self.optimiser.param_groups for part in each["params"]]
        norm = torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        if not math.isfinite(float(norm)):
            raise TrainingError(f"The gradient of step {self.step} is not a number. Use a lower learning rate, or float32.")
        self.optimiser.step()
        self.step += 1
        self.samples += sum(map(len, losses))
        return sum(sum(part) / len(part) for part in losses) / len(losses)

    @torch.no_grad()
    def validate(self, groups: Iterable[list[Truth]]) -> float:
        """Mean loss over groups that were not learned from."""
        means = [float(torch.cat([predicted_loss(self.base, self.lookahead, truth) for truth in truths]).mean()) for truths in groups]
        return sum(means) / len(means)


def train(settings: Settings, *, stop_after: float | None = None, should_stop: Callable[[], bool] = lambda: False) -> Run:
    """Trains to the last step, going on from a checkpoint.

    stop_after: seconds after which it saves and stops; should_stop: asked before each step, for the same. Raises TrainingError with what to do.
    """
    with writing_alone(settings.run / LOG), computing_on(settings.device, settings.threads):
        return _train(settings, stop_after, should_stop)


def _train(settings: Settings, stop_after: float | None, should_stop: Callable[[], bool]) -> Run:
    run = Run(settings)

    def read(path: Path) -> list[Group]:
        groups = read_answered(path)
        for group in groups:
            check_group(group, path, run.base, settings.tokens)
            if not group.prefix:
                raise TrainingError(f"{path}: the group {group.name} has an empty beginning. Write it with “respond”.")
        return groups

    source = Source(settings, Prompter(run.base.tokenizer), read=read, longest=run.base.context_length - settings.tokens)
    # Kept in memory: they are asked for again and again.
    validation = {path.stem: [prepare(run.base, run.lookahead, group) for group in read(path)] for path in settings.validation}

    def validate() -> None:
        if validation:
            run.log(validation={name: run.validate(groups) for name, groups in validation.items()})

    gone_on = run.load()
    if not gone_on:
        run.start()
    if settings.warm_up + settings.decay > settings.steps - run.first:
        say(f"warm_up and decay are {settings.warm_up + settings.decay} steps together, more than the {settings.steps - run.first} of the run: the rates jump.")
    cut_torn_line(settings.run / LOG)
    if not gone_on:
        validate()
    began = time.monotonic()
    bar = tqdm(total=settings.steps, initial=run.step, desc="train", unit="step")
    while run.step < settings.steps and not should_stop() and (stop_after is None or time.monotonic() - began < stop_after):
        at = time.monotonic()
        turns = range(run.step * settings.groups_per_step, (run.step + 1) * settings.groups_per_step)
        loss = run.learn(run.truths(source, turn) for turn in turns)
        run.seconds += time.monotonic() - at
        run.log(loss=loss, seconds=round(run.seconds, 1))
        bar.set_postfix(loss=f"{loss:.3f}")
        bar.update()
        if run.step % settings.validate_every == 0:
            validate()
        if run.step % settings.save_every == 0:
            run.save()
    run.save()
    bar.close()
    return run
