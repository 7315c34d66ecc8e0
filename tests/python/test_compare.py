# SPDX-License-Identifier: BSD-2-Clause
"""tandem.compare(): rates and qualities of clips, as a table."""

import math
import sys
import types

import numpy
import pytest

import tandem
from command import needs_command, run

curves = {"plain": {"bframes": 0, "decision": "cost"}, "better": {"bframes": 2}}


@pytest.fixture(autouse=True)
def without_pandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)


def scene():
    return tandem.synth("objects", (80, 48), 6)


def test_a_row_for_each_clip_series_and_point():
    table = tandem.compare(
        {"one": scene(), "two": [picture.planes for picture in scene()]}, curves, qps=[3, 5, 9, 15], preset="veryfast"
    )
    assert isinstance(table, tandem.Table) and len(table) == 2 * 2 * 4
    assert table.columns == [
        "clip", "series", "qp", "pictures", "bytes", "bitrate_kbps", "psnr_y", "psnr_u", "psnr_v", "ssim_y", "encode_s",
        "bd_rate",
    ]  # fmt: skip
    assert [row["series"] for row in table[:8]] == 4 * ["plain"] + 4 * ["better"]
    assert table.column("bytes")[:8] == table.column("bytes")[8:], "arrays are as good as the scene"
    assert all(math.isnan(rate) for rate in table.column("bd_rate")[:4])
    points = [[(row["bitrate_kbps"], row["psnr_y"]) for row in part] for part in (table[:4], table[4:8])]
    assert table[4]["bd_rate"] == table[7]["bd_rate"] == tandem.bd_rate(*points)
    lines = str(table).splitlines()
    assert len(lines) == 17 and lines[0].split() == table.columns and repr(table) == str(table)


def test_the_figures_are_those_of_the_stream():
    pictures = [picture.planes for picture in scene()]
    (row,) = tandem.compare(pictures, {"it": {"bframes": 1}}, crfs=[20], fps=50, preset="fast")
    encoder = tandem.Encoder(fps=50, preset="fast", bframes=1, crf=20, reconstruction=True)
    packets = list(encoder.encode(pictures))
    size = sum(len(packet.data) for packet in packets)
    assert (row["clip"], row["crf"], row["pictures"], row["bytes"]) == ("pictures", 20, 6, size)
    assert row["bitrate_kbps"] == pytest.approx(size * 8 * 50 / 6 / 1000)
    errors = [(pictures[p.pts][1].astype(int) - p.reconstruction.planes[1]) ** 2 for p in packets]
    assert row["psnr_u"] == pytest.approx(10 * math.log10(255**2 / numpy.mean(errors)))
    assert row["encode_s"] > 0 and math.isnan(row["bd_rate"])


@needs_command
def test_files_are_clips_and_frames_are_counted(tmp_path):
    run("synth", "-q", "--size", "64x48", "--frames", "7", "--fps", "50", "-o", tmp_path / "a.y4m")
    run("synth", "-q", "--scene", "zoom", "--size", "64x48", "--frames", "3", "-o", tmp_path / "b.y4m")
    table = tandem.compare([tmp_path / "a.y4m", str(tmp_path / "b.y4m")], qps=[8], frames=5, preset="ultrafast")
    told = [(row["clip"], row["series"], row["pictures"]) for row in table]
    assert told == [("a.y4m", "tandem", 5), ("b.y4m", "tandem", 3)]
    assert table[0]["bitrate_kbps"] == pytest.approx(table[0]["bytes"] * 8 / 1000 / 0.1)
    only = tandem.compare(tmp_path / "b.y4m", bitrates=[100, 200], preset="ultrafast")
    assert only.column("bitrate") == [100, 200] and only.columns[2] == "bitrate"
    with pytest.raises(FileNotFoundError):
        tandem.compare(tmp_path / "c.y4m")


def test_pandas_is_used_where_it_is(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", types.SimpleNamespace(DataFrame=lambda rows: ("frame", rows)))
    kind, rows = tandem.compare(scene()[:2], qps=[8], preset="ultrafast")
    assert kind == "frame" and type(rows[0]) is dict


@pytest.mark.parametrize(
    "options, kind, words",
    [
        ({"qps": [1], "crfs": [2]}, ValueError, "qps and crfs exclude each other"),
        ({"qps": []}, ValueError, "qps: no point"),
        ({"series": {}}, ValueError, "series"),
        ({"series": curves, "anchor": "best"}, ValueError, "anchor: 'best' is none of plain, better"),
        ({"frames": 0}, ValueError, "frames: 0"),
        ({"bframe": 2}, TypeError, "no setting 'bframe'"),
    ],
)
def test_what_makes_no_table_is_refused(options, kind, words):
    with pytest.raises(kind, match=words):
        tandem.compare(scene(), **options)
