"""The one error that people are shown."""

from __future__ import annotations

import json


class TrainingError(Exception):
    """Something a person can mend; its text is one sentence or two: what happened, to which file, what to do."""


def reason_of(error: Exception) -> str:
    """Why a file could not be read, in words for people rather than Python's."""
    if isinstance(error, OSError):
        return error.strerror or str(error)
    if isinstance(error, UnicodeDecodeError):
        return "it is not text in UTF-8"
    if isinstance(error, json.JSONDecodeError):
        return f"it is no JSON from letter {error.pos + 1} on"
    if isinstance(error, KeyError):
        return f"“{error.args[0]}” is missing"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, (TypeError, AttributeError, IndexError)):
        return "something in it is of another kind than it must be"
    return str(error)
