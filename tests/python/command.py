# SPDX-License-Identifier: BSD-2-Clause
"""The command, for tests that compare the module with it."""

import os
import subprocess

import pytest

program = os.environ.get("TANDEM_COMMAND", "")
needs_command = pytest.mark.skipif(not program, reason="TANDEM_COMMAND names no command to compare with")


def run(*words):
    """Its standard output; a failure is the test's."""
    ran = subprocess.run([program, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    assert ran.returncode == 0, ran.stderr.decode()
    return ran.stdout.decode()


def run_or_skip(*words):
    """Of a command that a build without FFmpeg does not have."""
    try:
        run(*words)
    except AssertionError as error:
        if "this build has no FFmpeg" not in str(error):
            raise
        pytest.skip(str(error))
