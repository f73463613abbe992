"""Makes lookahead modules for Longsight. On the command line: python -m longsight_training."""

__version__ = "0.1.0"
