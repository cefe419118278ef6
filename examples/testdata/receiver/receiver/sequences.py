"""Maximum-length sequences of length 127, the material of both synchronization signals."""

LENGTH = 127


def m_sequence(taps, initial):
    """Return the 127 bits of the recurrence x(i+7) = (sum of x(i+t) for t in taps) mod 2.

    ``initial`` holds x(0) to x(6), in this order; see FS 12.401 clause 4.2.
    """
    x = list(initial)
    if len(x) != 7 or not any(x):
        raise ValueError("an m-sequence of length 127 starts from seven bits that are not all zero")
    for i in range(LENGTH - 7):
        x.append(sum(x[i + t] for t in taps) % 2)
    return x


def bipolar(bits):
    """Map 0 to +1 and 1 to -1."""
    return [1 - 2 * b for b in bits]


def cyclic_correlation(a, b):
    """Return the periodic correlation of two real sequences of the same length, one value for each shift."""
    n = len(a)
    return [sum(a[i] * b[(i + shift) % n] for i in range(n)) for shift in range(n)]
