"""picture.py IN.png OUT.pdf: a PDF whose only page is the image, without text, at 200 dots to the inch, written by cairo."""
import sys
import cairo

im = cairo.ImageSurface.create_from_png(sys.argv[1])
w, h = im.get_width() * .36, im.get_height() * .36
s = cairo.PDFSurface(sys.argv[2], w, h)
s.set_metadata(cairo.PDF_METADATA_CREATE_DATE, '2023-11-14T22:13:20Z')
c = cairo.Context(s)
c.scale(.36, .36)
c.set_source_surface(im)
c.paint()
s.finish()
