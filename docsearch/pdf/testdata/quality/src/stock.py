"""ReportLab: tables with spans and without lines, standard fonts that are not embedded."""
import sys
from reportlab.lib.pagesizes import A5
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.lib import colors
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table

styles = getSampleStyleSheet()
story = [
    Paragraph('Stock of the Seed Bank', styles['Title']),
    Paragraph('Accessions', styles['Heading1']),
    Paragraph("The bank holds seed of wild plants and of old kinds of grain. Each lot is weighed when it comes and germinated after five years.", styles['BodyText']),
    Spacer(1, 8),
    Table([['Kind', 'Lots', '', 'Mass (kg)'], ['', 'old', 'new', ''], ['Barley', '31', '4', '12.4'], ['Emmer', '12', '1', '3.9'], ['Vetch', '8', '6', '0.7']],
          style=[('GRID', (0, 0), (-1, -1), .5, colors.black), ('SPAN', (0, 0), (0, 1)), ('SPAN', (1, 0), (2, 0)), ('SPAN', (3, 0), (3, 1))]),
    Spacer(1, 8),
    Paragraph('Losses', styles['Heading1']),
    Paragraph("Two lots were lost when the cold room failed in the spring. Their duplicates are kept in another county.", styles['BodyText']),
    Spacer(1, 8),
    Table([['Lot', 'Kind', 'Lost', 'Duplicate'], ['1107', 'Emmer', '2 May', 'yes'], ['1182', 'Vetch', '2 May', 'yes'], ['1190', 'Barley', '9 May', 'no']]),
]
SimpleDocTemplate(sys.argv[1], pagesize=A5, title='Stock of the Seed Bank', author='Amadou Rinne', invariant=1, leftMargin=40, rightMargin=40).build(story)
