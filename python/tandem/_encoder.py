# SPDX-License-Identifier: BSD-2-Clause
"""The encoder: pictures in, packets out."""

from __future__ import annotations

import fractions
import inspect
import math
import os
import warnings
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple, Union

from . import _motion
from ._arrays import Pair, pair, text
from ._picture import Picture, PictureLike, held_by, picture_of
from ._settings import Aspect, Rate, aspect_of, colour_code, help_of_settings, in_python_s_words, rate_of
from ._settings import texts_of, with_settings


class Packet(NamedTuple):
    """A coded picture with the headers before it. bytes(packet) is its data."""

    data: bytes
    type: str  #: "I", "P" or "B".
    quantiser: float  #: The picture's mean; of MPEG quantiser_scale_code, 1 to 31.
    pts: int  #: When it is shown, counted in pictures from 0,
    dts: int  #: and when it is decoded; -1 is before the first is shown.
    time: fractions.Fraction  #: pts in seconds.
    is_key: bool  #: Decoders can begin here.
    macroblocks: Dict[str, int]  #: How many are intra, forward, backward, both, skipped.
    mean_length: float  #: Of the macroblocks' vectors, in pels.
    squared_errors: Optional[Tuple[int, int, int]] = None  #: Of Y, Cb and Cr, where measure was asked for,
    samples: Optional[Tuple[int, int, int]] = None  #: over so many samples,
    ssim: Optional[float] = None  #: and SSIM of luma.
    reconstruction: Optional[Picture] = None  #: What decoders will show, where it was asked for.

    @property
    def psnr(self) -> Optional[Tuple[float, float, float]]:
        """Of Y, Cb and Cr in dB, where measure was asked for."""
        if self.squared_errors is None or self.samples is None:
            return None
        y, cb, cr = (psnr_of(error, count) for error, count in zip(self.squared_errors, self.samples))
        return y, cb, cr

    def __bytes__(self) -> bytes:
        return self.data


def psnr_of(squared_error: int, samples: int) -> float:
    """10 log10(255^2 / MSE), in dB; infinite without an error."""
    return 10 * math.log10(255**2 * samples / squared_error) if squared_error > 0 else math.inf


class Encoder:
    """Codes pictures as MPEG-1 or MPEG-2, as `tandem encode` does: the same pictures and settings give the same bytes.

        with tandem.Encoder(fps=25, preset="fast", crf=20) as encoder, open("clip.m2v", "wb") as file:
            for packet in encoder.encode(pictures):
                file.write(packet.data)

    encode() takes all pictures of a clip; push() and finish() take them one by one. Packets come in coding order, some
    pictures later than these were pushed, since types and rates are decided by looking ahead.

    size: (width, height) in luma samples, each 1 to 16384; None: that of the first picture. fps: pictures a second, 25
    or the file's where nothing is said; 29.97 is 30000/1001. sar: width of a sample by its height, as "12:11"; aspect:
    the same of the picture, as "16:9"; colorprim, transfer, colormatrix: names of the command's options, "bt709".
    device: "auto", "cpu", "gpu", "gpu:0", "cpu+gpu": where motion is searched and, on a GPU, pictures are coded.
    reconstruction: packets have what decoders will show. measure: packets have squared errors, PSNR and SSIM of that.

    Pictures are a tandem.Picture, rows x columns of uint8 (grey), or Y, Cb and Cr of 4:2:0 as three such arrays; luma
    from 16 to 235. RGB is refused: tandem.Picture.of_colour(array, full_range=False) converts it.

    Raises TypeError for a setting that there is not, ValueError for values that are not allowed or exclude each other,
    and for pictures that do not fit; RuntimeError where a device fails or a buffer underflows. One encoder serves one
    thread at a time; others run meanwhile.

    Settings have the names of the command's options, with _ for -; tandem.encode_settings() lists them:
    """

    def __init__(
        self,
        size: Optional[Pair] = None,
        fps: Optional[Rate] = None,
        *,
        sar: Optional[Aspect] = None,
        aspect: Optional[Aspect] = None,
        colorprim: Optional[str] = None,
        transfer: Optional[str] = None,
        colormatrix: Optional[str] = None,
        device: str = "auto",
        reconstruction: bool = False,
        measure: bool = False,
        **settings: Union[int, float, str, None],
    ) -> None:
        if sar is not None and aspect is not None:
            raise ValueError("sar and aspect say the same in two ways; one of them is enough")
        self._size = None if size is None else pair("size", size)
        self._rate = None if fps is None else rate_of(fps)
        self._sar = None if sar is None else aspect_of("sar", sar)
        self._aspect = None if aspect is None else aspect_of("aspect", aspect)
        named = {"colorprim": colorprim, "transfer": transfer, "colormatrix": colormatrix}
        self._colours = {option: colour_code(option, name) for option, name in named.items() if name is not None}
        self._device = text("device", device)
        self._reconstruction, self._measure = bool(reconstruction), bool(measure)
        with in_python_s_words():
            self._settings = _motion.EncodeSettings(texts_of(settings))
        self._coder: Optional[_motion.Encoder] = None
        self._tick = fractions.Fraction(1, 25) if self._rate is None else fractions.Fraction(*self._rate[::-1])
        self._is_closed = False
        if self._size is not None:
            self._open(self._size)

    def push(self, picture: PictureLike) -> List[Packet]:
        """Takes the next picture in the order in which they are shown; the packets that are ready, perhaps none."""
        of = picture_of("picture", picture)
        if self._coder is None and not self._is_closed:
            self._open(of.size)
        with in_python_s_words():
            self._open_coder().push(of._held)
        return self._take()

    def finish(self) -> List[Packet]:
        """Codes what is left: the packets of all pictures that have none yet. No picture can be pushed after it."""
        if self._coder is None and not self._is_closed:
            self._is_closed = True
            return []
        with in_python_s_words():
            self._open_coder().finish()
        packets = self._take()
        self.close()
        return packets

    def encode(self, clip: Union[str, os.PathLike, Iterable[PictureLike]]) -> Iterator[Packet]:
        """The packets of a clip: pictures in the order in which they are shown, or the name of a file of them.

        A file is .y4m, raw .yuv whose name tells its size, and where Tandem was built with FFmpeg whatever that opens.
        It brings its frame rate, aspect and colours where nothing else is said; pictures at uneven times become even.
        """
        pictures = self._pictures_of(clip)
        return self._packets_of(pictures)

    def close(self) -> None:
        """Lets its threads and pictures go; what is not finished is lost. A with statement does so."""
        self._coder = None
        self._is_closed = True

    @property
    def notes(self) -> List[str]:
        """What a user should know of the stream or of devices: none before the first picture or after close()."""
        return [] if self._coder is None else self._coder.notes()

    @property
    def tick(self) -> fractions.Fraction:
        """Seconds from one picture to the next: those that pts and dts count."""
        return self._tick

    def __enter__(self) -> Encoder:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _packets_of(self, pictures: Iterator[PictureLike]) -> Iterator[Packet]:
        for picture in pictures:
            yield from self.push(picture)
        yield from self.finish()

    def _pictures_of(self, clip: Union[str, os.PathLike, Iterable[PictureLike]]) -> Iterator[PictureLike]:
        if not isinstance(clip, (str, bytes, os.PathLike)):
            return iter(clip)
        name = os.fsencode(clip)
        if b"\0" not in name and b"%" not in name and name != b"-":
            os.stat(clip)
        opened = _motion.Clip(name, self._settings)
        if self._coder is None and not self._is_closed:
            self._open(None, opened.format())
        return _pictures_of_clip(opened)

    def _open(self, size: Optional[Pair], file: Optional[Tuple[Any, ...]] = None) -> None:
        """What the user said counts, then what the file says."""
        width, height, rate, sar, colours = file or (*(size or (0, 0)), (25, 1), (0, 1), (2, 2, 2))
        rate = self._rate or rate
        if self._sar is not None:
            sar = self._sar.numerator, self._sar.denominator
        elif self._aspect is not None:
            shape = self._aspect * height / width
            sar = shape.numerator, shape.denominator
        options = ("colorprim", "transfer", "colormatrix")
        codes = tuple(self._colours.get(option, code) for option, code in zip(options, colours))
        form = (width, height, rate, sar, codes)
        with in_python_s_words():
            self._coder = _motion.Encoder(self._settings, form, self._device, self._reconstruction, self._measure)
        self._tick = fractions.Fraction(rate[1], rate[0])
        for note in self._coder.notes():
            warnings.warn(note, stacklevel=4)

    def _open_coder(self) -> _motion.Encoder:
        if self._coder is None:
            raise ValueError("this encoder is closed")
        return self._coder

    def _take(self) -> List[Packet]:
        return [self._packet_of(told) for told in self._open_coder().take()]

    def _packet_of(self, told: Dict[str, Any]) -> Packet:
        held = told.pop("reconstruction", None)
        return Packet(
            **told, time=told["pts"] * self._tick, reconstruction=None if held is None else held_by(held)
        )


def _pictures_of_clip(clip: _motion.Clip) -> Iterator[Picture]:
    while (held := clip.read()) is not None:
        yield held_by(held)


Encoder.__signature__ = with_settings(inspect.signature(Encoder))  # type: ignore[attr-defined]
Encoder.__doc__ = f"{Encoder.__doc__}\n{help_of_settings()}\n"
for _public in (Encoder, Packet):
    _public.__module__ = "tandem"
