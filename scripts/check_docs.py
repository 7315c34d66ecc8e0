#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Checks that what the documents name is there: files and headings that they link to, and files named in code marks.

    scripts/check_docs.py [--root FOLDER]

A name in code marks is looked for when it begins with a folder of the house, as in `video/source.h`, `me/search/` or
`video/sources/y4m_source`, whose ending is left out. Prints `file:line: what` for each that is not there; exit code 1
if there is any.
"""

import argparse
import re
import sys
from pathlib import Path

LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"`([A-Za-z_]+/[\w./-]*)`")
HEADING = re.compile(r"^#+ +(.*?) *$", re.MULTILINE)
# Folders that a build or a run makes, and the changelog, which tells of former times.
MADE = {"out", "build"}
PAST = {"CHANGELOG.md"}


def anchors(path):
    """The names by which the headings of a document are linked."""
    text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in HEADING.findall(text)}


def link_problem(document, target):
    if re.match(r"[a-z]+:", target):
        return None
    name, _, anchor = target.partition("#")
    path = (document.parent / name).resolve() if name else document
    if not path.exists():
        return f"links to {target}, which is not there"
    if anchor and anchor not in anchors(path):
        return f"links to {target}, and {path.name} has no such heading"
    return None


def is_there(root, name):
    path = root / name
    return path.exists() or any(path.parent.glob(path.name + ".*"))


def problems_of(root, document):
    rooms = {path.name for path in root.iterdir() if path.is_dir()} - MADE
    for number, line in enumerate(document.read_text(encoding="utf-8").splitlines(), 1):
        place = f"{document.relative_to(root)}:{number}"
        for target in LINK.findall(line):
            problem = link_problem(document, target)
            if problem:
                yield f"{place}: {problem}"
        if document.name not in PAST:
            for name in CODE.findall(line):
                if name.split("/")[0] in rooms and not is_there(root, name):
                    yield f"{place}: names {name}, which is not there"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    root = parser.parse_args().root.resolve()
    documents = sorted([*root.glob("*.md"), *root.glob("docs/**/*.md")])
    if not documents:
        print(f"check_docs: no documents under {root}", file=sys.stderr)
        return 1
    problems = [problem for document in documents for problem in problems_of(root, document)]
    for problem in problems:
        print(problem)
    print(f"check_docs: {len(documents)} documents, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
