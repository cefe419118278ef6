"""Draws figure 1 of sync-raster.html: PYTHONPATH=../receiver python3 correlation.py correlation.png

The picture is written without a drawing library: a grey image, compressed with zlib into a PNG file.
"""

import random
import struct
import sys
import zlib

from receiver import ofdm, pss, ssb
from receiver.channel import Channel

WIDTH, HEIGHT, MARGIN = 900, 420, 20
BLACK, GREY, WHITE = 0, 150, 255


def powers():
    """Return the correlation power of each lag over the noise floor."""
    waveform = ssb.build_waveform(500, random.Random(1))
    samples = Channel(0, 0.0, seed=1).apply(waveform, 600, 2048)
    spectrum = ofdm.fft(samples)
    values = [abs(c) ** 2 for c in pss.correlate(spectrum, pss.reference_waveform(2), 2048 - 255)]
    floor = pss.noise_floor(values)
    return [v / floor for v in values]


def draw(values):
    """Return the rows of the picture."""
    rows = [bytearray([WHITE]) * WIDTH for _ in range(HEIGHT)]
    top = max(values) * 1.05
    base = HEIGHT - MARGIN

    def y(value):
        return base - int(value / top * (HEIGHT - 2 * MARGIN))

    limit = y(pss.THRESHOLD)
    for x in range(MARGIN, WIDTH - MARGIN):
        if x // 8 % 2 == 0:
            rows[limit][x] = rows[limit + 1][x] = GREY
    last = base
    for i, value in enumerate(values):
        x = MARGIN + 2 + i * (WIDTH - 2 * MARGIN - 4) // len(values)
        here = y(value)
        for yy in range(min(last, here), max(last, here) + 1):
            rows[yy][x] = BLACK
        last = here
    for x in range(MARGIN, WIDTH - MARGIN):
        rows[base][x] = rows[base + 1][x] = BLACK
    for yy in range(MARGIN, base):
        rows[yy][MARGIN] = rows[yy][MARGIN + 1] = BLACK
    return rows


def png(rows):
    """Return the bytes of a PNG file of 8-bit grey pixels."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 0, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


with open(sys.argv[1], "wb") as out:
    out.write(png(draw(powers())))
