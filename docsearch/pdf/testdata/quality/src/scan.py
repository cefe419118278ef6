"""scan.py IN.png OUT.png: what a scanner makes of a page: turned by half a degree, specked, one bit for each pixel."""
import random, sys
from PIL import Image

random.seed(4)
im = Image.open(sys.argv[1]).convert('L').rotate(.5, fillcolor=255, resample=Image.BICUBIC)
px = im.load()
for _ in range(150):
    px[random.randrange(im.width), random.randrange(im.height)] = 0
im.point(lambda v: 0 if v < 150 else 255).convert('1', dither=Image.NONE).save(sys.argv[2], dpi=(200, 200))
