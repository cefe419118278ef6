package office_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/formats/office"
	"github.com/findspot/findspot/internal/golden"
)

var extractors = map[string]extract.Extractor{".docx": office.Word(), ".pptx": office.PowerPoint(), ".xlsx": office.Excel()}

func open(ctx context.Context, name string, data []byte) (extract.Doc, error) {
	return extractors[filepath.Ext(name)].Open(ctx, bytes.NewReader(data), int64(len(data)))
}

// TestDocuments reads documents that other programs wrote; testdata/sources/make.sh makes them.
func TestDocuments(t *testing.T) {
	names, err := filepath.Glob("testdata/*.*x")
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, name := range names {
		if strings.HasPrefix(filepath.Base(name), "locked") {
			continue
		}
		count[filepath.Ext(name)]++
		t.Run(filepath.Base(name), func(t *testing.T) {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			d, err := open(t.Context(), name, data)
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			golden.Compare(t, name+".txt", []byte(show(t, d)))
		})
	}
	for ext := range extractors {
		if count[ext] < 5 {
			t.Errorf("%d documents of %s, want 5", count[ext], ext)
		}
	}
}

// show writes all that is known of a document.
func show(t *testing.T, d extract.Doc) string {
	t.Helper()
	var b strings.Builder
	m := d.Meta()
	fmt.Fprintf(&b, "title %q authors %q subject %q keywords %q date %q pages %d\n", m.Title, m.Authors, m.Subject, m.Keywords, m.Date, m.Pages)
	n := 0
	for p, err := range d.Pages(t.Context(), 1, 0) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; p.Number != n {
			t.Errorf("page %d comes as number %d", n, p.Number)
		}
		fmt.Fprintf(&b, "\n=== page %d\n%s", p.Number, p.Text)
		lines := strings.Split(p.Text, "\n")
		for _, h := range p.Headings {
			fmt.Fprintf(&b, "--- heading of level %d on line %d: %s\n", h.Level, h.Line, h.Text)
			if lines[h.Line-1] != h.Text {
				t.Errorf("page %d line %d is %q, and said to be the heading %q", n, h.Line, lines[h.Line-1], h.Text)
			}
		}
		for _, x := range p.Tables {
			fmt.Fprintf(&b, "--- table %q continued %v\n", x.Caption, x.Continued)
			for _, r := range x.Rows {
				fmt.Fprintf(&b, "    %q\n", r)
			}
			for _, c := range x.Cells {
				if c.RowSpan > 1 || c.ColSpan > 1 {
					fmt.Fprintf(&b, "    row %d column %d spans %d rows, %d columns: %s\n", c.Row, c.Col, c.RowSpan, c.ColSpan, c.Text)
				}
				if x.Rows[c.Row][c.Col] != c.Text || c.Row+c.RowSpan > len(x.Rows) || c.Col+c.ColSpan > len(x.Rows[0]) {
					t.Errorf("page %d: cell %+v is not in the rows %q", n, c, x.Rows)
				}
			}
		}
		for _, f := range p.Figures {
			fmt.Fprintf(&b, "--- figure %q\n", f.Caption)
		}
	}
	if n != m.Pages {
		t.Errorf("%d pages, Meta says %d", n, m.Pages)
	}
	return b.String()
}

func TestRefused(t *testing.T) {
	paper, err := os.ReadFile("testdata/paper.docx")
	if err != nil {
		t.Fatal(err)
	}
	file := func(name string) []byte {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	for _, tt := range []struct {
		as   string
		data []byte
		want error
		says string
	}{
		{"a.xlsx", file("locked.xlsx"), docsearch.ErrEncrypted, "without"},
		{"a.docx", file("old.doc"), docsearch.ErrUnsupported, ".docx"},
		{"a.xlsx", file("old.xls"), docsearch.ErrUnsupported, ".xlsx"},
		{"a.pptx", compound("Root Entry", "PowerPoint Document"), docsearch.ErrUnsupported, ".pptx"},
		{"a.docx", []byte("plain text"), docsearch.ErrFormat, "office document"},
		{"a.docx", nil, docsearch.ErrFormat, "office document"},
		{"a.pptx", paper, docsearch.ErrFormat, "not a presentation"},
		{"a.xlsx", paper, docsearch.ErrFormat, "not a workbook"},
		{"a.docx", file("days.xlsx"), docsearch.ErrFormat, "not a Word document"},
		{"a.docx", paper[:len(paper)/2], docsearch.ErrFormat, ""},
		{"a.docx", pack(t, map[string]string{"x": "y"}), docsearch.ErrFormat, "no relationship"},
		{"a.docx", pack(t, map[string]string{"content.xml": "", "mimetype": "application/vnd.oasis.opendocument.text"}), docsearch.ErrUnsupported, "OpenDocument"},
		{"a.docx", word(t, `<w:p><w:r><w:t>a &b; c</w:t></w:r></w:p>`), docsearch.ErrFormat, "word/document.xml line 1"},
		{"a.docx", pack(t, map[string]string{
			"_rels/.rels":       rels("officeDocument", "word/document.xml"),
			"word/document.xml": `<!DOCTYPE x [<!ENTITY e "e">]><w:document/>`,
		}), docsearch.ErrFormat, "document type"},
		{"a.docx", word(t, strings.Repeat("<w:sdt>", 1000)+strings.Repeat("</w:sdt>", 1000)), docsearch.ErrTooLarge, "deeper"},
		{"a.docx", word(t, "<w:p>"+strings.Repeat(" ", 40<<20)+"</w:p>"), docsearch.ErrTooLarge, "300 times"},
		{"a.docx", word(t, "<w:p><w:r>"+strings.Repeat(`<w:br w:type="page"/>`, 200_000)+"</w:r></w:p>"), docsearch.ErrTooLarge, "pages"},
		{"a.docx", pack(t, map[string]string{"_rels/.rels": rels("officeDocument", "../../../etc/passwd"), "x": ""}), docsearch.ErrFormat, "no relationship"},
		{"a.xlsx", pack(t, map[string]string{"_rels/.rels": rels("officeDocument", "xl/workbook.bin"), "xl/workbook.bin": ""}), docsearch.ErrUnsupported, "binary"},
	} {
		d, err := open(t.Context(), tt.as, tt.data)
		if !errors.Is(err, tt.want) || !strings.Contains(fmt.Sprint(err), tt.says) {
			t.Errorf("%s of %d bytes: %v, %v, want %v that says %q", tt.as, len(tt.data), d, err, tt.want, tt.says)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := open(ctx, "a.docx", paper); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of ctx: %v", err)
	}
}

// pack makes a ZIP file.
func pack(t testing.TB, parts map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, data := range parts {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(data))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// rels is a part with relationships: pairs of the last word of a type and a target, with the ids r1, r2 and on.
func rels(pairs ...string) string {
	var b strings.Builder
	b.WriteString(`<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`)
	for i := 0; i+1 < len(pairs); i += 2 {
		fmt.Fprintf(&b, `<Relationship Id="r%d" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/%s" Target="%s"/>`, i/2+1, pairs[i], pairs[i+1])
	}
	b.WriteString(`</Relationships>`)
	return b.String()
}

// word makes a document of a body.
func word(t testing.TB, body string) []byte {
	return pack(t, map[string]string{
		"_rels/.rels":       rels("officeDocument", "word/document.xml"),
		"word/document.xml": `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><w:body>` + body + `</w:body></w:document>`,
	})
}

// text returns the text of all pages, with form feeds between them.
func text(t testing.TB, name string, data []byte) string {
	t.Helper()
	d, err := open(t.Context(), name, data)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	var pages []string
	for p, err := range d.Pages(t.Context(), 1, 0) {
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, p.Text)
	}
	return strings.Join(pages, "\f")
}

func TestWordDetails(t *testing.T) {
	for _, tt := range []struct{ name, body, want string }{
		{"an instruction that never ends hides its paragraph alone", `<w:p><w:r><w:fldChar w:fldCharType="begin"/><w:t>gone</w:t></w:r></w:p><w:p><w:r><w:t>seen</w:t></w:r></w:p>`, "seen\n"},
		{"an end without a beginning", `<w:p><w:r><w:fldChar w:fldCharType="end"/><w:fldChar w:fldCharType="separate"/><w:t>seen</w:t></w:r></w:p>`, "seen\n"},
		{"a style that is not in the file", `<w:p><w:pPr><w:pStyle w:val="Heading2"/></w:pPr><w:r><w:t>H</w:t></w:r></w:p>`, "H\n"},
		{"a list that is not in the file", `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="7"/></w:numPr></w:pPr><w:r><w:t>x</w:t></w:r></w:p>`, "x\n"},
		{
			"a page that Word broke twice", `<w:p><w:r><w:t>a</w:t></w:r></w:p><w:p><w:r><w:br w:type="page"/></w:r></w:p><w:p><w:r><w:lastRenderedPageBreak/><w:t>b</w:t></w:r></w:p>`,
			"a\n\fb\n",
		},
		{"a page that is empty", `<w:p><w:r><w:t>a</w:t><w:br w:type="page"/><w:br w:type="page"/><w:t>b</w:t></w:r></w:p>`, "a\n\f\fb\n"},
		{"a break at the end", `<w:p><w:r><w:t>a</w:t><w:br w:type="page"/></w:r></w:p>`, "a\n"},
		{
			"sections: one that goes on, and one on a new page",
			`<w:p><w:pPr><w:sectPr/></w:pPr><w:r><w:t>a</w:t></w:r></w:p><w:p><w:pPr><w:sectPr><w:type w:val="continuous"/></w:sectPr></w:pPr><w:r><w:t>b</w:t></w:r></w:p><w:p><w:r><w:t>c</w:t></w:r></w:p><w:sectPr/>`,
			"a\n\nb\n\fc\n",
		},
		{"another document in this one", `<w:altChunk r:id="r9"/>`, "[Here stands another document, which was not read: outside of this file]\n"},
		{"a table of one column is text", `<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc></w:tr></w:tbl>`, "a\n"},
		{"a span beyond all tables", `<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="99999999"/></w:tcPr><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc></w:tr></w:tbl>`, "a" + strings.Repeat(" | ", 1000) + "b\n"},
		{"furigana", `<w:p><w:r><w:ruby><w:rt><w:r><w:t>とうきょう</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>東京</w:t></w:r></w:rubyBase></w:ruby></w:r></w:p>`, "東京(とうきょう)\n"},
		{"a control around paragraphs", `<w:sdt><w:sdtPr><w:alias w:val="no"/></w:sdtPr><w:sdtContent><w:p><w:r><w:t>a</w:t></w:r></w:p></w:sdtContent></w:sdt>`, "a\n"},
		{"a formula", `<w:p><m:oMath><m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath></w:p>`, "(a+b)/2\n"},
	} {
		if got := text(t, "a.docx", word(t, tt.body)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Names of namespaces of the strict form, other prefixes, and UTF-16 make no difference.
func TestForms(t *testing.T) {
	strict := `<?xml version="1.0" encoding="UTF-16"?><q:document xmlns:q="http://purl.oclc.org/ooxml/wordprocessingml/main"><q:body><q:p><q:r><q:t>größer</q:t></q:r></q:p></q:body></q:document>`
	wide := []byte("\xff\xfe")
	for _, r := range strict {
		wide = append(wide, byte(r), byte(r>>8))
	}
	data := pack(t, map[string]string{
		"_rels/.rels":       strings.ReplaceAll(rels("officeDocument", "/Word/Document.xml"), "http://schemas.openxmlformats.org/officeDocument/2006", "http://purl.oclc.org/ooxml/officeDocument"),
		"word/document.xml": string(wide),
	})
	if got := text(t, "a.docx", data); got != "größer\n" {
		t.Errorf("%q", got)
	}
}

// compound makes the beginning of a compound file, with names in its directory.
func compound(names ...string) []byte {
	b := make([]byte, 3*512)
	copy(b, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
	binary.LittleEndian.PutUint16(b[30:], 9) // sectors of 512 bytes
	binary.LittleEndian.PutUint32(b[48:], 0) // the directory is in sector 0
	binary.LittleEndian.PutUint32(b[76:], 1) // the allocation table is in sector 1
	binary.LittleEndian.PutUint32(b[2*512:], 0xfffffffe)
	for i, name := range names {
		e := b[512+128*i:]
		for k, r := range name {
			binary.LittleEndian.PutUint16(e[2*k:], uint16(r))
		}
		binary.LittleEndian.PutUint16(e[64:], uint16(2*len(name)+2))
	}
	return b
}
