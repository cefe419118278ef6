"""Cell search: the procedure of FS 12.401 clause 5, from samples to a physical cell identity."""

from dataclasses import dataclass

from . import ofdm, pss
from .sequences import LENGTH
from .sss import FIRST_SUBCARRIER, detect_sss

# The weakest correlation with a secondary sequence that is believed; see FS 12.401 clause 5.4.
SSS_THRESHOLD = 0.25


@dataclass(frozen=True)
class SearchResult:
    """A cell, where its block starts, and how far it was off in frequency."""

    cell_id: int
    offset: int
    cfo: float
    ratio: float
    sss_metric: float


class CellSearcher:
    """Finds the strongest cell in a buffer of samples."""

    def __init__(self, threshold=pss.THRESHOLD, hypotheses=pss.CFO_HYPOTHESES):
        self.threshold = threshold
        self.hypotheses = hypotheses

    def search(self, samples):
        """Return a SearchResult, or None when no cell was found."""
        found = pss.detect_pss(samples, self.hypotheses, self.threshold)
        if found is None:
            return None
        return self.identify(samples, found)

    def identify(self, samples, found):
        """Read the secondary synchronization signal that belongs to a detected primary one."""
        end = found.offset + 2 * ofdm.SYMBOL_SAMPLES + ofdm.FFT_SIZE
        if end > len(samples):
            return None  # the buffer ends before the third symbol of the block
        block = ofdm.rotate(samples[found.offset : end], -found.cfo)
        n_id_1, metric = detect_sss(self.equalize(block, found.n_id_2), found.n_id_2)
        if metric < SSS_THRESHOLD:
            return None
        cell_id = 3 * n_id_1 + found.n_id_2
        return SearchResult(cell_id, found.offset, found.cfo, found.ratio, metric)

    def equalize(self, block, n_id_2):
        """Return the 127 values of the secondary signal with the channel removed, as the primary signal shows it."""
        first = ofdm.demodulate(block)[FIRST_SUBCARRIER:][:LENGTH]
        third = ofdm.demodulate(block[2 * ofdm.SYMBOL_SAMPLES :])[FIRST_SUBCARRIER:][:LENGTH]
        channel = smooth([v * d for v, d in zip(first, pss.generate_pss(n_id_2))])
        return [v * h.conjugate() for v, h in zip(third, channel)]


class TrackingSearcher(CellSearcher):
    """Looks again for a cell that is known already: one frequency hypothesis, a short window around the old place."""

    def __init__(self, last, margin=32, **options):
        super().__init__(hypotheses=(last.cfo,), **options)
        self.last = last
        self.margin = margin

    def search(self, samples):
        start = max(0, self.last.offset - self.margin)
        end = self.last.offset + self.margin + 3 * ofdm.SYMBOL_SAMPLES
        result = super().search(samples[start:end])
        if result is None:
            return None
        return SearchResult(result.cell_id, start + result.offset, result.cfo, result.ratio, result.sss_metric)


def smooth(values, width=9):
    """Return the moving average over ``width`` neighbours, fewer at the edges."""
    half = width // 2
    out = []
    for i in range(len(values)):
        near = values[max(0, i - half) : i + half + 1]
        out.append(sum(near) / len(near))
    return out
