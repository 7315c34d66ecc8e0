# SPDX-License-Identifier: BSD-2-Clause
from typing import Any, Dict, List, Optional, Tuple

import numpy

__version__: str

Arrays = Tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]
Hint = Tuple[numpy.ndarray, numpy.ndarray, int, int]

def searches() -> Tuple[str, ...]: ...

class Estimator:
    def __init__(self, device: str, threads: int) -> None: ...
    def estimate(self, current: Any, reference: Any, params: Dict[str, Any], hint: Optional[Hint]) -> Arrays: ...
    def estimate_sizes(
        self,
        current: Any,
        reference: Any,
        params: Dict[str, Any],
        hint: Optional[Hint],
        blocks: List[Tuple[int, int]],
    ) -> List[Arrays]: ...
    def compensate(
        self, vectors: numpy.ndarray, reference: Any, block_width: int, block_height: int, interpolation: str
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
