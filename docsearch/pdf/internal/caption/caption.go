package caption

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
	"github.com/findspot/findspot/docsearch/pdf/internal/layout"
	"github.com/findspot/findspot/docsearch/pdf/internal/pattern"
	"github.com/findspot/findspot/internal/lazyregexp"
)

// A Caption is a line that begins like "Table 3" or "Figure 2".
type Caption struct {
	Box    geometry.Rect
	Text   string
	Figure bool
	Used   bool
}

var (
	// Besides English, German and French: Chinese, Japanese, Korean and Russian.
	tableStart  = pattern.Regexp{Regexp: lazyregexp.New(`^(?:(?i:table|tab\.|exhibit|tableau|tabelle)|表|표|Таблица|Табл\.)\s*([A-Z]?\.?\d+|[IVXL]+\b)`), Maybe: pattern.Begins("te\xe8\xed\xd0")}
	figureStart = pattern.Regexp{Regexp: lazyregexp.New(`^(?:(?i:figure|fig\.?|abbildung|abb\.)|图|圖|図|그림|Рисунок|Рис\.)\s*([A-Z]?\.?\d+|[IVXL]+\b)`), Maybe: pattern.Begins("fa\xe5\xea\xd0")}
)

// findCaptions collects caption lines with the lines of the same block that continue them. Lines on their side count, as
// captions of tables on their side.
func (v *Page) findCaptions() {
	for i := range v.Lines {
		l := &v.Lines[i]
		t := strings.TrimSpace(l.Text)
		fig := figureStart.MatchString(t)
		if !fig && !tableStart.MatchString(t) || !HasShape(t) {
			continue
		}
		turn, ok := layout.Turn(l)
		if !ok {
			continue
		}
		fr := layout.NewFrame(turn, v.Canvas)
		c := Caption{Box: l.Box, Text: t, Figure: fig}
		own := fr.Turned(l.Box)
		bottom := own.Y1
		for k := i + 1; k < len(v.Lines) && k < i+8; k++ {
			n := &v.Lines[k]
			b := fr.Turned(n.Box)
			step := b.Y1 - bottom
			if step <= 0 || step > 1.45*max(l.Size, n.Size) || math.Abs(n.Size-l.Size) > .15*l.Size || b.X1 < own.X0 || b.X0 > own.X1 ||
				tableStart.MatchString(n.Text) || figureStart.MatchString(n.Text) || len(n.Segs) > 1 && !fig {
				break
			}
			if t, ok := layout.Turn(n); !ok || t != turn {
				break
			}
			c.Text = v.Words.JoinLines(c.Text, strings.TrimSpace(n.Text))
			c.Box, own, bottom = c.Box.Union(n.Box), own.Union(b), b.Y1
		}
		v.Captions = append(v.Captions, c)
	}
}

// HasShape tells a caption from a sentence that begins with a reference ("Table 3 shows that").
func HasShape(t string) bool {
	m := tableStart.FindString(t)
	if m == "" {
		m = figureStart.FindString(t)
	}
	rest := t[len(m):]
	for len(rest) > 1 && (rest[0] == '.' || rest[0] == '-') && rest[1] >= '0' && rest[1] <= '9' {
		rest = strings.TrimLeft(rest[1:], "0123456789")
	}
	rest = strings.TrimLeft(rest, "abcdefgh()")
	if rest == "" {
		return true
	}
	if m[0] >= 0xE3 { // East Asian writing has no capitals: a sentence goes on without a mark
		r, _ := utf8.DecodeRuneInString(rest)
		return strings.ContainsRune(":：.．\u3000", r) || r == ' ' && !strings.ContainsAny(rest, "，。、")
	}
	switch rest[0] {
	case ':', '.', '-', '|':
		return true
	}
	rest = strings.TrimSpace(rest)
	r := []rune(rest)
	return len(r) > 0 && !unicode.IsLower(r[0]) && r[0] != ',' && r[0] != ')' && r[0] != ';'
}

// CaptionFor finds the caption within 6 em above or 4.5 em below a table, 100 points of a figure.
func (v *Page) CaptionFor(b geometry.Rect, figure bool) *Caption {
	above, below := 6*v.Em, 4.5*v.Em
	if figure {
		above, below = 100, 100
	}
	var best *Caption
	dist := math.Inf(1)
	for i := range v.Captions {
		c := &v.Captions[i]
		if c.Figure != figure || c.Used || c.Box.X1 < b.X0 || c.Box.X0 > b.X1 {
			continue
		}
		d := math.Inf(1)
		switch {
		case c.Box.Y1 <= b.Y0+v.Em && b.Y0-c.Box.Y1 <= above:
			d = math.Abs(b.Y0 - c.Box.Y1)
			if figure {
				d += 5 // figures have theirs beneath
			}
		case c.Box.Y0 >= b.Y1-v.Em && c.Box.Y0-b.Y1 <= below:
			d = math.Abs(c.Box.Y0 - b.Y1)
		case c.Box.Overlaps(b):
			d = 0
		}
		if d < dist {
			best, dist = c, d
		}
	}
	return best
}

// Is reports whether a line is a figure's or table's caption.
func Is(text string) bool {
	return (tableStart.MatchString(text) || figureStart.MatchString(text)) && HasShape(text)
}

// StartsTable reports whether a text begins like "Table 3".
func StartsTable(text string) bool { return tableStart.MatchString(text) }

// StartsFigure reports whether a text begins like "Figure 2".
func StartsFigure(text string) bool { return figureStart.MatchString(text) }

// TableLabel is the beginning of a text such as "Table 3", "" for none.
func TableLabel(text string) string { return tableStart.FindString(text) }
