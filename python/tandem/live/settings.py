# SPDX-License-Identifier: BSD-2-Clause
"""The controls of a live search. Each is one row, from which the page makes a control and the server a check."""

from __future__ import annotations

from typing import Any, Dict, NamedTuple, Optional, Sequence, Tuple

SIDES_LIMITS = (4, 128)  # Of a block, pels: the motion library's.
MOST_BACK = 8


class Row(NamedTuple):
    """One control."""

    name: str
    label: str
    kind: str  #: "choice" (one of words), "size" (WxH), "integer" or "real" (least..most), "switch".
    default: Any
    words: Tuple[str, ...] = ()  #: A size may also be another one within SIDES_LIMITS.
    least: float = 0
    most: float = 0
    step: float = 1  #: Of the page's slider.
    unit: str = ""
    help: str = ""


class Settings(NamedTuple):
    """What a search is told; the defaults are those of the rows."""

    search: str
    block: Tuple[int, int]  #: Width and height, pels.
    range: int  #: Pels each way.
    precision: int  #: Positions per pel.
    metric: str
    lagrangian: float  #: Distortion per bit of a vector.
    null_level: int  #: Distortion per sample up to which a block keeps the zero vector unsearched; 0: off.
    candidates: int
    reference: int  #: Frames back.
    device: str  #: "cpu", "gpu" or "both".
    prediction: bool  #: Whether the samples of the prediction come with each answer.


def rows_for(searches: Sequence[str], metrics: Sequence[str], devices: Sequence[str]) -> Tuple[Row, ...]:
    """`devices`: those that are there, of "cpu" and "gpu"."""
    device_words = (*devices, "both") if len(devices) > 1 else tuple(devices)
    return (
        Row("search", "Search", "choice", "full" if "full" in searches else searches[0], tuple(searches),
            help="How vectors are looked for; full tries every position."),
        Row("block", "Block", "size", "16x16", ("4x4", "8x8", "16x8", "8x16", "16x16", "32x32", "64x64"), unit="pels",
            help="The size of a block: each has one vector."),
        Row("range", "Range", "integer", 16, (), 1, 64, 1, "pels", help="How far a vector may point, each way."),
        Row("precision", "Precision", "choice", "1", ("1", "2", "4", "8"),
            help="Positions per pel: 2 is half-pel, 8 is 1/8."),
        Row("metric", "Metric", "choice", metrics[0], tuple(metrics),
            help="How a block is compared. zsad and ncc do not see brightness; ncc is the CPU's alone."),
        Row("lagrangian", "Lambda", "real", 0.0, (), 0, 64, 0.5,
            help="What a bit of a vector costs, in distortion: above 0 fields get smoother."),
        Row("null_level", "Null motion", "integer", 0, (), 0, 32,
            help="Blocks that differ no more than this per sample at zero stay there, unsearched; 0 is off."),
        Row("candidates", "Candidates", "integer", 1, (), 1, 8, help="Vectors kept for each block, best first."),
        Row("reference", "Reference", "integer", 1, (), 1, MOST_BACK, 1, "back",
            help="How many frames back the reference lies."),
        Row("device", "Device", "choice", devices[0], device_words,
            help="Where the search runs; both: side by side, with their times."),
        Row("prediction", "Prediction", "switch", False, help="Sends the predicted picture with each field."),
    )  # fmt: skip


def defaults(rows: Sequence[Row]) -> Settings:
    return read(rows, {})


def read(rows: Sequence[Row], given: Dict[str, Any], old: Optional[Settings] = None) -> Settings:
    """The settings `given`, `old` or the rows' defaults for the others. Raises ValueError: the name and the limit."""
    known = {row.name: row for row in rows}
    for name in given:
        if name not in known:
            raise ValueError(f"there is no setting '{name}'; there are {', '.join(known)}")
    values = {name: _value(row, given[name] if name in given else row.default) for name, row in known.items()}
    if old is not None:
        values.update({name: value for name, value in old._asdict().items() if name not in given})
    return Settings(**values)


def _value(row: Row, value: Any) -> Any:
    if row.kind == "switch":
        if str(value) not in ("True", "False", "0", "1"):
            raise ValueError(f"{row.name}: {value!r}; true or false is wanted")
        return str(value) in ("True", "1")
    if row.kind == "size":
        return _size(row, value)
    if row.kind == "choice":
        if str(value) not in row.words:
            raise ValueError(f"{row.name}: {value!r}; one of {', '.join(row.words)} is wanted")
        return int(value) if row.name == "precision" else str(value)
    return _number(row, value)


def _size(row: Row, value: Any) -> Tuple[int, int]:
    least, most = SIDES_LIMITS
    sides = str(value).split("x")
    if len(sides) != 2 or not all(side.isascii() and side.isdigit() and len(side) <= 4 for side in sides):
        raise ValueError(f"{row.name}: {value!r}; WxH is wanted")
    width, height = int(sides[0]), int(sides[1])
    if not (least <= width <= most and least <= height <= most):
        raise ValueError(f"{row.name}: {width}x{height}; sides from {least} to {most} are allowed")
    return width, height


def _number(row: Row, value: Any) -> Any:
    try:
        number = float("nan") if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    is_whole = number == number and (row.kind == "real" or number.is_integer())
    if not is_whole or not row.least <= number <= row.most:
        kind = "number" if row.kind == "real" else "whole number"
        raise ValueError(f"{row.name}: {value!r}; a {kind} from {row.least:g} to {row.most:g} is wanted")
    return number if row.kind == "real" else int(number)
