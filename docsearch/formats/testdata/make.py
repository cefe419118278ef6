"""Makes notebooks with nbformat and a book with ebooklib, of text that stands here."""
import nbformat
from nbformat import v3, v4
from ebooklib import epub

nb = v4.new_notebook(metadata={"language_info": {"name": "python"}, "authors": [{"name": "Mara Lind"}]})
nb.cells = [
    v4.new_markdown_cell("# Tides\n\nHeights in *metres*, see [the table](#t).\n\n- high\n- low\n\n$$h = h_0 \\cos(\\omega t)$$\n\n| port | height |\n|---|---|\n| Bremen | 4.1 |"),
    v4.new_code_cell("import math\nprint(math.cos(0))", execution_count=7, outputs=[v4.new_output("stream", name="stdout", text="10%\r100%\n1.0\n")]),
    v4.new_code_cell("1/0", outputs=[v4.new_output("error", ename="ZeroDivisionError", evalue="\x1b[31mdivision\x1b[0m by zero", traceback=["\x1b[0;31mTraceback\x1b[0m"])]),
    v4.new_code_cell("plot()", outputs=[v4.new_output("display_data", {"image/png": "aGVsbG8=", "text/plain": "<Figure size 640x480>"})]),
    v4.new_code_cell("frame", outputs=[v4.new_output("execute_result", {"text/html": "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>", "text/plain": "   a  b\n0  1  2"})]),
    v4.new_raw_cell("raw text"),
]
nbformat.write(nb, "../notebook/testdata/tides.ipynb")
old = v3.new_notebook(worksheets=[v3.new_worksheet(cells=[
    v3.new_heading_cell("An older notebook", level=2), v3.new_text_cell("markdown", source="Cells of *format 3*."),
    v3.new_code_cell(input="2+2", prompt_number=3, outputs=[v3.new_output("pyout", output_text="4", prompt_number=3)]),
])])
with open("../notebook/testdata/older.ipynb", "w") as f:
    f.write(v3.writes_json(old))

book = epub.EpubBook()
book.set_identifier("findspot-sample")
book.set_title("Two Harbours")
book.set_language("en")
book.add_author("Mara Lind")
book.add_metadata("DC", "date", "2023-11-05")
book.add_metadata("DC", "subject", "harbours")
chapters = []
for n, (title, body) in enumerate([("The North", "<h1>The North</h1><p>Ships wait for the tide.</p><ul><li>pilots</li><li>tugs</li></ul>"), ("The South", "<p>No heading here, but a title in the contents.</p><table><tr><th>berth</th><th>depth</th></tr><tr><td>one</td><td>9 m</td></tr></table>")]):
    c = epub.EpubHtml(title=title, file_name="chapter%d.xhtml" % n, lang="en")
    c.content = body
    book.add_item(c)
    chapters.append(c)
book.toc = [epub.Link(c.file_name, c.title, "c%d" % i) for i, c in enumerate(chapters)]
book.add_item(epub.EpubNcx())
book.add_item(epub.EpubNav())
book.spine = chapters
epub.write_epub("../epub/testdata/harbours.epub", book)
