"""What the tests of the binary share. A test is called as: NAME_test.py ROPEBENCH SOURCE_DIR ..."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

BINARY, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])


def run(*arguments, **options):
    """The finished process, with stdout and stderr as text."""
    return subprocess.run([BINARY, *map(str, arguments)], **{
        "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "timeout": 300, **options})


def strict_json(text):
    def refuse(constant):
        raise ValueError(constant)

    return json.loads(text, parse_constant=refuse)


class BinaryTest(unittest.TestCase):
    def temporary_folder(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return pathlib.Path(folder.name)

    def refused(self, *arguments):
        """The one line that bad usage gives, with exit code 2."""
        result = run(*arguments)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        return result.stderr


def main():
    unittest.main(argv=sys.argv[:1])
