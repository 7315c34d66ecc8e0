#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Checks the format of C++, CUDA and JavaScript (clang-format 14) and lints Python (flake8) and JavaScript (ESLint).

    scripts/lint.py [--fix] [FILE ...]

Without files, all files that git tracks are looked at, whatever folder they are in. Each finding is one line,
`file:line:column: what`. --fix writes the format in place of checking it. Exit code 0 without findings, 1 with some, 2
when a tool is missing: scripts/setup.sh --lint installs them.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FORMATTED = {".h", ".cpp", ".cu", ".cuh", ".c", ".js"}
MODULE = re.compile(r"^(import|export)\b", re.MULTILINE)
ESLINT_LINE = re.compile(r"^[^:]*:(\d+):(\d+): (.*)$")


class Missing(Exception):
    """A tool that is not installed."""


def output_of(command, text=None):
    """What the command prints, with its exit code. ESLint's modules lie where Debian keeps them."""
    environment = {**os.environ, "NODE_PATH": "/usr/share/nodejs"}
    done = subprocess.run(command, input=text, capture_output=True, text=True, cwd=ROOT, env=environment)
    return done.returncode, done.stdout + done.stderr


def clang_format():
    """The output of clang-format differs between versions: .clang-format is written for 14, which Debian 12 has."""
    for name in ("clang-format-14", "clang-format"):
        if shutil.which(name) and "version 14." in output_of([name, "--version"])[1]:
            return name
    raise Missing("clang-format 14")


def tool(name):
    if not shutil.which(name):
        raise Missing(name)
    return name


def check_format(files, fix):
    program = clang_format()
    for start in range(0, len(files), 100):
        part = [str(path) for path in files[start:start + 100]]
        what = ["-i"] if fix else ["--dry-run", "--Werror"]
        _, text = output_of([program, "--style=file:.clang-format", *what, *part])
        yield from (line for line in text.splitlines() if "error:" in line)


def lint_python(files):
    if files:
        _, text = output_of([tool("flake8"), *map(str, files)])
        yield from text.splitlines()


def lint_script(names, text, kind):
    """Findings in the text of the files one after the other, each named by its file and line."""
    origin = [(path, number) for path in names for number, _ in enumerate(read(path).splitlines(), 1)]
    code, answer = output_of(
        [tool("eslint"), "--format", "unix", "--parser-options", f"sourceType:{kind}", "--stdin"], text)
    found = [ESLINT_LINE.match(line) for line in answer.splitlines()]
    for match in filter(None, found):
        path, number = origin[int(match[1]) - 1]
        yield f"{path}:{number}:{match[2]}: {match[3]}"
    if code != 0 and not any(found):
        yield answer.strip()


def read(path):
    text = (ROOT / path).read_text(encoding="utf-8")
    return text if text.endswith("\n") else text + "\n"


def lint_javascript(files):
    """A module stands alone. The other scripts of a folder make one page and see each other's names."""
    pages = {}
    for path in files:
        if MODULE.search(read(path)):
            yield from lint_script([path], read(path), "module")
        else:
            pages.setdefault(path.parent, []).append(path)
    for names in pages.values():
        yield from lint_script(names, "".join(map(read, names)), "script")


def tracked():
    code, text = output_of(["git", "ls-files"])
    if code != 0:
        raise Missing(f"a git checkout ({text.strip()})")
    return [Path(name) for name in text.splitlines() if (ROOT / name).is_file()]


def is_python(path):
    if path.suffix:
        return path.suffix == ".py"
    with open(ROOT / path, "rb") as file:
        first = file.readline(100)
    return first.startswith(b"#!") and b"python" in first


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fix", action="store_true", help="write the format")
    parser.add_argument("files", nargs="*", type=Path, help="files to look at (default: all that git tracks)")
    arguments = parser.parse_args()
    try:
        files = [path.resolve() for path in arguments.files] or tracked()
        findings = [
            *check_format([path for path in files if path.suffix in FORMATTED], arguments.fix),
            *lint_python([path for path in files if is_python(path)]),
            *lint_javascript([path for path in files if path.suffix == ".js"]),
        ]
    except Missing as missing:
        print(f"lint: {missing} is not here; scripts/setup.sh --lint installs what is needed", file=sys.stderr)
        return 2
    for finding in findings:
        print(finding)
    print(f"lint: {len(files)} files, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
