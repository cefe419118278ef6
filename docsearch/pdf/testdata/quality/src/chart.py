"""cairo: a plot with axis labels, a legend and a caption, which is no table; text turned by ninety degrees; and a page of text."""
import math, sys
import cairo

W, H = 420, 595
s = cairo.PDFSurface(sys.argv[1], W, H)
s.set_metadata(cairo.PDF_METADATA_TITLE, 'Salt in the Upper Estuary')
s.set_metadata(cairo.PDF_METADATA_AUTHOR, 'Ilse Tamm')
s.set_metadata(cairo.PDF_METADATA_CREATE_DATE, '2023-11-14T22:13:20Z')
c = cairo.Context(s)


def text(x, y, t, size=10, bold=False, turn=0):
    c.select_font_face('DejaVu Serif', cairo.FONT_SLANT_NORMAL, cairo.FONT_WEIGHT_BOLD if bold else cairo.FONT_WEIGHT_NORMAL)
    c.set_font_size(size)
    c.save()
    c.move_to(x, y)
    c.rotate(turn)
    c.show_text(t)
    c.restore()


text(50, 60, 'Salt in the Upper Estuary', 18, True)
text(50, 80, 'Ilse Tamm')
for i, line in enumerate((
    "Salt comes up the estuary with every spring tide and is washed out",
    "again by the river. How far it comes depends on the rain of the month",
    "before, and much less on the height of the tide itself.",
)):
    text(50, 104 + 14 * i, line)
c.rectangle(90, 160, 260, 180)
c.stroke()
for i in range(6):
    text(68, 343 - 36 * i, str(5 * i), 8)
    text(88 + 50 * i, 354, str(10 * i), 8)
c.move_to(90, 330)
for i in range(1, 53):
    c.line_to(90 + 5 * i, 330 - 120 * math.exp(-((i - 26) / 11) ** 2))
c.stroke()
text(160, 370, 'Distance (km)', 9)
text(58, 290, 'Salinity (g/kg)', 9, turn=-math.pi / 2)
text(270, 176, 'spring tide', 8)
text(50, 396, 'Figure 1: Salinity along the river at high water.')
text(50, 424, 'The sea wins in August. In all other months the river does.')
c.show_page()
text(50, 60, '1 Method', 13, True)
text(50, 82, 'A bottle on a rope was lowered from each of the bridges.')
text(50, 112, '2 Outlook', 13, True)
text(50, 134, 'A fixed probe would tell more than thirty bottles do.')
s.finish()
