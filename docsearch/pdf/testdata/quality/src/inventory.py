"""fpdf2: a list with a table that has rules between its rows only, a box of text, and a subset of a TrueType font."""
import datetime, sys
from fpdf import FPDF

p = FPDF(format='A5')
p.set_creation_date(datetime.datetime(2023, 11, 14, 22, 13, 20, tzinfo=datetime.timezone.utc))
p.set_title('Inventory of the Boat Shed')
p.set_author('Lachlan Reyes')
p.add_page()
p.add_font('D', '', '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf')
p.set_font('Helvetica', 'B', 16)
p.cell(0, 10, 'Inventory of the Boat Shed', new_x='LMARGIN', new_y='NEXT')
p.set_font('D', '', 10)
p.multi_cell(0, 5, "Everything that floats is listed, and everything that is needed to make it float again. Oars are counted in pairs.", align='L')
p.ln(4)
rows = [('Item', 'Count', 'State'), ('Dinghy', '3', 'sound'), ('Oars', '7', 'worn'), ('Rope, 20 m', '4', 'new'), ('Tar, tin', '1', 'half full')]
for r in rows:
    for w, t in zip((50, 25, 35), r):
        p.cell(w, 7, t, border='B')
    p.ln()
p.ln(4)
p.multi_cell(0, 5, "The tin of tar is “temporarily” in the kitchen — ask there first.", align='L')
p.output(sys.argv[1])
