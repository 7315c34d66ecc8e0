# SPDX-License-Identifier: BSD-2-Clause
"""tandem.Encoder: the command's bytes, packets in coding order, what is refused."""

import fractions
import inspect
import math
import os

import numpy
import pytest

import tandem
from command import needs_command, run
from pictures import random


def moving(count=10, width=80, height=48):
    """Y, Cb and Cr of a texture that moves by (2, 1) a picture."""
    texture = random.integers(16, 236, (height + 64, width + 64)).astype(numpy.uint8)
    for n in range(count):
        luma = texture[n : n + height, 2 * n : 2 * n + width]
        cb, cr = luma[::2, ::2] // 2 + 60, 200 - luma[1::2, 1::2] // 2
        yield luma, cb, cr


def stream_of(pictures, **settings):
    return b"".join(packet.data for packet in tandem.Encoder(**settings).encode(pictures))


@pytest.fixture(scope="module")
def clip(tmp_path_factory):
    name = tmp_path_factory.mktemp("clip") / "objects.y4m"
    run("synth", "-q", "--scene", "objects", "--size", "97x66", "--frames", "9", "--fps", "30000/1001", "-o", name)
    return name


@needs_command
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"preset": "ultrafast"},
        {"preset": "veryfast", "me": "hexagon", "merange": 12},
        {"qp": 5, "bframes": 0, "trellis": 0, "decision": "tm5", "codec": "mpeg1"},
        {"crf": 30.5, "mbtree": 0, "b-adapt": 1, "keyint": 4, "closed-gop": True},
        {"bitrate": 300, "vbv-maxrate": 400, "vbv-bufsize": 200},
        {"bitrate": 250, "cbr": True},
        {"preset": "superfast", "sar": "1:1", "colorprim": "bt709", "qscale-type": "nonlinear"},
        {"preset": "superfast", "aspect": "4:3", "fps": "25", "threads": "auto"},
    ],
)
def test_the_bytes_are_the_command_s(settings, clip, tmp_path):
    words = []
    for name, value in settings.items():
        words += [f"--{name}"] if value is True else [f"--{name}", value]
    if "fps" in settings:  # Which resamples there; here it says what the pictures' rate is.
        words[words.index("--fps")] = "--assume-fps"
    run("encode", "-q", clip, "-o", tmp_path / "clip.m2v", *words)
    arguments = {name.replace("-", "_"): value for name, value in settings.items()}
    assert stream_of(clip, **arguments) == (tmp_path / "clip.m2v").read_bytes()


@needs_command
def test_every_setting_of_the_command_is_an_argument_with_its_default():
    helped = run("encode", "--help", "all")
    settings = tandem.encode_settings()
    parameters = inspect.signature(tandem.Encoder).parameters
    for setting in settings:
        assert f"--{setting.name.replace('_', '-')}" in helped, setting.name
        assert parameters[setting.name].kind is inspect.Parameter.KEYWORD_ONLY
        assert setting.name in tandem.Encoder.__doc__
        if setting.usual:
            tandem.Encoder(**{setting.name: setting.usual, **needed_by(setting.name)})
    assert len(settings) > 50
    defaults = {name: parameters[name].default for name in ("preset", "bframes", "ip_factor", "closed_gop", "crf")}
    assert defaults == {"preset": "medium", "bframes": 6, "ip_factor": 1.4, "closed_gop": False, "crf": None}


def needed_by(name):
    """What cannot be given alone has company; 0 is no rate."""
    needed = {"bitrate": {"bitrate": 100}, "vbv_maxrate": {"vbv_bufsize": 1}, "vbv_bufsize": {"vbv_maxrate": 1},
              "vbv_init": {"vbv_maxrate": 1000, "vbv_bufsize": 1000}}
    return needed.get(name, {})


def test_packets_come_in_coding_order_with_their_times():
    encoder = tandem.Encoder(fps=29.97, bframes=2, b_adapt=0, scenecut=0, qp=6, mbtree=0, ip_factor=1.5, pb_factor=2)
    packets = [packet for picture in moving(10) for packet in encoder.push(picture)] + encoder.finish()
    assert "".join(packet.type for packet in packets) == "IPBBPBBPBB"
    assert [packet.pts for packet in packets] == [0, 3, 1, 2, 6, 4, 5, 9, 7, 8]
    assert [packet.dts for packet in packets] == list(range(-1, 9))
    assert packets[1].time == fractions.Fraction(3003, 30000)
    assert [packet.is_key for packet in packets] == [True] + 9 * [False]
    assert [packet.quantiser for packet in packets[:3]] == [4, 6, 12]
    assert packets[0].data[:4] == b"\0\0\1\xb3" and packets[-1].data[-4:] == b"\0\0\1\xb7"
    assert bytes(packets[3]) == packets[3].data
    assert all(sum(packet.macroblocks.values()) == 15 for packet in packets)
    assert packets[0].macroblocks["intra"] == 15 and packets[0].mean_length == 0
    assert packets[0].psnr is packets[0].ssim is packets[0].reconstruction is None
    with pytest.raises(ValueError, match="closed"):
        encoder.push(next(moving(1)))


def test_reconstructions_are_what_was_measured():
    pictures = list(moving(7, 75, 41))
    pictures = [tuple(numpy.ascontiguousarray(plane) for plane in picture) for picture in pictures]
    pictures = [(y, numpy.resize(cb, (21, 38)), numpy.resize(cr, (21, 38))) for y, cb, cr in pictures]
    encoder = tandem.Encoder(preset="fast", crf=12, reconstruction=True, measure=True)
    packets = list(encoder.encode(pictures))
    assert sorted(packet.pts for packet in packets) == list(range(7))
    for packet in packets:
        source, shown = pictures[packet.pts], packet.reconstruction.planes
        errors = tuple(int(((a.astype(int) - b) ** 2).sum()) for a, b in zip(source, shown))
        assert [plane.shape for plane in shown] == [(41, 75), (21, 38), (21, 38)]
        assert errors == packet.squared_errors and packet.samples == (75 * 41, 38 * 21, 38 * 21)
        assert packet.psnr[1] == pytest.approx(10 * math.log10(255**2 / (errors[1] / (38 * 21))))
        assert 0.5 < packet.ssim <= 1


def test_pictures_of_every_kind_give_one_stream():
    pictures = list(moving(5))
    wanted = stream_of(pictures, preset="superfast")
    assert stream_of([tandem.Picture(picture) for picture in pictures], preset="superfast") == wanted
    assert stream_of((list(picture) for picture in pictures), preset="superfast", size=(80, 48)) == wanted
    spaced = [tuple(numpy.repeat(plane, 3, axis=1)[:, ::3] for plane in picture) for picture in pictures]
    assert stream_of(spaced, preset="superfast", device="cpu", threads=2) == wanted
    grey = [picture[0] for picture in pictures]
    neutral = [(luma, numpy.full((24, 40), 128, "u1"), numpy.full((24, 40), 128, "u1")) for luma in grey]
    assert stream_of(grey, preset="superfast") == stream_of(neutral, preset="superfast") != wanted


def test_colour_of_a_stream():
    colour = numpy.zeros((16, 16, 3), numpy.uint8)
    colour[:, 8:] = 255
    luma, cb, cr = tandem.Picture.of_colour(colour, full_range=False).planes
    assert luma[0, 0] == 16 and luma[0, 15] == 235 and (cb == 128).all() and (cr == 128).all()
    colour[:] = (0, 0, 255)
    luma, cb, cr = tandem.Picture.of_colour(colour, full_range=False).planes
    assert (luma[0, 0], cb[0, 0], cr[0, 0]) == (41, 240, 110)  # ITU-R BT.601: 16 + 219 * 0.114, 128 + 112.


@pytest.mark.parametrize(
    "picture, words",
    [
        (numpy.zeros((48, 80, 3), "u1"), "of_colour"),
        (numpy.zeros((48, 80), "u2"), "of_depth"),
        (numpy.zeros((48, 80), "f4"), "float32"),
        (numpy.zeros((48, 81), "u1"), "81x48 in a video of 80x48"),
        ((numpy.zeros((48, 80), "u1"),) * 3, "4:2:0 has 40x24"),
        ((numpy.zeros((48, 80), "u1"),) * 2, "2 planes"),
    ],
)
def test_pictures_that_do_not_fit_are_refused_and_do_no_harm(picture, words):
    encoder = tandem.Encoder(size=(80, 48), preset="ultrafast")
    with pytest.raises(ValueError, match=words):
        encoder.push(picture)
    assert len(list(encoder.encode(moving(3)))) == 3


@pytest.mark.parametrize(
    "settings, kind, words",
    [
        ({"bframe": 2}, TypeError, "no setting 'bframe'"),
        ({"me": "full", "search": "full"}, TypeError, "another name"),
        ({"bframes": 9}, ValueError, "bframes 9: must be a whole number from 0 to 8"),
        ({"bframes": 2.5}, ValueError, "bframes 2.5"),
        ({"bframes": [2]}, TypeError, "bframes"),
        ({"qp": 5, "crf": 20}, ValueError, "^qp and crf exclude each other"),
        ({"cbr": True}, ValueError, "^cbr needs bitrate"),
        ({"crf": float("nan")}, ValueError, "crf nan"),
        ({"decision": "r\ud800d"}, ValueError, "decision"),
        ({"preset": "slowest"}, ValueError, "preset slowest: must be one of ultrafast"),
        ({"fps": "fast"}, ValueError, "fps: 'fast'"),
        ({"fps": 0}, ValueError, "fps: 0"),
        ({"sar": "1:1", "aspect": "4:3"}, ValueError, "sar and aspect"),
        ({"sar": "1:0"}, ValueError, "sar: '1:0'"),
        ({"colorprim": "bt2020"}, ValueError, "colorprim: 'bt2020'"),
        ({"device": "tpu", "size": (64, 64)}, ValueError, "tpu"),
        ({"size": (0, 64)}, ValueError, "width: 0"),
        ({"size": (64, 64), "fps": 7}, ValueError, "7"),
        ({"size": (64, 64), "compat": "dvd"}, ValueError, "compat dvd"),
    ],
)
def test_wrong_settings_are_named(settings, kind, words):
    with pytest.raises(kind, match=words):
        tandem.Encoder(**settings)


def test_what_is_not_given_is_the_default():
    pictures = list(moving(4))
    assert stream_of(pictures, merange=None, cbr=False) == stream_of(pictures)


def threads_here():
    return len(os.listdir("/proc/self/task"))


def test_a_note_is_a_warning():
    with pytest.warns(UserWarning, match="display aspect"):
        encoder = tandem.Encoder(size=(96, 64), sar="12:11")
    assert "display aspect" in encoder.notes[0]


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="this system does not count threads in /proc")
def test_a_with_statement_lets_it_go():
    before = threads_here()
    with tandem.Encoder(preset="veryfast") as encoder:
        assert encoder.push(next(moving(1))) == [] and encoder.notes == []
    assert encoder.notes == [] and threads_here() == before
    with pytest.raises(ValueError, match="closed"):
        encoder.finish()
    assert not tandem.Encoder().finish() and list(tandem.Encoder().encode([])) == []


def test_a_file_that_is_not_there_is_a_file_not_found_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        tandem.Encoder().encode(tmp_path / "none.y4m")
    (tmp_path / "broken.y4m").write_bytes(b"YUV4MPEG2 W16 H")
    with pytest.raises(ValueError, match="broken.y4m"):
        list(tandem.Encoder().encode(tmp_path / "broken.y4m"))
