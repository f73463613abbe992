"""Files that are whole or not there, that overwrite nothing they are made of, and that one process writes at a time."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from longsight_training.errors import TrainingError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None
    import msvcrt


def not_written(path: str | Path, error: OSError) -> TrainingError:
    """What people are told where a file cannot be written."""
    return TrainingError(f"{path} could not be written ({error.strerror or error}). Check the folder and the disk.")


@contextlib.contextmanager
def beside(path: str | Path) -> Iterator[Path]:
    """A path to write to, in the file's folder; it takes the file's place when all is on the disk, and is removed otherwise.

    Raises TrainingError with what to do where the file cannot be written.
    """
    target = Path(path)
    fresh = target.with_name(f".{target.name}.new-{os.getpid()}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _remove_left_over(target)
        yield fresh
        # A full disk may show only now.
        with fresh.open("r+b") as file:
            os.fsync(file.fileno())
        os.replace(fresh, target)
    except OSError as error:
        raise not_written(target, error) from error
    finally:
        with contextlib.suppress(OSError):
            fresh.unlink()


def write_beside(path: str | Path, data: bytes) -> None:
    """Writes a whole file. Raises TrainingError as beside does."""
    with beside(path) as fresh:
        fresh.write_bytes(data)


def append_line(path: str | Path, line: str | None = None) -> None:
    """Adds a line to a file; without one it only makes the file. Raises TrainingError where it cannot be written."""
    try:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write("" if line is None else line + "\n")
    except OSError as error:
        raise not_written(path, error) from error


def cut_torn_line(path: str | Path) -> None:
    """Cuts off what an interruption left of a file's last line. Raises TrainingError where the file cannot be written."""
    try:
        with Path(path).open("r+b") as file:
            file.truncate(file.read().rfind(b"\n") + 1)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise not_written(path, error) from error


def refuse_inputs(out: str | Path, inputs: Iterable[str | Path]) -> None:
    """Raises TrainingError where a file to be written is one of those that it is made of; of folders, the files in them count."""
    for given in map(Path, inputs):
        with contextlib.suppress(OSError):
            for each in (given, *given.iterdir()) if given.is_dir() else (given,):
                if _is_same(Path(out), each):
                    raise TrainingError(f"{out} is read by this command and would be overwritten. Give another --out.")


def _is_same(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve() or (one.exists() and other.exists() and os.path.samefile(one, other))


@contextlib.contextmanager
def writing_alone(path: str | Path) -> Iterator[None]:
    """Holds a lock on a file or folder that several commands add to. The lock ends with the process, however that ends.

    Raises TrainingError where another process holds it, or where nothing can be written there.
    """
    target = Path(path)
    lock = target.with_name(f".{target.name}.lock")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        file = lock.open("ab")
    except OSError as error:
        raise not_written(target, error) from error
    with file:
        # One that was removed in the meantime locks nobody out.
        if not _lock(file) or not (lock.exists() and os.path.samestat(os.fstat(file.fileno()), lock.stat())):
            raise TrainingError(f"{target} is being written by another process. Wait until it is done, or stop it first.")
        try:
            yield
        finally:
            if fcntl is not None:
                _unlink(lock)
    if fcntl is None:  # Windows removes no file that is open
        _unlink(lock)


def _lock(file) -> bool:
    try:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        pass  # a file system without locks
    return True


def _unlink(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()


def _remove_left_over(target: Path) -> None:
    """Removes what processes that were killed left of the file. Windows cannot be asked harmlessly whether a process runs."""
    if os.name == "nt":
        return
    for path in target.parent.iterdir():
        number = re.fullmatch(rf"\.{re.escape(target.name)}\.new-(\d{{1,9}})", path.name)
        if number is not None and not _runs(int(number[1])):
            _unlink(path)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # somebody else's
        pass
    return True
