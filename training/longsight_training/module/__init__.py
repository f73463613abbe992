"""Lookahead modules as files: the base they are for, their format, and an untrained one."""
