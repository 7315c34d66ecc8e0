#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Runs the cells of a notebook and writes what they print and draw into it, without Jupyter.

    PYTHONPATH=build/release/python scripts/run_notebook.py docs/encoder.ipynb [...]

The tests compare what cells print with what is kept (tests/python/test_notebook.py), so that a change of the streams or
of a cell's source asks for this. Needs matplotlib and the module tandem. A cell that raises ends it: the file stays.
"""

import argparse
import base64
import contextlib
import io
import json
import pathlib

import matplotlib

matplotlib.use("agg")
from matplotlib import pyplot  # noqa: E402


def drawing(figure):
    image = io.BytesIO()
    figure.savefig(image, format="png", metadata={"Software": None})
    data = {"image/png": base64.b64encode(image.getvalue()).decode() + "\n", "text/plain": ["<Figure>"]}
    return {"data": data, "metadata": {}, "output_type": "display_data"}


def outputs_of(source, names):
    pyplot.close("all")
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(source, names)  # pylint: disable=exec-used
    text = said.getvalue().splitlines(keepends=True)
    printed = [{"name": "stdout", "output_type": "stream", "text": text}] if text else []
    return printed + [drawing(pyplot.figure(number)) for number in pyplot.get_fignums()]


def run(path):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    names = {}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, cell in enumerate(cells, 1):
        cell["outputs"] = outputs_of("".join(cell["source"]), names)
        cell["execution_count"] = number
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notebooks", nargs="+", type=pathlib.Path)
    for path in parser.parse_args().notebooks:
        run(path)


if __name__ == "__main__":
    main()
