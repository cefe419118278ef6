package delimited_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/formats/delimited"
	"github.com/findspot/findspot/internal/golden"
)

func open(t testing.TB, s string) extract.Doc {
	t.Helper()
	d, err := delimited.New().Open(t.Context(), strings.NewReader(s), int64(len(s)))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestFiles reads files that other programs wrote; testdata/sources/make.py makes them.
func TestFiles(t *testing.T) {
	names, err := filepath.Glob("testdata/*.?sv")
	if err != nil {
		t.Fatal(err)
	}
	if len(names) < 7 {
		t.Errorf("%d files, want 7", len(names))
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			d := open(t, string(data))
			defer d.Close()
			var b strings.Builder
			n := 0
			for p, err := range d.Pages(t.Context(), 1, 0) {
				if err != nil {
					t.Fatal(err)
				}
				n++
				fmt.Fprintf(&b, "=== page %d\n", p.Number)
				lines := strings.SplitAfter(p.Text, "\n")
				if len(lines) > 20 { // the first and the last rows tell the rest
					lines = append(append(lines[:3:3], "...\n"), lines[len(lines)-3:]...)
				}
				b.WriteString(strings.Join(lines, ""))
				for _, x := range p.Tables {
					fmt.Fprintf(&b, "--- table of %d rows, continued %v, repeated %d, cells %d\n", len(x.Rows), x.Continued, x.Repeated, len(x.Cells))
				}
			}
			if n != d.Meta().Pages {
				t.Errorf("%d pages, Meta says %d", n, d.Meta().Pages)
			}
			golden.Compare(t, name+".txt", []byte(b.String()))
		})
	}
}

func TestRows(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"blank lines", "\n\r\n , \n", ""},
		{"one column", "name\nAda\nBen\n", "name\nAda\nBen\n"},
		{"a delimiter that is said", "sep=;\r\na;b\r\n1,5;2,5\r\n", "a | b\n1,5 | 2,5\n"},
		{"decimal commas", "x;y\n1,5;2,5\n3,5;4,5\n", "x | y\n1,5 | 2,5\n3,5 | 4,5\n"},
		{"a comma in words", "id\ttitle\n1\tOne, two\n2\tThree\n", "id | title\n1 | One, two\n2 | Three\n"},
		{"carriage returns alone", "a,b\r1,2\r", "a | b\n1 | 2\n"},
		{"quotes with line ends, delimiters and quotes", "a,b\n\"x\ny, z\",\"say \"\"no\"\"\"\n", "a | b\nx y, z | say \"no\"\n"},
		{"a quote that is not closed", "a,b\n\"x,1\ny,2\n", "a | b\n\"x | 1\ny | 2\n"},
		{"a quote within", "a,b\n5\" disk,1\n", "a | b\n5\" disk | 1\n"},
		{"blanks around quotes", "a,b\n \"x, y\" , 1\n", "a | b\nx, y | 1\n"},
		{"rows of different length", "a,b,c\n1\n1,2,3,4\n1,2,3\n", "a | b | c\n1\n1 | 2 | 3 | 4\n1 | 2 | 3\n"},
		{"Windows-1252", "Stra\xdfe,Ort\nA,K\xf6ln\n", "Straße | Ort\nA | Köln\n"},
	} {
		d := open(t, tt.in)
		got := ""
		for p, err := range d.Pages(t.Context(), 1, 0) {
			if err != nil {
				t.Fatal(err)
			}
			got += p.Text
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// A head is told from a first row of values.
func TestHead(t *testing.T) {
	rows := func(first string) string { return first + "\n" + strings.Repeat("x,1,2\ny,3,4\n", delimited.PageRows) }
	for _, tt := range []struct {
		first string
		head  bool
	}{{"name,low,high", true}, {",low,high", true}, {"x,1,2", false}, {"name,low,low", false}, {"x,low,high", false}, {"name,2025,2026", false}, {"name,,high", false}} {
		d := open(t, rows(tt.first))
		for p, err := range d.Pages(t.Context(), 2, 2) {
			if err != nil {
				t.Fatal(err)
			}
			line, _, _ := strings.Cut(p.Text, "\n")
			want := strings.ReplaceAll(tt.first, ",", " | ")
			if (line == want) != tt.head {
				t.Errorf("%q: the second page begins with %q", tt.first, line)
			}
			if p.Tables[0].Continued || p.Tables[0].Repeated != 0 {
				t.Errorf("the first page of a range is continued: %v, %d", p.Tables[0].Continued, p.Tables[0].Repeated)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want error
	}{
		{"a,b\x00c\n", docsearch.ErrFormat},
		{"%PDF-1.7\n", docsearch.ErrFormat},
		{"PK\x03\x04", docsearch.ErrFormat},
		{"\x01\x02\x03\xff\x04", docsearch.ErrFormat},
		{strings.Repeat(",", 1<<20), docsearch.ErrTooLarge},
	} {
		if d, err := delimited.New().Open(t.Context(), strings.NewReader(tt.in), int64(len(tt.in))); !errors.Is(err, tt.want) {
			t.Errorf("%.20q: %v, %v, want %v", tt.in, d, err, tt.want)
		}
	}
	if _, err := delimited.New().Open(t.Context(), strings.NewReader(""), 1<<40); !errors.Is(err, docsearch.ErrTooLarge) {
		t.Errorf("a terabyte: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	d := open(t, strings.Repeat("a,b\n1,2\n", 10*delimited.PageRows))
	n := 0
	for p, err := range d.Pages(ctx, 1, 0) {
		if n++; n == 2 {
			cancel()
		} else if n > 2 && (p != nil || !errors.Is(err, context.Canceled)) {
			t.Errorf("after the end of ctx: %v, %v", p, err)
		}
	}
	if n != 3 {
		t.Errorf("%d pages, want 2 and an error", n)
	}
}

func FuzzDelimited(f *testing.F) {
	names, err := filepath.Glob("testdata/*.?sv")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		if len(data) < 5000 {
			f.Add(data)
		}
	}
	f.Add([]byte("sep=|\na|b\n\"\"\"|\"\"\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := delimited.New().Open(t.Context(), strings.NewReader(string(data)), int64(len(data)))
		if err != nil {
			return
		}
		n := 0
		for p, err := range d.Pages(t.Context(), 1, 0) {
			if n++; err != nil || p.Number != n {
				t.Fatalf("page %d: %+v, %v", n, p, err)
			}
			for _, x := range p.Tables {
				for _, c := range x.Cells {
					if x.Rows[c.Row][c.Col] != c.Text {
						t.Fatalf("cell %+v is not in the rows", c)
					}
				}
			}
		}
		if n != d.Meta().Pages {
			t.Fatalf("%d pages, Meta says %d", n, d.Meta().Pages)
		}
	})
}
