"""bare.py OUT.pdf: text in a composite font, Identity-H, without ToUnicode. Only the table cmap of the embedded font tells what it says."""
import sys
from fontTools import subset
import pymupdf

LINES = (
    "Names on the Milestones",
    "Every milestone between the two towns has lost its number, and three",
    "of them have gained the initials of a quarryman.",
    "Größe und Maß der Steine, Größe der Schrift: εἴκοσι, двадцать.",
)
o = subset.Options()
o.glyph_names, o.hinting, o.layout_features = False, False, []
f = subset.load_font('/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf', o)
s = subset.Subsetter(o)
s.populate(text=''.join(LINES))
s.subset(f)
f.save('bare.ttf')
d = pymupdf.open()
p = d.new_page(width=420, height=300)
p.insert_font(fontname='D', fontfile='bare.ttf')
for i, line in enumerate(LINES):
    p.insert_text((40, 60 + 24 * i), line, fontname='D', fontsize=16 if i == 0 else 10)
for x in range(1, d.xref_length()):
    if d.xref_get_key(x, 'ToUnicode')[0] != 'null':
        d.xref_set_key(x, 'ToUnicode', 'null')
d.save(sys.argv[1], garbage=4, deflate=True, no_new_id=True)
