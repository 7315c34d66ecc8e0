# SPDX-License-Identifier: BSD-2-Clause
"""The pages in headless Firefox: live, report and view draw what they should, fit, and throw nothing."""

import asyncio
import colorsys
import json
import math
import os
import pathlib
import struct

import numpy
import pytest

import firefox
from command import program, run as tandem, run_or_skip

pytestmark = [
    pytest.mark.skipif(firefox.program is None, reason="Firefox is not installed"),
    pytest.mark.skipif(not os.path.isfile(program), reason="TANDEM_COMMAND names no built tandem, which writes pages"),
]
kept = os.environ.get("TANDEM_SCREENSHOTS")  # A folder.
widths = (1400, 800, 500)  # It has no narrower window.


@pytest.fixture(scope="module")
def fox():
    made = firefox.Firefox()
    yield made
    made.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("pages")
    tandem("synth", "--scene", "objects", "--size", "112x72", "--frames", "6", "-o", place / "clip.y4m", "-q")
    tandem("encode", place / "clip.y4m", "-o", place / "clip.m2v", "-q", "--decisions", place / "clip.tdf",
           "--device", "cpu")  # fmt: skip
    return place


def expect_good_looks(fox, address, name, shown):
    """At each width, in light and dark, whole and without a complaint."""
    papers = set()
    for width in widths:
        for theme in ("light", "dark"):
            fox.resize(width, 1300)
            fox.go(f"{address}{'&' if '?' in address else '?'}theme={theme}")
            fox.until(shown)
            assert fox.look("[innerWidth, document.documentElement.scrollWidth <= innerWidth]") == [width, True]
            papers.add(fox.look("getComputedStyle(document.body).backgroundColor"))
            picture = fox.screenshot()
            assert len(picture) > 20000 and struct.unpack(">I", picture[16:20])[0] >= width - 20
            if kept:
                pathlib.Path(kept, f"firefox-{name}-{width}-{theme}.png").write_bytes(picture)
    assert len(papers) == 2
    assert fox.complaints() == []


def test_a_stream_opened_up(fox, folder):
    run_or_skip("view", folder / "clip.m2v", "-o", folder / "view.html", "--decisions", folder / "clip.tdf", "-q")
    address = (folder / "view.html").as_uri()
    expect_good_looks(fox, address + "?layer=bits&picture=3", "view", "document.documentElement.dataset.shown === '3'")
    # What stands under the pointer is what the file says.
    begin = (folder / "clip.tdf").read_bytes()
    size = int.from_bytes(begin[12:16], "little")
    pictures = numpy.frombuffer(begin[size:], numpy.dtype(json.loads(begin[16:size])["dtype"]))
    one = pictures[pictures["display"] == 3][0]
    for column, row in ((0, 0), (3, 2), (6, 4)):
        fox.evaluate(f"""(() => {{
            const svg = stages[0].svg, point = new DOMPoint({16 * column + 4}, {16 * row + 4});
            const at = point.matrixTransform(svg.getScreenCTM());
            svg.dispatchEvent(new PointerEvent("pointermove", {{clientX: at.x, clientY: at.y, bubbles: true}}));
        }})()""")
        lines = fox.look("document.getElementById('tip').textContent").split("\n")
        assert lines[0].startswith(f"macroblock ({column}, {row}), ")
        assert f"bits {one['element_bits'][row, column].sum()}" in lines, lines
        assert f"error {one['distortion'][row, column].sum()}" in lines, lines
    # A view saved as a PNG has the picture in it.
    fox.evaluate("(download = (url, name) => { document.body.dataset[name.split('.').pop()] = url; }, 0)")
    fox.evaluate("document.querySelectorAll('.save button').forEach((one) => one.click())")
    fox.until("document.body.dataset.png && document.body.dataset.svg && true")
    assert fox.look("document.body.dataset.svg").startswith("data:image/svg+xml")
    assert len(fox.look("document.body.dataset.png")) > 30000
    assert fox.complaints() == []


def test_a_report(fox, folder):
    run_or_skip("compare", folder / "clip.y4m", "-o", folder / "out", "--qps", "3,6,12,24", "--me", "full,hexagon",
                "--devices", "cpu", "-q")  # fmt: skip
    address = (folder / "out" / "report.html").as_uri()
    expect_good_looks(fox, address, "report", "document.querySelectorAll('svg.chart .line').length > 1")


def test_the_live_page(fox):
    pytest.importorskip("aiohttp", reason="aiohttp is not installed (Debian: python3-aiohttp)")
    from live_client import run, serving
    from tandem.live.clips import drawn_clip

    def look(address):
        drawn = "Number(document.documentElement.dataset.drawn) > 5"
        expect_good_looks(fox, address + "?source=clip", "live", drawn)
        # The scene moves by (3, 1) behind its disc.
        label = fox.look("document.querySelector('canvas.picture').getAttribute('aria-label')")
        assert "(−3, −1) pels" in label, label
        fox.look("document.querySelector('[data-key=wheel]').click()")
        samples = fox.look("""(() => {
            const canvas = document.querySelector("canvas.picture"), {width, height} = canvas;
            const all = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, width, height).data.buffer);
            return [...all.filter((_, i) => i % 97 === 0)];
        })()""")
        hues = [colorsys.rgb_to_hsv(*((sample >> shift & 255) / 255 for shift in (0, 8, 16)))[0] for sample in samples]
        wanted = math.atan2(1, 3) / (2 * math.pi)
        assert numpy.mean(numpy.abs(numpy.array(hues) - wanted) < 0.02) > 0.5
        # The browser's own camera, a fake one.
        fox.go(address + "?source=camera")
        fox.until(drawn)
        assert fox.look("document.documentElement.dataset.source") == "camera"
        assert fox.complaints() == []

    async def body():
        async with serving(clip=drawn_clip(180, 120)) as server:
            await asyncio.to_thread(look, server.address)

    run(body())
