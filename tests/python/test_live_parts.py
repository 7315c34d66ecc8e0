# SPDX-License-Identifier: BSD-2-Clause
"""What the live server is made of: records, figures, clips, options; and `tandem live`, which starts it."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

import numpy
import pytest

import tandem
from tandem.live import wire
from tandem.live.clips import DRAWN_MOTION, drawn_clip, open_clip
from tandem.live.figures import rate_of, spread_of
from tandem.live.options import parser
from tandem.live.searcher import devices_here, searches_here
from tandem.live.settings import rows_for

random = numpy.random.default_rng(3)


def arrays(rows, columns, candidates):
    shape = (rows, columns, candidates)
    vectors = random.integers(-32768, 32768, (*shape, 2)).astype(numpy.int16)
    return wire.Arrays(vectors, *(random.integers(0, 1 << 32, shape).astype(numpy.uint32) for _ in range(2)))


@pytest.mark.parametrize("rows, columns, candidates, count", [(1, 1, 1, 1), (3, 5, 1, 2), (2, 3, 3, 1), (7, 1, 16, 2)])
@pytest.mark.parametrize("planes", [(False, False), (True, False), (False, True), (True, True)])
def test_an_answer_comes_back_as_it_went(rows, columns, candidates, count, planes):
    width, height = 8 * columns - 3, 4 * rows - 1  # Planes whose lengths are no multiples of 4.
    made = [random.integers(0, 256, (height, width)).astype(numpy.uint8) if is_there else None for is_there in planes]
    fields = [arrays(rows, columns, candidates) for _ in range(count)]
    answer = wire.Answer(
        5,
        1.25,
        (width, height),
        (8, 4),
        fields,
        (2.0, 0.5)[:count],
        30.5,
        float("inf"),
        7.0,
        4,
        9,
        count == 2,
        True,
        *made,
    )
    back = wire.unpack_answer(wire.pack_answer(answer))
    assert back[:4] == answer[:4] and tuple(back.search_ms) == tuple(answer.search_ms)
    assert back[6:13] == answer[6:13]
    for found, sent in zip(back.fields, fields):
        for one, other in zip(found, sent):
            numpy.testing.assert_array_equal(one, other)
    for found, sent in zip((back.picture, back.prediction), made):
        numpy.testing.assert_array_equal(found, sent)


def test_the_header_is_the_documented_one():
    answer = wire.Answer(5, 1.25, (20, 10), (8, 4), [arrays(3, 3, 1)], [2.0], 30.5, 20.5, 7.0, 4, 9)
    record = wire.pack_answer(answer)
    assert record[:4] == b"TLA1" and record[4:8] == b"\5\0\0\0"
    assert numpy.frombuffer(record, "<f8", 1, 8) == 1.25
    assert numpy.frombuffer(record, "<u2", 8, 16).tolist() == [20, 10, 8, 4, 3, 3, 1, 1]
    numpy.testing.assert_array_equal(numpy.frombuffer(record, "<f4", 5, 32), [2.0, numpy.nan, 30.5, 20.5, 7.0])
    assert numpy.frombuffer(record, "<u4", 3, 52).tolist() == [0, 4, 9]
    assert len(record) == 64 + 9 * 4 + 2 * 9 * 4


def test_no_candidate_is_told():
    vectors = numpy.array([[[1.5, -2.0], [numpy.nan, numpy.nan]]], numpy.float32)
    counts = numpy.array([[7, 0xFFFFFFFF]], numpy.uint32)
    found = wire.arrays_of(vectors, counts, counts)
    assert found.vectors.tolist() == [[[[12, -16]], [[0, 0]]]]
    assert found.distortions.tolist() == [[[7], [0xFFFFFFFF]]]


def frame(number=1, width=4, height=2, flags=0, time=0.0, samples=8, magic=b"TLF1"):
    return wire.FRAME.pack(magic, number, width, height, flags, time) + bytes(samples)


@pytest.mark.parametrize(
    "record, words",
    [
        (frame()[:23], "23 bytes"),
        (frame(magic=b"TLA1"), "TLA1"),
        (frame(flags=1), "flags 1"),
        (frame(time=float("nan")), "nan"),
        (frame(width=0, samples=0), "0x2"),
        (frame(width=1000, height=1000), "1000x1000"),
        (frame(samples=7), "7 samples"),
        (frame(samples=9), "9 samples"),
    ],
)
def test_a_frame_that_is_none_is_refused(record, words):
    with pytest.raises(ValueError, match=words):
        wire.unpack_frame(record, 100)
    assert wire.unpack_frame(frame(), 8).samples.shape == (2, 4)


def test_figures_are_nearest_ranks():
    assert spread_of(range(1, 101)) == (50, 95)
    assert spread_of([3, 1, 2]) == (2, 3)
    assert spread_of([8]) == (8, 8)
    assert numpy.isnan(spread_of([])).all()
    assert rate_of([0.0, 0.5, 1.0]) == 2
    assert numpy.isnan(rate_of([1.0]))


def y4m(folder, header, pictures, name="clip.y4m"):
    path = folder / name
    path.write_bytes(header + b"\n" + b"".join(b"FRAME\n" + picture for picture in pictures))
    return str(path)


@pytest.mark.parametrize("colours, chroma", [("", 12), (" C420jpeg", 12), (" C422", 18), (" C444", 30), (" Cmono", 0)])
def test_luma_of_a_y4m(tmp_path, colours, chroma):
    luma = random.integers(0, 256, (2, 3, 5)).astype(numpy.uint8)
    sent = [one.tobytes() + bytes(chroma) for one in luma]
    clip = open_clip(y4m(tmp_path, b"YUV4MPEG2 W5 H3 F30000:1001 Ip" + colours.encode(), [*sent, sent[0][:-1]]))
    assert (clip.width, clip.height, round(clip.rate, 2)) == (5, 3, 29.97)
    for _ in range(2):  # As often as one likes; what is left of a third picture is none.
        numpy.testing.assert_array_equal(list(clip.pictures()), luma)


@pytest.mark.parametrize(
    "header, words",
    [
        (b"RIFF", "no y4m"),
        (b"YUV4MPEG2 H3", r"\?x3"),
        (b"YUV4MPEG2 W4294967424 H3", "4294967424"),
        (b"YUV4MPEG2 W5 H3 C420p10", "420p10"),
        (b"YUV4MPEG2 W5 H3 X" + b"x" * 5000, "4096"),
    ],
)
def test_a_broken_y4m_is_refused(tmp_path, header, words):
    with pytest.raises(ValueError, match=words):
        open_clip(y4m(tmp_path, header, []))


def test_a_raw_clip_needs_a_size_that_fits(tmp_path):
    pictures = random.integers(0, 256, (2, 36)).astype(numpy.uint8)
    named, unnamed = tmp_path / "a_6x4_12.5.yuv", tmp_path / "b.yuv"
    for path in (named, unnamed):
        path.write_bytes(pictures.tobytes())
    clip = open_clip(str(named))
    assert (clip.width, clip.height, clip.rate) == (6, 4, 12.5)
    numpy.testing.assert_array_equal(list(clip.pictures()), pictures[:, :24].reshape(2, 4, 6))
    assert open_clip(str(unnamed), (6, 4), 50).rate == 50
    with pytest.raises(ValueError, match="--input-res"):
        open_clip(str(unnamed))
    with pytest.raises(ValueError, match="72 bytes"):
        open_clip(str(unnamed), (6, 6))


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="ffmpeg is not installed")
def test_ffmpeg_reads_the_rest(tmp_path):
    luma = random.integers(16, 236, (3, 32, 48)).astype(numpy.uint8)
    source = y4m(tmp_path, b"YUV4MPEG2 W48 H32 F10:1", [one.tobytes() + bytes([128]) * 768 for one in luma])
    subprocess.run(["ffmpeg", "-v", "error", "-i", source, "-c:v", "ffv1", str(tmp_path / "-a b.mkv")], check=True)
    clip = open_clip(str(tmp_path / "-a b.mkv"))
    assert (clip.width, clip.height, clip.rate) == (48, 32, 10)
    numpy.testing.assert_array_equal(list(clip.pictures()), luma)
    (tmp_path / "no.mp4").write_bytes(b"nothing")
    with pytest.raises(ValueError, match="no.mp4"):
        open_clip(str(tmp_path / "no.mp4"))


def test_the_drawn_scene_moves_as_it_says():
    pictures = drawn_clip().pictures()
    before, now = next(pictures), next(pictures)
    x, y = DRAWN_MOTION
    numpy.testing.assert_array_equal(now[y:60, x:], before[: 60 - y, :-x])


def test_the_page_is_whole_and_fetches_nothing_from_elsewhere():
    page = pathlib.Path(wire.__file__).parent / "page"
    files = {str(path.relative_to(page)): path.read_text(encoding="utf-8") for path in page.rglob("*.*")}
    assert len(files) > 20
    for name, text in files.items():
        assert not re.search("(https?:)?//[a-z]+[.]", text.replace("http://www.w3.org/2000/svg", "")), name
        assert len(text.splitlines()) <= 400, name
        for target in re.findall('from "([^"]+)"', text) + re.findall('(?:src|href)="([^"#]+)"', text):
            assert os.path.normpath(os.path.join(os.path.dirname(name), target)) in files, (name, target)
        if name.startswith("drawing"):  # A viewer uses it, too: it knows of nothing outside.
            assert "../" not in text, name


def test_what_a_search_may_be_is_on_the_page_in_words_and_in_the_document():
    searches = searches_here(devices_here(1)["cpu"].estimate)
    assert set(tandem.searches()) - set(searches) <= {"given", "poc"}
    rows = {row.name: row for row in rows_for(searches, tandem.metrics(), ("cpu", "gpu"))}
    assert rows["metric"].words == tandem.metrics() and rows["search"].words == searches
    controls = (pathlib.Path(wire.__file__).parent / "page" / "controls.js").read_text(encoding="utf-8")
    names = set(re.findall(r'^ +(\w+): "', controls, re.MULTILINE))
    document = pathlib.Path(__file__).parents[2].joinpath("docs", "live.md").read_text(encoding="utf-8")
    for name in ("search", "precision", "metric", "device"):
        assert set(rows[name].words) <= names, name
        told = next(line for line in document.splitlines() if line.startswith(f"| `{name}` |"))
        assert all(re.search(f"\\b{word}\\b", told) for word in rows[name].words), told


command = os.environ.get("TANDEM_COMMAND", "")
with_command = pytest.mark.skipif(not os.path.isfile(command), reason="TANDEM_COMMAND names no built tandem")


def live(*words, **environment):
    return subprocess.run(
        [command, "live", *words],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@with_command
def test_the_command_has_the_module_s_options():
    def options(text):
        return set(re.findall(r"^ +(?:-\w, +)?--([a-z-]+)", text, re.MULTILINE)) - {"help", "fullhelp", "version"}

    of_module = options(parser().format_help().replace("-h, --help", "--help"))
    assert options(live("--help").stdout) == of_module and len(of_module) > 10


@with_command
def test_the_command_becomes_an_interpreter_that_has_the_module(tmp_path):
    fake = tmp_path / "fake python"
    fake.write_text('#!/bin/sh\nif [ "$1" = -c ]; then echo tandem.live is here; else printf "<%s>" "$@"; exit 7; fi\n')
    fake.chmod(0o755)
    done = live("--clip", "a b.y4m", "--bench", "--rate", "0", "--max-size", "64x32", TANDEM_PYTHON=str(fake))
    assert done.returncode == 7
    assert done.stdout == "<-m><tandem.live><--clip=a b.y4m><--max-size=64x32><--bench><--rate=0>"


@with_command
def test_the_command_says_what_is_missing(tmp_path):
    without = tmp_path / "tandem"
    without.mkdir()
    (without / "__init__.py").write_text("raise ImportError('made to fail')")
    done = live(TANDEM_PYTHON=sys.executable, PYTHONPATH=str(tmp_path))
    assert done.returncode == 2 and "made to fail" in done.stderr and "pip install '.[live]'" in done.stderr
    done = live(TANDEM_PYTHON=str(tmp_path / "none"))
    assert done.returncode == 2 and "does not run" in done.stderr


@with_command
def test_the_command_benches():
    pytest.importorskip("aiohttp", reason="aiohttp is not installed (Debian: python3-aiohttp)")
    done = live(
        "--bench", "--frames", "4", "--rate", "0", "--set", "block=8x8,search=hexagon", TANDEM_PYTHON=sys.executable
    )
    assert done.returncode == 0, done.stderr
    assert re.search(
        r"frames in +4, .*\nsearched +3, .*\nleft out +1\nlatency +median [\d.]+ ms", done.stdout
    ), done.stdout
    for words, named in [(["--set", "range=x"], "range"), (["--clip", "none.y4m"], "none.y4m")]:
        done = live("--bench", *words, TANDEM_PYTHON=sys.executable)
        assert done.returncode == 2 and named in done.stderr


def test_the_server_ends_by_an_interrupt_and_says_what_keeps_it_from_starting():
    pytest.importorskip("aiohttp", reason="aiohttp is not installed (Debian: python3-aiohttp)")
    words = [sys.executable, "-m", "tandem.live", "--port"]
    with subprocess.Popen([*words, "0", "--host", "0.0.0.0"], stdout=subprocess.PIPE, text=True) as server:
        said = server.stdout.readline()
        # With a token.
        address = re.fullmatch(r"tandem live: http://\S+:([0-9]+)/[\w-]{20,}/  \(Ctrl-C ends it\)\n", said)
        assert address, said
        again = [*words, address[1], "--host", "0.0.0.0"]
        second = subprocess.run(again, capture_output=True, text=True, timeout=60, check=False)
        assert second.returncode == 1 and f"0.0.0.0:{address[1]}" in second.stderr
        server.send_signal(signal.SIGINT)
        assert server.wait(60) == 0
    for given, named in [(["70000"], "70000"), (["0", "--clients", "0"], "clients"), (["0", "--max-size", "8x"], "8x")]:
        done = subprocess.run([*words, *given], capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 2 and named in done.stderr
