package pdf_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// truth is what one of our own documents says, written by us: testdata/quality/README.md describes the file.
type truth struct {
	name         string
	producer     string
	password     string
	title        string
	authors      []string
	institutions []string
	date         string
	abstract     string
	headings     []truthHeading
	captions     []string
	figures      int // figures that are there, with caption or without
	tables       []truthTable
	pages        []string
}

type truthHeading struct {
	depth         int // from 1
	number, title string
	page          int
}

// name is the heading as it is printed.
func (h truthHeading) name() string { return strings.TrimSpace(h.number + " " + h.title) }

type truthTable struct {
	page  int
	cells []quad
}

// A quad is a cell with the rows and columns that it covers, inclusive.
type quad struct {
	r0, r1, c0, c1 int
	text           string
}

// readTruths reads every truth of the corpus, by name.
func readTruths(t testing.TB) []truth {
	t.Helper()
	files, err := filepath.Glob("testdata/quality/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no truth in testdata/quality: %v", err)
	}
	slices.Sort(files)
	var out []truth
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		tr, err := parseTruth(string(data))
		if err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		tr.name = strings.TrimSuffix(filepath.Base(f), ".txt")
		out = append(out, tr)
	}
	return out
}

func parseTruth(s string) (truth, error) {
	var t truth
	page := -1
	var rows []string
	inTable := false
	for i, line := range strings.Split(strings.TrimSuffix(s, "\n"), "\n") {
		bad := func(why string) (truth, error) { return t, fmt.Errorf("line %d: %s: %q", i+1, why, line) }
		key, value, ok := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch {
		case key == "page" && ok && value == strconv.Itoa(len(t.pages)+1):
			t.pages = append(t.pages, "")
			page = len(t.pages) - 1
		case page >= 0:
			t.pages[page] += line + "\n"
		case inTable && line == "end":
			last := &t.tables[len(t.tables)-1]
			if last.cells, ok = grid(rows); !ok {
				return bad("rows of different length above")
			}
			rows, inTable = nil, false
		case inTable:
			rows = append(rows, line)
		case !ok:
			return bad("no key")
		case key == "producer":
			t.producer = value
		case key == "password":
			t.password = value
		case key == "title":
			t.title = value
		case key == "author":
			t.authors = append(t.authors, value)
		case key == "institution":
			t.institutions = append(t.institutions, value)
		case key == "date":
			t.date = value
		case key == "abstract":
			t.abstract = value
		case key == "caption":
			t.captions = append(t.captions, value)
		case key == "figures":
			n, err := strconv.Atoi(value)
			if err != nil {
				return bad("not a number")
			}
			t.figures = n
		case key == "heading":
			f := strings.Split(value, "|")
			if len(f) != 4 {
				return bad("a heading is depth | number | title | page")
			}
			h := truthHeading{number: strings.TrimSpace(f[1]), title: strings.TrimSpace(f[2])}
			var err, err2 error
			h.depth, err = strconv.Atoi(strings.TrimSpace(f[0]))
			h.page, err2 = strconv.Atoi(strings.TrimSpace(f[3]))
			if err != nil || err2 != nil {
				return bad("not a number")
			}
			t.headings = append(t.headings, h)
		case key == "table":
			n, err := strconv.Atoi(value)
			if err != nil {
				return bad("not a page")
			}
			t.tables = append(t.tables, truthTable{page: n})
			inTable = true
		default:
			return bad("unknown key")
		}
	}
	if inTable || len(t.pages) == 0 {
		return t, fmt.Errorf("a table without end, or no page")
	}
	return t, nil
}

// grid reads rows written "a | b", where "<" goes on with the cell to the left and "^" with the cell above.
func grid(rows []string) ([]quad, bool) {
	var out []quad
	owner := map[[2]int]int{}
	width := -1
	for r, row := range rows {
		cells := strings.Split(row, "|")
		if width >= 0 && len(cells) != width {
			return nil, false
		}
		width = len(cells)
		for c, text := range cells {
			text = strings.TrimSpace(text)
			k, ok := 0, false
			switch text {
			case "<":
				if k, ok = owner[[2]int{r, c - 1}]; ok {
					out[k].c1 = max(out[k].c1, c)
				}
			case "^":
				if k, ok = owner[[2]int{r - 1, c}]; ok {
					out[k].r1 = max(out[k].r1, r)
				}
			}
			if !ok {
				k = len(out)
				out = append(out, quad{r, r, c, c, text})
			}
			owner[[2]int{r, c}] = k
		}
	}
	return out, true
}

func TestParseTruth(t *testing.T) {
	got, err := parseTruth("title: A\nheading: 2 | 1.1 | B | 3\ntable: 1\na | b | <\n^ | c | d\nend\npage: 1\nx\npage: 2\npage: 7\n")
	if err != nil {
		t.Fatal(err)
	}
	want := []quad{{0, 1, 0, 0, "a"}, {0, 0, 1, 2, "b"}, {1, 1, 1, 1, "c"}, {1, 1, 2, 2, "d"}}
	if !slices.Equal(got.tables[0].cells, want) {
		t.Errorf("cells %v, want %v", got.tables[0].cells, want)
	}
	if want := []string{"x\n", "page: 7\n"}; !slices.Equal(got.pages, want) {
		t.Errorf("pages %q, want %q", got.pages, want)
	}
	for _, bad := range []string{"", "page: 2\n", "table: 1\na | b\nc\nend\npage: 1\n", "nothing\npage: 1\n", "table: 1\npage: 1\n"} {
		if _, err := parseTruth(bad); err == nil {
			t.Errorf("parseTruth(%q): no error", bad)
		}
	}
}
