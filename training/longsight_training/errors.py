"""The one error that people are shown."""


class TrainingError(Exception):
    """Something a person can mend; its text is one sentence or two: what happened, to which file, what to do."""
