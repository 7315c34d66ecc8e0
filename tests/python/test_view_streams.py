# SPDX-License-Identifier: BSD-2-Clause
"""Pages of `tandem view` of streams by several encoders and of odd ones, in headless Chromium: every picture, layer and
block can be looked at, two streams go together, and what libavcodec tells of a stream is what its decisions say."""

import asyncio
import base64
import json
import os
import re
import shutil
import subprocess
import zlib

import numpy
import pytest

pytest.importorskip("aiohttp", reason="aiohttp is not installed (Debian: python3-aiohttp)")

import browser  # noqa: E402
from command import program, run as tandem, run_or_skip  # noqa: E402

pytestmark = [
    pytest.mark.skipif(browser.program is None, reason="Chromium is not installed"),
    pytest.mark.skipif(not os.path.isfile(program), reason="TANDEM_COMMAND names no built tandem, which writes pages"),
]
_patience_s = 240


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("view")
    scene = ["--scene", "objects", "--frames", "7", "--seed", "4", "-q"]
    tandem("synth", *scene, "--size", "112x72", "-o", place / "clip.y4m")
    tandem("synth", *scene, "--size", "16x16", "--objects", "1", "-o", place / "tiny.y4m")
    encode("clip.y4m", "ours.m2v", place)
    run_or_skip("view", place / "ours.m2v", "-o", place / "page.html", "-q")
    return place


@pytest.fixture(scope="module")
def chromium(folder):
    made = browser.Browser(folder / "clip.y4m")
    yield made
    made.close()


def encode(clip, stream, place, *options):
    decisions = place / f"{stream}.tdf"
    tandem("encode", place / clip, "-o", place / stream, "--decisions", decisions, "--device", "cpu", "-q", *options)


def by_ffmpeg(place, stream, *options):
    if shutil.which("ffmpeg") is None:
        pytest.skip("ffmpeg is not installed")
    words = ["ffmpeg", "-v", "error", "-y", "-i", place / "clip.y4m", "-threads", "1", *options, place / stream]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"ffmpeg: {done.stderr.strip()}")


def data_of(page):
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page.read_text("utf-8"), re.DOTALL)
    return json.loads(found[1])["streams"]


def unpacked(text):
    """What the page's own unpacked() reads: rows of 1024 bytes, each behind a 0."""
    rows = numpy.frombuffer(zlib.decompress(base64.b64decode(text)), numpy.uint8).reshape(-1, 1025)
    return rows[:, 1:].tobytes()


# Looks at everything; gives how many pictures, layers and blocks that was.
everything = """(async () => {
    const seen = {pictures: 0, layers: 0, blocks: 0, stages: stages.length};
    const shown = async (display) => {
        while (document.documentElement.dataset.shown !== String(display))
            await new Promise((done) => setTimeout(done, 5));
    };
    toggle("blocks");
    for (const picture of streams[0].pictures) {
        goTo(picture.display);
        await shown(picture.display);
        ++seen.pictures;
        for (const layer of layers.filter((one) => streams.some((stream) => hasLayer(one, stream)))) {
            setLayer(layer.key);
            ++seen.layers;
        }
        for (const column of [0, streams[0].columns - 1])
            for (const row of [0, streams[0].rows - 1]) {
                chooseBlock({column, row});
                zoomTo(4);
                zoomTo(1);
                const text = document.querySelector("main").textContent;
                if (/NaN|undefined/.test(text)) throw new Error("no number is shown in picture " + picture.display);
                ++seen.blocks;
            }
    }
    for (const list of document.querySelectorAll("#timeline-controls select"))
        for (const option of list.options) {
            list.value = option.value;
            list.dispatchEvent(new Event("change"));
            const timeline = document.querySelector(".timeline").outerHTML;
            if (/NaN|Infinity|undefined/.test(timeline)) throw new Error(option.value);
        }
    return seen;
})()"""


def look_at(chromium, page, pictures, stages=1):
    async def body():
        async with chromium.page(390, 900) as tab:
            await tab.go(page.as_uri())
            await tab.until("document.documentElement.dataset.shown")
            seen = await tab.evaluate(everything)
            assert seen["pictures"] == pictures and seen["stages"] == stages and seen["blocks"] == 4 * pictures
            assert seen["layers"] >= pictures
            for width in (390, 800, 1400):
                await tab.resize(width, 900)
                assert await tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
            assert tab.complaints == []

    asyncio.run(asyncio.wait_for(body(), _patience_s))


@pytest.mark.parametrize(
    "stream, clip, pictures, options",
    [
        ("rd.m1v", "clip.y4m", 7, ["--decision", "rd", "--bframes", "2", "--bitrate", "300", "--vbv-maxrate", "400",
                                   "--vbv-bufsize", "200"]),
        ("tm5.m2v", "clip.y4m", 7, ["--decision", "tm5", "--bframes", "0", "--qp", "4", "--qscale-type", "nonlinear"]),
        ("one.m2v", "clip.y4m", 1, ["--frames", "1"]),
        ("tiny.m2v", "tiny.y4m", 7, []),
    ],
)  # fmt: skip
def test_all_of_our_stream_can_be_looked_at(chromium, folder, stream, clip, pictures, options):
    encode(clip, stream, folder, *options)
    page = folder / f"{stream}.html"
    decisions = folder / f"{stream}.tdf"
    tandem("view", folder / stream, "-o", page, "--decisions", decisions, "--source", folder / clip, "-q")
    look_at(chromium, page, pictures)


@pytest.mark.parametrize(
    "stream, options",
    [
        ("b.m2v", ["-c:v", "mpeg2video", "-q:v", "4", "-bf", "2"]),
        ("one.m1v", ["-c:v", "mpeg1video", "-q:v", "4"]),
        ("asp.avi", ["-c:v", "mpeg4", "-q:v", "4", "-mbd", "rd", "-flags", "+mv4"]),
        ("avc.mkv", ["-c:v", "libx264", "-preset", "slow", "-threads", "1"]),
        ("lines.m2v", ["-c:v", "mpeg2video", "-q:v", "4", "-flags", "+ildct+ilme", "-top", "1"]),
        ("lines.mkv", ["-c:v", "libx264", "-x264-params", "interlaced=1:threads=1"]),
        ("422.m2v", ["-pix_fmt", "yuv422p", "-c:v", "mpeg2video", "-q:v", "4"]),
        ("10.mkv", ["-pix_fmt", "yuv420p10le", "-c:v", "libx264", "-threads", "1"]),
        ("stills.avi", ["-c:v", "mjpeg", "-q:v", "4"]),
    ],
)
def test_all_of_ffmpeg_s_stream_can_be_looked_at(chromium, folder, stream, options):
    by_ffmpeg(folder, stream, *options)
    page = folder / f"{stream}.html"
    tandem("view", folder / stream, "-o", page, "--source", folder / "clip.y4m", "-q")
    look_at(chromium, page, 7)
    shown = data_of(page)[0]
    assert sorted(one["coding"] for one in shown["pictures"]) == list(range(7))
    assert all(one["bytes"] > 0 and 20 < one["psnr"][0] < 100 for one in shown["pictures"])
    if stream not in ("stills.avi",):  # Of MPEG the last picture has none.
        assert all(one["vector_count"] > 0 for one in shown["pictures"][:-1] if one["type"] != "I")
        assert shown["pictures"][0]["quantiser"] > 0


def test_a_stream_that_is_cut_off_shows_what_there_is(chromium, folder):
    whole = (folder / "ours.m2v").read_bytes()
    (folder / "cut.m2v").write_bytes(whole[: len(whole) * 2 // 3])
    tandem("view", folder / "cut.m2v", "-o", folder / "cut.html", "-q")
    pictures = data_of(folder / "cut.html")[0]["pictures"]
    assert 0 < len(pictures) < 7
    look_at(chromium, folder / "cut.html", len(pictures))


def test_our_stream_beside_another_encoder_s(chromium, folder):
    by_ffmpeg(folder, "theirs.mkv", "-c:v", "libx264", "-threads", "1", "-frames:v", "5")
    tandem("view", folder / "ours.m2v", folder / "theirs.mkv", "-o", folder / "beside.html", "--decisions",
           folder / "ours.m2v.tdf", "-q")  # fmt: skip
    look_at(chromium, folder / "beside.html", 7, stages=2)  # The second has fewer pictures.
    assert side_by_side(chromium, folder / "beside.html") == {"quantiser": False}


def test_two_of_our_streams_share_their_colours(chromium, folder):
    encode("clip.y4m", "second.m1v", folder, "--qp", "20")
    tandem("view", folder / "ours.m2v", folder / "second.m1v", "-o", folder / "both.html", "--decisions",
           folder / "ours.m2v.tdf", "--second-decisions", folder / "second.m1v.tdf", "-q")  # fmt: skip
    assert side_by_side(chromium, folder / "both.html") == {"quantiser": True, "bits": True, "error": True}


def side_by_side(chromium, page):
    """Of two streams that stand beside each other: whether they share the range of colours, by layer."""
    ranges = """["quantiser", "bits", "error"].map((key) => layers.find((one) => one.key === key))
        .filter((layer) => stages.every(({stream}) => hasLayer(layer, stream)))
        .map((layer) => [layer.key, ...stages.map((stage) => JSON.stringify(rangeFor(stage, layer)))])"""

    async def body():
        async with chromium.page(1400, 900) as tab:
            await tab.go(page.as_uri() + "?picture=2")
            await tab.until("document.documentElement.dataset.shown === '2'")
            places = await tab.evaluate("stages.map(({svg}) => svg.getBoundingClientRect()).map(({x, y}) => [x, y])")
            assert abs(places[0][1] - places[1][1]) < 1 and places[0][0] + 300 < places[1][0]
            return {key: one == other for key, one, other in await tab.evaluate(ranges)}

    return asyncio.run(asyncio.wait_for(body(), _patience_s))


def test_what_libavcodec_tells_is_what_the_decisions_say(folder):
    tandem("view", folder / "ours.m2v", "-o", folder / "told.html", "-q")
    begin = (folder / "ours.m2v.tdf").read_bytes()
    size = int.from_bytes(begin[12:16], "little")
    records = numpy.frombuffer(begin[size:], numpy.dtype(json.loads(begin[16:size])["dtype"]))
    compared = 0
    for picture in data_of(folder / "told.html")[0]["pictures"][:-1]:
        record = records[records["display"] == picture["display"]][0]
        assert record["coding"] == picture["coding"] and record["bits"] // 8 <= picture["bytes"]
        vectors = numpy.frombuffer(unpacked(picture["vectors"]), "<i2")[: 7 * picture["vector_count"]].reshape(-1, 7)
        for x, y, width, height, dx, dy, way in vectors:
            assert (width, height) == (16, 16)
            flags = record["flags"][y // 16, x // 16]
            if flags & 8:
                continue  # Skipped: the decoder tells nothing, or zero.
            decided = record["forward" if way > 0 else "backward"][y // 16, x // 16]
            assert (dx, dy) == tuple(decided), (picture["display"], x, y)
            compared += 1
    assert compared > 50
