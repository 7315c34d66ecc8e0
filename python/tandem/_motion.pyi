# SPDX-License-Identifier: BSD-2-Clause
from typing import Any, Dict, List, Optional, Tuple, Union

import numpy

__version__: str

Arrays = Tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]
#: Vectors, distortions, width and height of a block.
Given = Tuple[numpy.ndarray, numpy.ndarray, int, int]

def searches() -> Tuple[str, ...]: ...

class Picture:
    def __init__(self, name: str, samples: Any) -> None: ...
    @property
    def size(self) -> Tuple[int, int]: ...
    @property
    def has_chroma(self) -> bool: ...
    def planes(self) -> Union[numpy.ndarray, Arrays]: ...

class Clip:
    def __init__(self, path: bytes) -> None: ...
    def read(self) -> Optional[Picture]: ...

class Ticket:
    def wait(self, seconds: Optional[float]) -> bool: ...
    def fields(self) -> List[Arrays]: ...
    def device(self) -> str: ...

class Estimator:
    def __init__(self, device: str, threads: int) -> None: ...
    def submit(
        self,
        current: Picture,
        reference: Picture,
        params: Dict[str, Any],
        hint: Optional[Given],
        start: Optional[Given],
        blocks: List[Tuple[int, int]],
        rows: Tuple[int, int],
    ) -> Ticket: ...
    def compensate(
        self, vectors: numpy.ndarray, reference: Picture, block_width: int, block_height: int, interpolation: str
    ) -> Any: ...

class FieldWriter:
    def __init__(self, path: bytes, metric: str) -> None: ...
    def write(
        self,
        vectors: numpy.ndarray,
        distortions: numpy.ndarray,
        costs: numpy.ndarray,
        picture: Tuple[int, int],
        block: Tuple[int, int],
        number: int,
        reference_offset: int,
    ) -> None: ...
    def finish(self) -> None: ...

class FieldReader:
    def __init__(self, path: bytes, picture: Tuple[int, int], block: Tuple[int, int]) -> None: ...
    def read(self) -> Optional[Tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray, int, int]]: ...
    @property
    def picture(self) -> Tuple[int, int]: ...
    @property
    def block(self) -> Tuple[int, int]: ...
