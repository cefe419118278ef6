"""Cell search for a 5G NR downlink: from samples to a physical cell identity.

The order of the steps is that of FS 12.401 clause 5: find the primary synchronization signal, estimate the carrier
frequency offset, read the secondary synchronization signal, combine both numbers into the cell identity.
"""

from .cell_search import CellSearcher, SearchResult
from .channel import Channel
from .pss import detect_pss, generate_pss
from .sss import detect_sss, generate_sss

__all__ = [
    "CellSearcher",
    "Channel",
    "SearchResult",
    "detect_pss",
    "detect_sss",
    "generate_pss",
    "generate_sss",
]
