"""Writes memo.docx: what an office writes in Word, with merged cells, bullets, a picture and its caption, for LibreOffice."""
from docx import Document
from docx.shared import Cm, Pt

d = Document()
d.core_properties.title = 'Store Rooms in Use'
d.core_properties.author = 'Petra Ohlsen'
d.styles['Normal'].font.name = 'Nimbus Sans'
d.styles['Normal'].font.size = Pt(10)
d.add_heading('Store Rooms in Use', 0)
d.add_paragraph('Petra Ohlsen, Keeper of Collections')
d.add_heading('Why we count', 1)
d.add_paragraph("Four rooms hold what the excavations brought home. Two of them are damp in winter, and the paper labels are the first to suffer.")
d.add_paragraph("Boxes stand three deep", style='List Bullet')
d.add_paragraph("Nobody knows what is behind", style='List Bullet')
d.add_heading('What we found', 1)
d.add_paragraph("The rooms were counted twice, in spring and in autumn.")
t = d.add_table(rows=5, cols=4)
t.style = 'Table Grid'
data = [['Room', 'Boxes', '', 'Damp'], ['', 'Spring', 'Autumn', ''], ['North', '412', '431', 'no'], ['South', '388', '390', 'yes'], ['Attic', '75', '61', 'yes']]
for i, row in enumerate(data):
    for j, text in enumerate(row):
        t.cell(i, j).text = text
t.cell(0, 1).merge(t.cell(0, 2)).text = 'Boxes'
t.cell(0, 0).merge(t.cell(1, 0)).text = 'Room'
t.cell(0, 3).merge(t.cell(1, 3)).text = 'Damp'
d.add_paragraph()
d.add_picture('strike.png', width=Cm(5))
d.add_paragraph('Figure 1: The hum of the fans in the attic, recorded in May.')
d.add_heading('What to do', 1)
d.add_paragraph("The attic should be emptied first. Its boxes are few, and its roof will be opened next summer.")
d.save('memo.docx')
