"""Draws strike.png: a spectrogram of a struck bell, grey on white, 160 by 120 pixels."""
import math, struct, sys, zlib

W, H = 160, 120
rows = b''
for y in range(H):
    row = bytearray([0])
    for x in range(W):
        v = 0.0
        for partial, (f, decay) in enumerate(((14, 90), (29, 70), (35, 60), (43, 40), (58, 30), (80, 20), (101, 12))):
            d = (H - 1 - y) - f
            v += math.exp(-d * d / 3) * math.exp(-x / decay)
        row.append(255 - min(255, int(v * 230) // 16 * 16))
    rows += bytes(row)


def chunk(kind, data): return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))


open(sys.argv[1], 'wb').write(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', W, H, 8, 0, 0, 0, 0))
                              + chunk(b'IDAT', zlib.compress(rows, 9)) + chunk(b'IEND', b''))
