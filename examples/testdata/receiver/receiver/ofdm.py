"""OFDM symbols of 256 samples: transforms, modulation, demodulation.

The grid is that of one synchronization signal block, 240 subcarriers; subcarrier 120 lies on the carrier frequency.
"""

import cmath

FFT_SIZE = 256
CYCLIC_PREFIX = 18  # 144 samples of a 2048-point symbol, scaled to 256 points
SYMBOL_SAMPLES = FFT_SIZE + CYCLIC_PREFIX
SUBCARRIERS = 240

_twiddles = {}


def fft(x):
    """Return the discrete Fourier transform of x, whose length must be a power of two."""
    n = len(x)
    if n == 0 or n & (n - 1):
        raise ValueError(f"length {n} is no power of two")
    if n == 1:
        return list(x)
    w = _twiddles.get(n)
    if w is None:
        w = _twiddles[n] = [cmath.exp(-2j * cmath.pi * k / n) for k in range(n // 2)]
    even, odd = fft(x[0::2]), fft(x[1::2])
    turned = [a * b for a, b in zip(w, odd)]
    return [a + b for a, b in zip(even, turned)] + [a - b for a, b in zip(even, turned)]


def ifft(x):
    """Return the inverse transform, scaled so that ifft(fft(x)) is x."""
    n = len(x)
    return [v.conjugate() / n for v in fft([complex(v).conjugate() for v in x])]


def modulate(symbol):
    """Turn 240 subcarrier values into the 256 samples of a symbol, without the cyclic prefix."""
    bins = [0j] * FFT_SIZE
    for k, value in enumerate(symbol):
        bins[(k - SUBCARRIERS // 2) % FFT_SIZE] = value
    return ifft(bins)


def with_prefix(samples):
    """Put the last samples of a symbol in front of it."""
    return samples[-CYCLIC_PREFIX:] + samples


def demodulate(samples):
    """Turn the 256 samples of a symbol back into 240 subcarrier values."""
    bins = fft(samples[:FFT_SIZE])
    return [bins[(k - SUBCARRIERS // 2) % FFT_SIZE] for k in range(SUBCARRIERS)]


def rotate(samples, cfo, start=0):
    """Shift samples in frequency by cfo subcarrier spacings; ``start`` is the index of the first sample."""
    step = 2j * cmath.pi * cfo / FFT_SIZE
    return [s * cmath.exp(step * (start + i)) for i, s in enumerate(samples)]
