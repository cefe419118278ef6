"""Writes spec.docx: a specification with numbered clauses, as standards bodies set them, for LibreOffice."""
from docx import Document
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Pt

d = Document()
d.core_properties.title = 'Relay Protocol; Radio link procedures'
d.core_properties.author = 'Working Group on Relays'
style = d.styles['Normal']
style.font.name = 'Nimbus Roman'
style.font.size = Pt(10)
for n in range(1, 5):
    d.styles[f'Heading {n}'].font.name = 'Nimbus Sans'
    d.styles[f'Heading {n}'].element.rPr.rFonts.set(qn('w:ascii'), 'Nimbus Sans')
    d.styles[f'Heading {n}'].element.rPr.rFonts.set(qn('w:hAnsi'), 'Nimbus Sans')
    d.styles[f'Heading {n}'].font.size = Pt(18 - 2 * n)
d.sections[0].header.paragraphs[0].text = 'Version 3.1.0\t2\tFS 44.331'
d.sections[0].footer.paragraphs[0].text = 'Working Group on Relays'


def para(text): d.add_paragraph(text)


def table(caption, rows, shade=True):
    p = d.add_paragraph()
    p.alignment = WD_ALIGN_PARAGRAPH.CENTER
    p.paragraph_format.keep_with_next = True
    p.add_run(caption).bold = True
    t = d.add_table(rows=len(rows), cols=len(rows[0]))
    t.style = 'Table Grid'
    for i, row in enumerate(rows):
        for j, text in enumerate(row):
            t.cell(i, j).text = text
            if i == 0 and shade:
                s = OxmlElement('w:shd')
                s.set(qn('w:val'), 'clear')
                s.set(qn('w:fill'), 'D9D9D9')
                t.cell(i, j)._tc.get_or_add_tcPr().append(s)


d.add_heading('1\tScope', 1)
para("The present document specifies how a relay sets up, keeps and gives up its radio link to a base station.")
d.add_heading('2\tReferences', 1)
para("[1]\tFS 44.300: Relay Protocol; Overall description.")
para("[2]\tFS 44.321: Relay Protocol; Medium access.")
d.add_heading('5\tProcedures', 1)
d.add_heading('5.1\tGeneral', 2)
para("Every procedure of this clause is started by a message, guarded by a timer, and ended by an answer or by the expiry of the timer.")
d.add_heading('5.3\tLink control', 2)
d.add_heading('5.3.5\tReconfiguration', 3)
d.add_heading('5.3.5.1\tGeneral', 4)
para("The purpose of this procedure is to change the parameters of a link that is already there.")
d.add_heading('5.3.5.2\tInitiation', 4)
para("The station may start the procedure at any time after security has been activated.")
d.add_heading('5.3.5.3\tReception of a LinkReconfiguration by the relay', 4)
para("Upon reception of a LinkReconfiguration message, the relay shall:")
para("1>\tif the message includes the field masterGroup:")
para("2>\tperform the group configuration as specified in 5.3.5.5;")
para("1>\tsubmit the LinkReconfigurationComplete message to lower layers;")
para("NOTE:\tThe relay may delay the answer until the timer T304 has been stopped.")
d.add_page_break()
d.add_heading('5.3.5.4\tTimers', 4)
para("The timers of Table 5.3.5.4-1 are kept by the relay.")
table('Table 5.3.5.4-1: Timers of the relay', [
    ['Timer', 'Start', 'Stop', 'At expiry'],
    ['T300', 'Request sent', 'Answer received', 'Inform upper layers'],
    ['T301', 'Search begun', 'Cell found', 'Go to idle'],
    ['T304', 'Order to move', 'Access done', 'Restore the old link'],
    ['T310', 'Link lost', 'Link regained', 'Start the search'],
])
d.add_heading('6\tMessages', 1)
d.add_heading('6.2\tMessage contents', 2)
para("Each field has the meaning given in Table 6.2-1, and a field that is not known is ignored.")
table('Table 6.2-1: Fields', [
    ['Field', 'Bits', 'Meaning'],
    ['id', '5', 'identity of the message'],
    ['group', '12', 'cells in order of use'],
    ['hold', '3', 'seconds to wait'],
], shade=False)
d.save('spec.docx')
