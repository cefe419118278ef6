package mark_test

import (
	"context"
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/findspot/findspot/internal/need"
)

// What follows reads written files with Poppler, a reader that shares no code with ours.

// A point is in the space that the file states, as the numbers of QuadPoints are.
type point struct{ x, y float64 }

// A popplerWord is a word of a page and its middle.
type popplerWord struct {
	text   string
	middle point
}

type poppler struct{ text, info string }

func needPoppler(t testing.TB) poppler {
	t.Helper()
	return poppler{need.Tool(t, "pdftotext", "-v"), need.Tool(t, "pdfinfo", "-v")}
}

func output(ctx context.Context, t testing.TB, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %v: %v", filepath.Base(name), args, err)
	}
	return string(out)
}

var (
	boxLine = regexp.MustCompile(`(?m)^Page\s+\d+ (MediaBox|CropBox):\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)$`)
	rotLine = regexp.MustCompile(`(?m)^Page\s+\d+ rot:\s+(\d+)$`)
)

// words returns the words of a page, with their middles in the page's user space.
func (p poppler) words(t testing.TB, file string, page int) []popplerWord {
	t.Helper()
	n := strconv.Itoa(page)
	info := output(t.Context(), t, p.info, "-box", "-f", n, "-l", n, file)
	boxes := map[string][4]float64{}
	for _, m := range boxLine.FindAllStringSubmatch(info, -1) {
		var b [4]float64
		for i := range b {
			b[i], _ = strconv.ParseFloat(m[2+i], 64)
		}
		boxes[m[1]] = b
	}
	rot := rotLine.FindStringSubmatch(info)
	crop, ok := boxes["CropBox"]
	if !ok || rot == nil {
		t.Fatalf("%s: pdfinfo tells no box of page %d:\n%s", file, page, info)
	}
	var doc struct {
		Pages []struct {
			Width  float64 `xml:"width,attr"`
			Height float64 `xml:"height,attr"`
			Words  []struct {
				X0   float64 `xml:"xMin,attr"`
				Y0   float64 `xml:"yMin,attr"`
				X1   float64 `xml:"xMax,attr"`
				Y1   float64 `xml:"yMax,attr"`
				Text string  `xml:",chardata"`
			} `xml:"word"`
		} `xml:"body>doc>page"`
	}
	text := output(t.Context(), t, p.text, "-cropbox", "-bbox", "-f", n, "-l", n, file, "-")
	text = strings.Map(func(r rune) rune {
		if r < ' ' && !unicode.IsSpace(r) || r == 0xFFFE || r == 0xFFFF {
			return ' '
		}
		return r
	}, text)
	d := xml.NewDecoder(strings.NewReader(strings.ToValidUTF8(text, "?")))
	d.Strict, d.Entity, d.AutoClose = false, xml.HTMLEntity, xml.HTMLAutoClose
	if err := d.Decode(&doc); err != nil || len(doc.Pages) != 1 {
		t.Fatalf("%s: pdftotext -bbox of page %d: %v, %d pages", file, page, err, len(doc.Pages))
	}
	var out []popplerWord
	for _, w := range doc.Pages[0].Words {
		x, y := (w.X0+w.X1)/2, (w.Y0+w.Y1)/2
		var at point
		switch rot[1] { // from the upper left corner of the page as shown
		case "90":
			at = point{crop[0] + y, crop[1] + x}
		case "180":
			at = point{crop[2] - x, crop[1] + y}
		case "270":
			at = point{crop[2] - y, crop[3] - x}
		default:
			at = point{crop[0] + x, crop[3] - y}
		}
		out = append(out, popplerWord{w.Text, at})
	}
	return out
}

var (
	annotObject = regexp.MustCompile(`(?s)\d+ 0 obj\s*(<<.*?/Subtype/Highlight.*?>>)\s*endobj`)
	quadNumbers = regexp.MustCompile(`/QuadPoints\[([^\]]*)\]`)
	noteText    = regexp.MustCompile(`/NM<([0-9A-Fa-f]+)>`)
)

// written are the quadrilaterals of each annotation in what was appended to a file, by name, read as text.
func written(t testing.TB, added string) map[string][][4]point {
	t.Helper()
	out := map[string][][4]point{}
	for _, m := range annotObject.FindAllStringSubmatch(added, -1) {
		nums := strings.Fields(quadNumbers.FindStringSubmatch(m[1])[1])
		if len(nums) == 0 || len(nums)%8 != 0 {
			t.Fatalf("QuadPoints of %d numbers", len(nums))
		}
		name := unhex(t, noteText.FindStringSubmatch(m[1])[1])
		for q := range slices.Chunk(nums, 8) {
			var c [4]point
			for i := range c {
				c[i].x, _ = strconv.ParseFloat(q[2*i], 64)
				c[i].y, _ = strconv.ParseFloat(q[2*i+1], 64)
			}
			out[name] = append(out[name], c)
		}
	}
	return out
}

// unhex reads a text string in UTF-16 of plain characters.
func unhex(t testing.TB, s string) string {
	t.Helper()
	var b strings.Builder
	for i := 4; i+4 <= len(s); i += 4 {
		n, err := strconv.ParseUint(s[i:i+4], 16, 16)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteRune(rune(n))
	}
	return b.String()
}

// has reports whether a quadrilateral with the corners upper left, upper right, lower left, lower right holds a point.
func has(q [4]point, p point) bool {
	loop := [4]point{q[0], q[1], q[3], q[2]}
	sign := 0.0
	for i, a := range loop {
		b := loop[(i+1)%4]
		c := (b.x-a.x)*(p.y-a.y) - (b.y-a.y)*(p.x-a.x)
		if c != 0 && sign != 0 && (c > 0) != (sign > 0) {
			return false
		}
		if c != 0 {
			sign = c
		}
	}
	return true
}

// under returns the words whose middle lies under a quadrilateral.
func under(words []popplerWord, quads [][4]point) (out []string) {
	for _, w := range words {
		if slices.ContainsFunc(quads, func(q [4]point) bool { return has(q, w.middle) }) {
			out = append(out, w.text)
		}
	}
	return out
}

// letters are the words of texts in small letters without their signs; a hyphen at the end of a text joins it with the next.
func letters(texts []string) (out []string) {
	for _, f := range strings.FieldsFunc(strings.ToLower(strings.Join(texts, " ")), unicode.IsSpace) {
		f = strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return r
			}
			return -1
		}, f)
		if f != "" {
			out = append(out, f)
		}
	}
	return out
}

// common is the number of words that two lists share, each as often as both have it.
func common(a, b []string) int {
	have := map[string]int{}
	for _, w := range a {
		have[w]++
	}
	n := 0
	for _, w := range b {
		if have[w] > 0 {
			have[w]--
			n++
		}
	}
	return n
}

func TestHas(t *testing.T) {
	q := [4]point{{0, 10}, {20, 10}, {0, 0}, {20, 0}}
	for p, want := range map[point]bool{{1, 1}: true, {19, 9}: true, {21, 5}: false, {5, 11}: false, {-1, 5}: false} {
		if got := has(q, p); got != want {
			t.Errorf("has(%v) = %v", p, got)
		}
	}
}

// shown has Poppler draw the pages of a file, and makes sure that on each there is a mark, drawn by its appearance.
func shown(t testing.TB, file string, pages int) {
	t.Helper()
	draw := need.Tool(t, "pdftoppm", "-v")
	prefix := filepath.Join(t.TempDir(), "page")
	output(t.Context(), t, draw, "-r", "72", "-cropbox", file, prefix)
	list, err := filepath.Glob(prefix + "-*.ppm")
	if err != nil || len(list) != pages {
		t.Fatalf("%d pages are drawn, want %d: %v", len(list), pages, err)
	}
	for _, name := range list {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		parts := strings.SplitN(string(data), "\n", 4) // P6, the size, the largest value, the dots
		yellow := 0
		for i := 0; i+3 <= len(parts[3]); i += 3 {
			if r, b := parts[3][i], parts[3][i+2]; r > 200 && b < 150 {
				yellow++
			}
		}
		if yellow < 300 {
			t.Errorf("%s: %d dots are of the colour of marks", filepath.Base(name), yellow)
		}
	}
}
