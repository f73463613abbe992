"""Truths on disk: the second time round a group costs the lookahead rows alone, not the reading of its prompt."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path

import torch

from longsight_training.files import write_beside
from longsight_training.learn.groups import Group, group_to_line
from longsight_training.learn.objective import Truth
from longsight_training.model.attention import Keys


def prepared_name(base: str, group: Group) -> str:
    """The file of a group's truths: by all that they hang on, so that other settings find other files."""
    made_of = f"{base}\n{group_to_line(group)}"
    return f"{hashlib.sha256(made_of.encode()).hexdigest()[:24]}.pt"


def save_truths(truths: list[Truth], path: Path) -> None:
    """Keys and values in the model's own type, scores in 16 bits. The prefix, which the parts share, is written once."""
    state = {
        "prefix": _keys_state(truths[0].prefix),
        "parts": [
            {
                "questions": _keys_state(truth.questions),
                "lengths": truth.lengths,
                "valid": truth.valid,
                "scores": {layer: scores.to(torch.bfloat16) for layer, scores in truth.scores.items()},
            }
            for truth in truths
        ],
    }
    buffer = io.BytesIO()
    torch.save(state, buffer)
    write_beside(path, buffer.getvalue())


def load_truths(path: Path, device: torch.device) -> list[Truth] | None:
    """None where there are none, or only a damaged file: they are then made again."""
    if not path.exists():
        return None
    try:
        state = torch.load(path, map_location=device, weights_only=True)
        prefix = Keys(**state["prefix"])
        return [
            Truth(
                prefix, Keys(**part["questions"]), part["lengths"], part["valid"],
                {layer: scores.float() for layer, scores in part["scores"].items()},
            )
            for part in state["parts"]
        ]
    except Exception:  # whatever torch meets in a damaged file
        return None


def _keys_state(keys: Keys) -> dict:
    # A copy of its own: a slice would be written with all that it was cut from.
    layers = {layer: (key.clone(), value.clone()) for layer, (key, value) in keys.layers.items()}
    return {"positions": keys.positions.clone(), "valid": keys.valid.clone(), "layers": layers}
