"""The primary synchronization signal (PSS): generation and detection.

Generation follows FS 12.401 clause 4.2. Detection is the correlator of FS 12.401 clause 5.2: the received samples are
compared with three references, under several hypotheses of the carrier frequency offset, and the strongest peak counts
when it stands far enough above the noise floor.
"""

import cmath
from dataclasses import dataclass

from . import ofdm
from .sequences import LENGTH, bipolar, m_sequence

FIRST_SUBCARRIER = 56  # of 240; see FS 12.401 table 4.1-1
SHIFT = 43
INITIAL = (0, 1, 1, 0, 1, 1, 1)  # x(0) to x(6)

# Hypotheses of the carrier frequency offset, in subcarrier spacings. The correlation loses at most 0.2 dB halfway between
# two of them.
CFO_HYPOTHESES = (-0.5, -0.25, 0.0, 0.25, 0.5)

# A peak counts when its power is this many times the mean power of the correlation; see FS 12.401 clause 5.2.3.
THRESHOLD = 14.0


@dataclass(frozen=True)
class PssDetection:
    """Where a primary synchronization signal was found."""

    n_id_2: int  # which of the three sequences
    offset: int  # index of the first sample of the symbol, after its cyclic prefix
    cfo: float  # carrier frequency offset in subcarrier spacings, refined
    ratio: float  # power of the peak over the noise floor


def generate_pss(n_id_2):
    """Return the 127 values d(n) = 1 - 2 x(m), m = (n + 43 N_ID2) mod 127."""
    if n_id_2 not in (0, 1, 2):
        raise ValueError(f"N_ID2 is 0, 1 or 2, not {n_id_2}")
    x = bipolar(m_sequence((4, 0), INITIAL))
    return [x[(n + SHIFT * n_id_2) % LENGTH] for n in range(LENGTH)]


def reference_waveform(n_id_2):
    """Return the 256 samples of a symbol that carries the sequence and nothing else."""
    symbol = [0] * ofdm.SUBCARRIERS
    symbol[FIRST_SUBCARRIER : FIRST_SUBCARRIER + LENGTH] = generate_pss(n_id_2)
    return ofdm.modulate(symbol)


def correlate(spectrum, reference, lags):
    """Return the complex correlation of a signal, given by its spectrum, with a reference, for the first lags."""
    padded = reference + [0j] * (len(spectrum) - len(reference))
    product = [s * r.conjugate() for s, r in zip(spectrum, ofdm.fft(padded))]
    return ofdm.ifft(product)[:lags]


def noise_floor(powers):
    """Estimate the mean power of noise from the median, which a few strong peaks cannot move.

    The power of complex Gaussian noise is exponentially distributed, so the median is ln 2 times the mean.
    """
    ordered = sorted(powers)
    return ordered[len(ordered) // 2] / 0.6931471805599453


def detect_pss(samples, hypotheses=CFO_HYPOTHESES, threshold=THRESHOLD):
    """Find the strongest primary synchronization signal in samples.

    Returns a PssDetection, or None when no peak stands out by ``threshold``. See FS 12.401 clause 5.2 and, for the choice
    of the hypotheses, section 3 of "Detecting the NR Primary Synchronization Signal".
    """
    lags = len(samples) - ofdm.FFT_SIZE + 1
    if lags < 1:
        return None
    size = 1
    while size < len(samples):
        size *= 2
    spectrum = ofdm.fft(list(samples) + [0j] * (size - len(samples)))

    best = None
    for n_id_2 in range(3):
        reference = reference_waveform(n_id_2)
        for cfo in hypotheses:
            powers = [abs(c) ** 2 for c in correlate(spectrum, ofdm.rotate(reference, cfo), lags)]
            floor = noise_floor(powers)
            peak = max(range(lags), key=powers.__getitem__)
            ratio = powers[peak] / floor if floor > 0 else 0.0
            if best is None or ratio > best.ratio:
                best = PssDetection(n_id_2, peak, cfo, ratio)
    if best.ratio < threshold:
        return None
    return refine(samples, best)


def refine(samples, found):
    """Sharpen the frequency offset of a detection from the phase between the two halves of the symbol.

    The halves are half a symbol apart, so that one turn of phase stands for two subcarrier spacings; see FS 12.401
    clause 5.3.
    """
    half = ofdm.FFT_SIZE // 2
    reference = ofdm.rotate(reference_waveform(found.n_id_2), found.cfo)
    window = samples[found.offset : found.offset + ofdm.FFT_SIZE]
    first = sum(s * r.conjugate() for s, r in zip(window[:half], reference[:half]))
    second = sum(s * r.conjugate() for s, r in zip(window[half:], reference[half:]))
    residual = cmath.phase(second * first.conjugate()) / cmath.pi
    return PssDetection(found.n_id_2, found.offset, found.cfo + residual, found.ratio)
