# SPDX-License-Identifier: BSD-2-Clause
"""The notebooks of the documents: their cells run, and print what they print there. No Jupyter is needed.

scripts/run_notebook.py writes what they print anew, where streams have changed."""

import contextlib
import io
import json
import pathlib

import pytest

pytest.importorskip("matplotlib", reason="matplotlib is not installed (Debian: python3-matplotlib)").use("agg")

documents = pathlib.Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("name, drawings", [("motion.ipynb", 3), ("encoder.ipynb", 2)])
def test_cells_print_what_is_printed_there(name, drawings):
    from matplotlib import pyplot

    pyplot.close("all")
    names, figures = {}, 0
    for cell in json.loads((documents / name).read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] != "code":
            continue
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec("".join(cell["source"]), names)  # pylint: disable=exec-used
        kept = ["".join(output["text"]) for output in cell["outputs"] if output["output_type"] == "stream"]
        assert said.getvalue() == "".join(kept)
        drawn = [output for output in cell["outputs"] if "image/png" in output.get("data", {})]
        assert len(pyplot.get_fignums()) == len(drawn)
        figures += len(drawn)
        pyplot.close("all")
    assert figures == drawings
