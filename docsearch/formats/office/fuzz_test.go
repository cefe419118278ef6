package office_test

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// fuzz changes one part of a document at a time: bytes of a ZIP file as a whole would seldom get beyond its checksums.
func fuzz(f *testing.F, ext string, parts ...string) {
	names, err := filepath.Glob("testdata/*" + ext)
	if err != nil {
		f.Fatal(err)
	}
	var bases [][]byte
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			continue // one that is locked
		}
		base := len(bases)
		bases = append(bases, data)
		for i, part := range parts {
			for _, file := range z.File {
				if file.Name != part {
					continue
				}
				r, err := file.Open()
				if err != nil {
					f.Fatal(err)
				}
				content, err := io.ReadAll(r)
				if err != nil {
					f.Fatal(err)
				}
				if len(content) < 20_000 {
					f.Add(content, byte(i), byte(base))
				}
			}
		}
	}
	f.Add([]byte("PK\x03\x04"), byte(200), byte(0)) // the whole file
	f.Fuzz(func(t *testing.T, content []byte, part, base byte) {
		data := content
		if int(part) < len(parts) {
			data = replace(t, bases[int(base)%len(bases)], parts[part], content)
		}
		start := time.Now()
		d, err := open(t.Context(), "x"+ext, data)
		if err != nil {
			return
		}
		n := 0
		for p, err := range d.Pages(t.Context(), 1, 0) {
			if n++; err != nil || p.Number != n {
				t.Fatalf("page %d: %+v, %v", n, p, err)
			}
			lines := strings.Split(p.Text, "\n")
			for _, h := range p.Headings {
				if h.Line > len(lines) || lines[h.Line-1] != h.Text {
					t.Fatalf("heading %+v is not in the text %q", h, p.Text)
				}
			}
			for _, x := range p.Tables {
				for _, c := range x.Cells {
					if c.RowSpan < 1 || c.ColSpan < 1 || c.Row+c.RowSpan > len(x.Rows) || c.Col+c.ColSpan > len(x.Rows[c.Row]) || x.Rows[c.Row][c.Col] != c.Text {
						t.Fatalf("cell %+v is not in the rows %q", c, x.Rows)
					}
				}
			}
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Fatalf("%d bytes took %v", len(data), took)
		}
	})
}

// replace returns a ZIP file with another content of a part.
func replace(t *testing.T, base []byte, part string, content []byte) []byte {
	z, err := zip.NewReader(bytes.NewReader(base), int64(len(base)))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	out := zip.NewWriter(&b)
	for _, f := range z.File {
		if f.Name == part {
			continue
		}
		if err := out.Copy(f); err != nil {
			t.Fatal(err)
		}
	}
	w, err := out.CreateHeader(&zip.FileHeader{Name: part, Method: zip.Store})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func FuzzWord(f *testing.F) {
	fuzz(f, ".docx", "word/document.xml", "word/numbering.xml", "word/styles.xml", "word/footnotes.xml", "word/comments.xml", "word/_rels/document.xml.rels")
}

func FuzzPowerPoint(f *testing.F) {
	fuzz(f, ".pptx", "ppt/slides/slide1.xml", "ppt/slides/slide2.xml", "ppt/slides/slide3.xml", "ppt/charts/chart1.xml", "ppt/charts/chart19.xml", "ppt/notesSlides/notesSlide1.xml", "ppt/presentation.xml")
}

func FuzzExcel(f *testing.F) {
	fuzz(f, ".xlsx", "xl/worksheets/sheet1.xml", "xl/worksheets/sheet2.xml", "xl/styles.xml", "xl/sharedStrings.xml", "xl/workbook.xml", "xl/comments1.xml")
}
