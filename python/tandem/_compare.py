# SPDX-License-Identifier: BSD-2-Clause
"""Settings of an encode against each other: rate and quality over clips."""

from __future__ import annotations

import math
import os
import time
from typing import Any, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from ._encoder import Encoder, Packet, psnr_of
from ._measures import bd_rate
from ._picture import PictureLike, picture_of
from ._scene import Scene
from ._settings import Rate

#: The name of a file, or pictures in the order in which they are shown.
Clip = Union[str, os.PathLike, Iterable[PictureLike]]
Settings = Mapping[str, Any]

_usual_qps = (2, 4, 8, 16, 31)


class Table(List[Dict[str, Any]]):
    """Rows as dicts with the same keys: what tandem.compare() returns where pandas is not installed."""

    @property
    def columns(self) -> List[str]:
        return list(self[0]) if self else []

    def column(self, name: str) -> List[Any]:
        return [row[name] for row in self]

    def __str__(self) -> str:
        lines = [self.columns] + [[_shown(value) for value in row.values()] for row in self]
        widths = [max(map(len, cells)) for cells in zip(*lines)]
        return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(line, widths)) for line in lines)

    __repr__ = __str__


Table.__module__ = "tandem"


def _shown(value: Any) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)


class _Point(NamedTuple):
    """What is asked of one encode beside the series' settings."""

    setting: str
    value: float


def compare(
    clips: Union[Clip, Sequence[Union[str, os.PathLike]], Mapping[str, Clip]],
    series: Optional[Mapping[str, Settings]] = None,
    *,
    qps: Optional[Sequence[float]] = None,
    crfs: Optional[Sequence[float]] = None,
    bitrates: Optional[Sequence[float]] = None,
    frames: Optional[int] = None,
    anchor: Optional[str] = None,
    fps: Optional[Rate] = None,
    device: str = "auto",
    **settings: Any,
) -> Any:
    """Codes clips by several settings and tells rate and quality: a row for each clip, series and point.

        table = tandem.compare("clip.y4m", {"full": {"me": "full"}, "hexagon": {"me": "hexagon"}}, frames=60)

    clips: a file as tandem.Encoder.encode() takes it, pictures (arrays too), a list of files, or a dict of either by
    name. series: settings of tandem.Encoder by the name of a curve; None: one, "tandem". settings: those of all.
    qps, crfs, bitrates (kbit/s): one of them, the points of each curve; 2, 4, 8, 16 and 31 as qp where none is given.
    frames: at most so many pictures of each clip. anchor: the series that others are compared with; the first.
    fps, device: as of tandem.Encoder.

    Columns: clip, series, then qp, crf or bitrate, pictures, bytes, bitrate_kbps, psnr_y, psnr_u, psnr_v (of the mean
    squared error of all pictures, dB), ssim_y (mean), encode_s (seconds until the last packet, reading and measuring
    included) and bd_rate: by how many per cent the series' bits are more than the anchor's at equal psnr_y, over all
    its points; NaN for the anchor, below four points, and where curves do not overlap.

    A pandas.DataFrame where pandas is installed, else a tandem.Table, a list of dicts. Pictures are measured as
    decoders will show them. Other encoders, and every figure of a report, has the command `tandem compare`. Raises what
    tandem.Encoder does.
    """
    points = _points(qps, crfs, bitrates)
    curves = dict(series) if series is not None else {"tandem": {}}
    if not curves:
        raise ValueError("series: none is named")
    if anchor is not None and anchor not in curves:
        raise ValueError(f"anchor: {anchor!r} is none of {', '.join(curves)}")
    if frames is not None and frames < 1:
        raise ValueError(f"frames: {frames}; 1 at least")
    coded = [
        _row(clip_name, clip, name, point, frames, {"fps": fps, "device": device, **settings, **own})
        for clip_name, clip in _clips_of(clips)
        for name, own in curves.items()
        for point in points
    ]
    _add_bd_rates(coded, anchor or next(iter(curves)))
    try:
        import pandas
    except ImportError:
        return Table(coded)
    return pandas.DataFrame(coded)


def _points(*lists: Optional[Sequence[float]]) -> List[_Point]:
    given = [(name, values) for name, values in zip(("qp", "crf", "bitrate"), lists) if values is not None]
    if len(given) > 1:
        raise ValueError(f"{given[0][0]}s and {given[1][0]}s exclude each other")
    setting, values = given[0] if given else ("qp", _usual_qps)
    if not len(values):
        raise ValueError(f"{setting}s: no point is named")
    return [_Point(setting, value) for value in values]


def _is_name(clip: Any) -> bool:
    return isinstance(clip, (str, bytes, os.PathLike))


def _clips_of(clips: Any) -> Iterator[Tuple[str, Clip]]:
    """By name; pictures that come from an iterator are kept, since each curve codes them again."""
    if isinstance(clips, Mapping):
        named = list(clips.items())
    elif _is_name(clips):
        named = [(_name_of(clips), clips)]
    else:
        several = clips if isinstance(clips, Scene) else list(clips)
        if several and not isinstance(several, Scene) and all(_is_name(one) for one in several):
            named = [(_name_of(one), one) for one in several]
        else:
            named = [("pictures", several)]
    for name, clip in named:
        is_again = _is_name(clip) or isinstance(clip, Scene)
        yield name, clip if is_again else [picture_of(f"picture {i}", one) for i, one in enumerate(clip)]


def _name_of(path: Union[str, os.PathLike]) -> str:
    return os.path.basename(os.fsdecode(path))


def _first_of(clip: Clip, frames: Optional[int], encoder: Encoder) -> Iterator[Packet]:
    if frames is None:
        yield from encoder.encode(clip)
        return
    for number, picture in enumerate(encoder._pictures_of(clip)):
        if number == frames:
            break
        yield from encoder.push(picture)
    yield from encoder.finish()


def _row(
    clip_name: str, clip: Clip, series: str, point: _Point, frames: Optional[int], settings: Dict[str, Any]
) -> Dict[str, Any]:
    begin = time.perf_counter()
    encoder = Encoder(measure=True, **{**settings, point.setting: point.value})
    packets = [_without_data(packet) for packet in _first_of(clip, frames, encoder)]
    seconds = time.perf_counter() - begin
    count, size = len(packets), sum(size for _, size in packets)
    row: Dict[str, Any] = {"clip": clip_name, "series": series, point.setting: point.value}
    row.update(pictures=count, bytes=size, bitrate_kbps=_kbps(size, count, encoder))
    for plane, name in enumerate(("psnr_y", "psnr_u", "psnr_v")):
        sums = [(one.squared_errors[plane], one.samples[plane]) for one, _ in packets]
        row[name] = psnr_of(*map(sum, zip(*sums))) if sums else math.nan
    row["ssim_y"] = sum(one.ssim for one, _ in packets) / count if count else math.nan
    row["encode_s"] = seconds
    return row


def _without_data(packet: Packet) -> Tuple[Packet, int]:
    """What is measured, and the size: a long clip's bytes need not be kept."""
    return packet._replace(data=b""), len(packet.data)


def _kbps(size: int, pictures: int, encoder: Encoder) -> float:
    return float(size * 8 / 1000 / (pictures * encoder.tick)) if pictures else math.nan


def _add_bd_rates(rows: List[Dict[str, Any]], anchor: str) -> None:
    curves: Dict[Tuple[str, str], List[Tuple[float, float]]] = {}
    for row in rows:
        curves.setdefault((row["clip"], row["series"]), []).append((row["bitrate_kbps"], row["psnr_y"]))
    for row in rows:
        own, other = curves[row["clip"], row["series"]], curves[row["clip"], anchor]
        row["bd_rate"] = math.nan
        if row["series"] == anchor:
            continue
        try:
            row["bd_rate"] = bd_rate(other, own)
        except ValueError:  # Too few points, or curves that do not overlap.
            continue
