"""Writes documents with python-docx, python-pptx, openpyxl and XlsxWriter; see make.sh."""

import datetime
import io
import re
import sys

import docx
import openpyxl
import pptx
import xlsxwriter
from docx.enum.text import WD_BREAK
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from openpyxl.comments import Comment
from PIL import Image
from pptx.chart.data import CategoryChartData, XyChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

DATE = datetime.datetime(2026, 11, 2, 10, 0, 0)


def picture():
    f = io.BytesIO()
    Image.new("RGB", (60, 20), (200, 30, 30)).save(f, "PNG")
    return f.getvalue()


def element(xml):
    return parse_xml(re.sub(r"^<(w:\w+)", rf"<\1 {nsdecls('w')}", xml))


def properties(d, title, author):
    p = d.core_properties
    p.title, p.author, p.created, p.modified, p.keywords = title, author, DATE, DATE, "test"


def contract(out):
    """Clauses numbered through styles, lists that restart, spans, tables in tables, marks of changes, comments."""
    d = docx.Document()
    properties(d, "A contract", "Ada Example; Ben Sample")
    numbering = d.part.numbering_part.element

    def abstract(id, levels):
        body = "".join(
            f'<w:lvl w:ilvl="{i}"><w:start w:val="{start}"/><w:numFmt w:val="{fmt}"/>{extra}<w:lvlText w:val="{text}"/></w:lvl>'
            for i, (start, fmt, text, extra) in enumerate(levels)
        )
        numbering.insert(0, element(f'<w:abstractNum w:abstractNumId="{id}"><w:multiLevelType w:val="multilevel"/>{body}</w:abstractNum>'))

    def num(id, abstract, override=""):
        numbering.append(element(f'<w:num w:numId="{id}"><w:abstractNumId w:val="{abstract}"/>{override}</w:num>'))

    abstract(91, [
        (1, "upperRoman", "Article %1", '<w:pStyle w:val="Heading1"/>'),
        (1, "decimal", "%1.%2", '<w:isLgl/><w:pStyle w:val="Heading2"/>'),
        (1, "lowerLetter", "(%3)", ""),
    ])
    num(91, 91)
    abstract(92, [(1, "decimal", "%1.", ""), (1, "lowerLetter", "%2)", ""), (1, "lowerRoman", "%3.", "")])
    num(92, 92)
    num(93, 92, '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>')
    num(94, 92, '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride>')
    for style, level in (("Heading 1", 0), ("Heading 2", 1)):
        d.styles[style].element.get_or_add_pPr().append(
            element(f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="91"/></w:numPr>'))

    def item(text, id, level=0):
        p = d.add_paragraph(text)
        p._p.get_or_add_pPr().append(element(f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{id}"/></w:numPr>'))
        return p

    d.add_paragraph("A contract", style="Title")
    d.add_heading("Parties", 1)
    d.add_heading("The buyer", 2)
    item("pays in time,", 91, 2)
    item("says when something is wrong.", 91, 2)
    d.add_heading("The seller", 2)
    item("delivers.", 91, 2)
    d.add_heading("Terms", 1)
    d.add_heading("Payment", 2)
    item("one", 92)
    item("two", 92)
    item("two a", 92, 1)
    item("two b", 92, 1)
    item("three", 92)
    d.add_paragraph("A list that starts again at one, and one at seven:")
    item("one", 93)
    item("one a", 93, 1)
    item("two", 93)
    item("seven", 94)
    item("eight", 94)

    t = d.add_table(rows=4, cols=4)
    for r in range(4):
        for c in range(4):
            t.cell(r, c).text = f"r{r}c{c}"
    t.cell(0, 0).merge(t.cell(0, 1)).text = "wide"
    t.cell(1, 0).merge(t.cell(2, 0)).text = "high"
    t.cell(2, 2).merge(t.cell(3, 3)).text = "block"
    inner = t.cell(1, 3).add_table(rows=2, cols=2)
    inner.cell(0, 0).text, inner.cell(0, 1).text, inner.cell(1, 0).text, inner.cell(1, 1).text = "in", "ner", "ta", "ble"

    p = d.add_paragraph("The price is ")
    p._p.append(element('<w:del w:id="1" w:author="Ben"><w:r><w:delText>100</w:delText></w:r></w:del>'))
    p._p.append(element('<w:ins w:id="2" w:author="Ben"><w:r><w:t>120</w:t></w:r></w:ins>'))
    p.add_run(" coins.")
    gone = d.add_paragraph("This is ")
    gone._p.get_or_add_pPr().append(element('<w:rPr><w:del w:id="3" w:author="Ben"/></w:rPr>'))
    d.add_paragraph("one sentence, since the end of its first paragraph was deleted.")
    p = d.add_paragraph()
    p._p.append(element('<w:moveFrom w:id="4" w:author="Ben"><w:r><w:t>Moved text.</w:t></w:r></w:moveFrom>'))
    p = d.add_paragraph("Here comes: ")
    p._p.append(element('<w:moveTo w:id="5" w:author="Ben"><w:r><w:t>Moved text.</w:t></w:r></w:moveTo>'))
    row = t.add_row()
    for c in row.cells:
        c.text = "deleted row"
    row._tr.get_or_add_trPr().append(element('<w:del w:id="6" w:author="Ben"/>'))

    p = d.add_paragraph("The seller may ")
    r = p.add_run("withdraw")
    p.add_run(" within a week.")
    d.add_comment(r, text="From what day on?", author="Cleo Probe")
    d.save(out + "/contract.docx")


def fields(out):
    """Fields, symbols, hyphens, hidden text, text boxes, pictures with captions, breaks of pages and sections."""
    d = docx.Document()
    properties(d, "", "Dan Field")
    d.add_paragraph("Fields and signs", style="Title")
    d.sections[0].header.paragraphs[0].text = "A header that is not read"
    d.sections[0].footer.paragraphs[0].text = "A footer that is not read"

    def field(p, code, result):
        p.add_run()._r.append(element('<w:fldChar w:fldCharType="begin"/>'))
        p.add_run()._r.append(element(f'<w:instrText xml:space="preserve"> {code} </w:instrText>'))
        p.add_run()._r.append(element('<w:fldChar w:fldCharType="separate"/>'))
        p.add_run(result)
        p.add_run()._r.append(element('<w:fldChar w:fldCharType="end"/>'))

    d.add_heading("Fields", 1)
    p = d.add_paragraph("See page ")
    field(p, "PAGEREF _Ref1", "17")
    p.add_run(" and ")
    p._p.append(element('<w:fldSimple w:instr="REF x"><w:r><w:t>clause 4</w:t></w:r></w:fldSimple>'))
    p.add_run(".")
    p = d.add_paragraph("Nested: ")
    p.add_run()._r.append(element('<w:fldChar w:fldCharType="begin"/>'))
    p.add_run()._r.append(element("<w:instrText> IF </w:instrText>"))
    field(p, "PAGE", "1")
    p.add_run()._r.append(element("<w:instrText> = 1 yes no </w:instrText>"))
    p.add_run()._r.append(element('<w:fldChar w:fldCharType="separate"/>'))
    p.add_run("yes")
    p.add_run()._r.append(element('<w:fldChar w:fldCharType="end"/>'))
    p = d.add_paragraph("Box: ")
    p.add_run()._r.append(element('<w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="1"/></w:checkBox></w:ffData></w:fldChar>'))
    p.add_run()._r.append(element("<w:instrText> FORMCHECKBOX </w:instrText>"))
    p.add_run()._r.append(element('<w:fldChar w:fldCharType="end"/>'))
    p.add_run(" ticked")

    d.add_heading("Signs", 1)
    p = d.add_paragraph("Symbols: ")
    for font, char in (("Symbol", "F061"), ("Symbol", "F0A3"), ("Wingdings", "F0FC"), ("Wingdings", "F0E0"), ("Other Font", "F055")):
        p.add_run()._r.append(element(f'<w:sym w:font="{font}" w:char="{char}"/>'))
    p = d.add_paragraph("Hyphens: co")
    r = p.add_run()
    r._r.append(element("<w:noBreakHyphen/>"))
    p.add_run("operate, syn")
    p.add_run()._r.append(element("<w:softHyphen/>"))
    p.add_run("chronize")
    p = d.add_paragraph("Seen")
    hidden = p.add_run(" and hidden")
    hidden.font.hidden = True
    p.add_run(" and seen.")
    p = d.add_paragraph("Line one")
    p.add_run().add_break()
    p.add_run("line two\tafter a tab")

    d.add_picture(io.BytesIO(picture()), width=Inches(1))
    pr = d.paragraphs[-1]._p.xpath(".//wp:docPr")[0]
    pr.set("descr", "A red bar")
    cap = d.add_paragraph("Figure ", style="Caption")
    field(cap, "SEQ Figure \\* ARABIC", "1")
    cap.add_run(": a bar, in red")

    p = d.add_paragraph("Beside a box.")
    p.add_run()._r.append(parse_xml(
        '<w:pict %s xmlns:v="urn:schemas-microsoft-com:vml"><v:shape><v:textbox><w:txbxContent><w:p><w:r><w:t>Text in a box</w:t></w:r></w:p>'
        "</w:txbxContent></v:textbox></v:shape></w:pict>" % nsdecls("w")))
    d.add_paragraph("Before the break.").add_run().add_break(WD_BREAK.PAGE)
    d.add_paragraph("On the second page.")
    d.add_section()
    d.add_heading("On the third page", 1)
    p = d.add_paragraph("The program that wrote this ")
    r = p.add_run()
    r._r.append(element("<w:lastRenderedPageBreak/>"))
    p.add_run("ended the page within the sentence.")
    cap = d.add_paragraph("Table ", style="Caption")
    field(cap, "SEQ Table \\* ARABIC", "1")
    cap.add_run(": over two pages")
    t = d.add_table(rows=3, cols=2)
    for r in range(3):
        for c in range(2):
            t.cell(r, c).text = f"row {r} column {c}"
    t.cell(2, 0).paragraphs[0].runs[0]._r.insert(0, element("<w:lastRenderedPageBreak/>"))
    d.add_paragraph("After the table.")
    d.save(out + "/fields.docx")


def talk(out):
    p = pptx.Presentation()
    properties(p, "A talk", "Ada Example")
    s = p.slides.add_slide(p.slide_layouts[0])
    s.shapes.title.text, s.placeholders[1].text = "A talk", "given in November"
    s = p.slides.add_slide(p.slide_layouts[1])
    s.shapes.title.text = "Points"
    body = s.placeholders[1].text_frame
    body.text = "first"
    for text, level in (("below it", 1), ("deeper", 2), ("second", 0)):
        q = body.add_paragraph()
        q.text, q.level = text, level
    s.notes_slide.notes_text_frame.text = "Explain the first point well."
    s = p.slides.add_slide(p.slide_layouts[5])
    s.shapes.title.text = "A table"
    t = s.shapes.add_table(3, 3, Inches(1), Inches(2), Inches(6), Inches(2)).table
    for r in range(3):
        for c in range(3):
            t.cell(r, c).text = f"r{r}c{c}"
    t.cell(0, 0).merge(t.cell(0, 1))
    t.cell(1, 2).merge(t.cell(2, 2))
    s = p.slides.add_slide(p.slide_layouts[5])
    s.shapes.title.text = "Charts"
    data = CategoryChartData()
    data.categories = ["spring", "summer"]
    data.add_series("north", (1.5, 2.25))
    data.add_series("south", (3, 4))
    chart = s.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(2), Inches(4), Inches(3), data).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "Rain by season"
    xy = XyChartData()
    for name, points in (("a", ((1, 2), (3, 4))), ("b", ((5, 6),))):
        x = xy.add_series(name)
        for point in points:
            x.add_data_point(*point)
    s.shapes.add_chart(XL_CHART_TYPE.XY_SCATTER, Inches(5), Inches(2), Inches(4), Inches(3), xy)
    s = p.slides.add_slide(p.slide_layouts[6])
    s._element.set("show", "0")
    box = s.shapes.add_textbox(Inches(1), Inches(1), Inches(3), Inches(1)).text_frame
    box.text = "A slide that is hidden, without a title"
    pic = s.shapes.add_picture(io.BytesIO(picture()), Inches(1), Inches(3))
    pic._element.nvPicPr.cNvPr.set("descr", "A red bar on a slide")
    group = s.shapes.add_group_shape()
    group.shapes.add_textbox(Inches(1), Inches(4), Inches(3), Inches(1)).text_frame.text = "in a group"
    p.save(out + "/talk.pptx")


def lists(out):
    p = pptx.Presentation()
    properties(p, "", "Ben Sample")
    s = p.slides.add_slide(p.slide_layouts[1])
    s.shapes.title.text = "Numbered"
    body = s.placeholders[1].text_frame
    for i, (text, level, props) in enumerate((
        ("one", 0, '<a:buAutoNum type="arabicPeriod"/>'), ("two", 0, '<a:buAutoNum type="arabicPeriod"/>'),
        ("a", 1, '<a:buAutoNum type="alphaLcParenR"/>'), ("b", 1, '<a:buAutoNum type="alphaLcParenR"/>'),
        ("three", 0, '<a:buAutoNum type="arabicPeriod"/>'), ("five", 0, '<a:buAutoNum type="romanUcPeriod" startAt="5"/>'), ("plain", 0, "<a:buNone/>"),
    )):
        q = body.paragraphs[0] if i == 0 else body.add_paragraph()
        q.text, q.level = text, level
        q._p.get_or_add_pPr().append(parse_xml(props.replace("/>", ' xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"/>')))
    s = p.slides.add_slide(p.slide_layouts[3])
    s.shapes.title.text = "Two columns"
    s.placeholders[1].text, s.placeholders[2].text = "left", "right"
    p.save(out + "/lists.pptx")


def formats(out):
    w = xlsxwriter.Workbook(out + "/formats.xlsx")
    w.set_properties({"title": "Formats", "author": "Ada Example", "created": DATE})
    s = w.add_worksheet("Numbers")
    s.write_row(0, 0, ["value", "code", "shown"])
    for i, (value, code) in enumerate((
        (1234.5, "#,##0.00"), (-1234.5, "#,##0;[Red](#,##0)"), (0.256, "0%"), (0.12345, "0.0%"), (12345678, "0.00E+00"), (46328, "yyyy-mm-dd"), (46328.75, 'd mmmm yyyy h:mm AM/PM'),
        (1.5, "[h]:mm"), (0.5, "hh:mm:ss"), (5.25, "# ?/?"), (1234567, '#,##0.0,,"M"'), (42, '"No. "0000'), (1234.567, "[$€-407] #,##0.00"), (0.1 + 0.2, "General"),
        (5551234567, "(000) 000-0000"), (0, '0;-0;"none"'), (1e-7, "0.###"), (61, "yyyy-mm-dd"), (59, "yyyy-mm-dd"), (0.0000000001, "General"),
    )):
        s.write_number(i + 1, 0, value, w.add_format({"num_format": code}))
        s.write_string(i + 1, 1, code)
    s.write_formula("E2", "=A2*2", None, 2469)
    s.write_boolean("E3", True)
    s.write_comment("A2", "Is this right?", {"author": "Ben Sample"})
    s = w.add_worksheet("Layout")
    s.merge_range("A1:D1", "Rain in 2026")
    s.write_row("A2", ["Place", "Spring", "Summer", "Sum"])
    s.write_row("A3", ["north", 1, 2, 3])
    s.write_row("A4", ["south", 4, 5, 9])
    s.merge_range("A5:A6", "west")
    s.write_row("B5", [1, 1, 2])
    s.write_row("B6", [2, 2, 4])
    s.write("A8", "A remark below the table.")
    s.write_row("G2", ["Key", "Meaning"])
    s.write_row("G3", ["n", "north"])
    s.write_row("G4", ["s", "south"])
    s.write_row("A10", ["Second", "table"])
    s.write_row("A11", ["x", "y"])
    chart = w.add_chart({"type": "column"})
    chart.add_series({"values": "=Layout!$B$3:$B$4"})
    chart.set_title({"name": "Rain by place"})
    s.insert_chart("J2", chart)
    s.insert_textbox("J20", "A box over the cells")
    h = w.add_worksheet("Secret")
    h.write("A1", "hidden")
    h.hide()
    w.add_worksheet("Empty")
    w.close()


def books(out):
    b = openpyxl.Workbook()
    b.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
    b.properties.title, b.properties.creator = "Dates from 1904", "Cleo Probe"
    b.properties.created = b.properties.modified = DATE
    s = b.active
    s.title = "Days"
    s.append(["day", "what", "count"])
    s.append([datetime.date(2026, 11, 2), "start", 3])
    s.append([datetime.date(2026, 11, 9), "end", 4])
    s["C4"] = "=SUM(C2:C3)"
    s["A2"].comment = Comment("Cleo Probe:\nA Monday", "Cleo Probe")
    b.save(out + "/days.xlsx")

    w = xlsxwriter.Workbook(out + "/inline.xlsx", {"constant_memory": True})
    w.set_properties({"created": DATE})
    s = w.add_worksheet("Strings in place")
    for r in range(50):
        s.write_row(r, 0, ["name" if r == 0 else f"name {r}", "value" if r == 0 else r])
    w.close()


if __name__ == "__main__":
    if sys.argv[1] == "--picture":
        open(sys.argv[2], "wb").write(picture())
    else:
        for make in (contract, fields, talk, lists, formats, books):
            make(sys.argv[1])
