"""Files that are whole, that overwrite nothing they are made of, and that one process writes at a time."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from longsight_training.errors import TrainingError
from longsight_training.files import beside, cut_torn_line, refuse_inputs, write_beside, writing_alone

try:
    import resource
except ImportError:  # Windows
    resource = None


class InFolder(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="longsight “files” ")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def limit_files(self, size: int) -> None:
        """No file may grow beyond so many bytes: writing then fails as on a full disk."""
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_FSIZE, (soft, hard))


class Beside(InFolder):
    @unittest.skipIf(resource is None, "Windows has no such limit")
    def test_a_disk_that_takes_no_more_leaves_the_old_file(self) -> None:
        path = self.folder / "file"
        write_beside(path, b"old")
        self.limit_files(100)
        with self.assertRaisesRegex(TrainingError, "file could not be written"):
            write_beside(path, bytes(101))
        self.assertEqual([path.read_bytes(), list(self.folder.iterdir())], [b"old", [path]])

    @unittest.skipIf(os.name == "nt", "Windows keeps them")
    def test_removes_what_dead_processes_left_of_the_same_file_only(self) -> None:
        dead = subprocess.Popen([sys.executable, "-c", ""])
        dead.wait()
        left = {name: self.folder / name for name in (f".file.new-{dead.pid}", f".other.new-{dead.pid}", f".file.new-{os.getppid()}", ".file.new-x")}
        for path in left.values():
            path.write_bytes(b"half")
        write_beside(self.folder / "file", b"whole")
        self.assertEqual([path.exists() for path in left.values()], [False, True, True, True])

    def test_nothing_that_was_not_written_takes_the_place(self) -> None:
        with self.assertRaisesRegex(TrainingError, "file could not be written"):
            with beside(self.folder / "file"):
                pass


class Inputs(InFolder):
    def test_are_known_by_whatever_path(self) -> None:
        given = self.folder / "model" / "config.json"
        write_beside(given, b"{}")
        os.link(given, self.folder / "linked")
        for out in (given, self.folder / "model" / ".." / "model" / "config.json", self.folder / "linked"):
            with self.subTest(out), self.assertRaisesRegex(TrainingError, "would be overwritten. Give another --out"):
                refuse_inputs(out, [self.folder / "model"])
        refuse_inputs(self.folder / "model" / "fresh", [self.folder / "model", self.folder / "gone"])


class TornLines(InFolder):
    def test_are_cut_off(self) -> None:
        path = self.folder / "log"
        cut_torn_line(path)
        for before, after in ((b"a\nb\n", b"a\nb\n"), (b"a\n{", b"a\n"), (b"{", b""), (b"", b"")):
            path.write_bytes(before)
            cut_torn_line(path)
            self.assertEqual(path.read_bytes(), after)


class WritingAlone(InFolder):
    HOLDER = (
        "import sys\nfrom longsight_training.files import writing_alone\n"
        "with writing_alone(sys.argv[1]):\n    print('held', flush=True)\n    sys.stdin.read()\n"
    )

    def test_keeps_another_process_out_until_this_one_ends_even_by_kill(self) -> None:
        path = self.folder / "groups.jsonl"
        for end in ("close", "kill"):
            child = subprocess.Popen(
                [sys.executable, "-c", self.HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            )
            self.addCleanup(child.kill)
            self.assertEqual(child.stdout.readline(), "held\n")
            with self.assertRaisesRegex(TrainingError, "groups.jsonl is being written by another process"), writing_alone(path):
                self.fail("two at once")
            child.stdin.close() if end == "close" else child.kill()
            child.wait(timeout=60)
            child.stdout.close()
            if end == "kill":
                child.stdin.close()
            with writing_alone(path):
                pass
        self.assertEqual(list(self.folder.iterdir()), [])
