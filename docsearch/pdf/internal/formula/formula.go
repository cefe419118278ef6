package formula

import (
	"math"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/pdf/internal/content"
	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
	"github.com/findspot/findspot/docsearch/pdf/internal/inline"
	"github.com/findspot/findspot/docsearch/pdf/internal/layout"
	"github.com/findspot/findspot/docsearch/pdf/internal/pattern"
	"github.com/findspot/findspot/internal/lazyregexp"
	"golang.org/x/text/unicode/norm"
)

const (
	maxFormulaGlyphs = 1500 // more is no formula
	maxFractionDepth = 6
)

// numberMark is what an equation is referred to by, at its right edge.
var numberMark = pattern.Regexp{Regexp: lazyregexp.New(`^\(\s*([A-Z]?\.?\d{1,3}(?:\.\d{1,3}){0,3}[a-z]?′?|\*+)\s*\)$`), Maybe: pattern.Begins("(")}

// formulaWords may stand in a displayed formula without making it text.
var formulaWords = map[string]bool{
	"if": true, "otherwise": true, "for": true, "and": true, "or": true, "where": true, "with": true, "such": true, "that": true, "subject": true,
	"log": true, "exp": true, "min": true, "max": true, "sin": true, "cos": true, "tan": true, "argmin": true, "argmax": true, "lim": true, "sup": true,
	"inf": true, "det": true, "mod": true, "all": true, "else": true, "arg": true, "minimize": true, "maximize": true, "softmax": true, "then": true,
}

// IsNumber reports whether a text is the number of an equation.
func IsNumber(s string) bool { return numberMark.MatchString(s) }

// IsWord reports whether a word may stand in a displayed formula without making it text.
func IsWord(s string) bool { return formulaWords[strings.ToLower(s)] }

// A Line is a line that may be of a formula.
type Line struct {
	Line *layout.Line
	Text string
}

// Is reports whether a line is a displayed formula or a part of one: letters and signs of mathematics, few words.
// column returns the edges of the column that it stands in.
func Is(ln Line, column func() (left, right float64)) bool {
	l := ln.Line
	math, operators, all, words, signs := 0, 0, 0, 0, 0
	segs := l.Segs
	number := numbered(l)
	if number {
		segs = segs[:len(segs)-1]
	}
	for i := range segs {
		for k := range segs[i].Glyphs {
			g := &segs[i].Glyphs[k]
			if len(g.Text) == 1 && (g.Text[0] == ' ' || pattern.IsLetter(g.Text[0])) { // nearly all text
				if g.Text[0] != ' ' {
					all++
					if g.Font != nil && g.Font.Math {
						math++
					}
				}
				continue
			}
			r, _ := utf8.DecodeRuneInString(strings.TrimSpace(g.Text))
			if r == utf8.RuneError {
				continue
			}
			all++
			if g.Font != nil && g.Font.Math || r >= 0x1D400 && r <= 0x1D7FF {
				math++
			}
			if unicode.Is(unicode.Sm, r) || r == '∏' || r == '−' {
				operators++
			}
			if strings.ContainsRune("=≤≥≈→∈∑∏∫√≡∼", r) {
				signs++
			}
		}
	}
	if all == 0 {
		return false
	}
	if numberMark.MatchString(ln.Text) {
		return true // kept only beside a formula
	}
	if math == 0 && signs == 0 && operators == 0 {
		return false
	}
	for word := range strings.FieldsFuncSeq(ln.Text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if utf8.RuneCountInString(word) >= 3 && !formulaWords[strings.ToLower(word)] {
			words++
		}
	}
	left, right := column()
	indented := l.Box.X0 > left+1.2*l.Size || l.Box.X1 < right-.6*(right-left) || number && l.Box.X0 > left+.5*l.Size
	switch {
	case number && signs > 0 && indented && words <= 4 && words*6 <= all:
		return true // an equation that is referred to; its words are names and indices
	case words > 4 || words*14 > all:
		return false
	case math*3 >= all && indented:
		return true
	case signs > 0 && (math+operators)*4 >= all && indented && l.Box.X0 > left+1.2*l.Size:
		return true
	case all <= 4 && math*2 >= all && indented:
		return true
	}
	return false
}

// numbered reports whether a line ends with the number of an equation, set apart.
func numbered(l *layout.Line) bool {
	n := len(l.Segs)
	return n > 1 && l.Segs[n-1].Box.X0-l.Segs[n-2].Box.X1 > 1.5*l.Size && numberMark.MatchString(strings.TrimSpace(l.Segs[n-1].Text))
}

// An atom is a glyph of a formula, or a part of it that is set already.
type atom struct {
	tex  string
	box  geometry.Rect
	base float64
	size float64
	big  bool // an operator that takes limits
	name bool // an operator written in letters
	flat bool // a bracket, whose baseline says nothing of its height
}

// TeX writes lines as a displayed formula; ok is false for what is too large.
func TeX(c *content.Canvas, lines []Line) (tex string, ok bool) {
	var atoms []atom
	area := geometry.Empty()
	number := ""
	for _, ln := range lines {
		if m := numberMark.FindStringSubmatch(ln.Text); m != nil && len(lines) > 1 {
			number = m[1]
			continue
		}
		for si := range ln.Line.Segs {
			s := &ln.Line.Segs[si]
			if m := numberMark.FindStringSubmatch(strings.TrimSpace(s.Text)); m != nil && si == len(ln.Line.Segs)-1 && (len(ln.Line.Segs) > 1 || len(lines) > 1) {
				number = m[1]
				continue
			}
			skip := 0 // glyphs that an operator took
			for k := range s.Glyphs {
				g := &s.Glyphs[k]
				t := strings.TrimSpace(g.Text)
				if skip--; t == "" || skip >= 0 {
					continue
				}
				if op, n := inline.OperatorAt(s, k); n > 0 {
					last := &s.Glyphs[k+n-1]
					b := g.Box().Union(last.Box())
					atoms = append(atoms, atom{tex: op.Tex, box: b, base: g.Y, size: g.Size, big: op.Limits && g.Size >= inline.ScriptSize*ln.Line.Size, name: true})
					area = area.Union(b)
					skip = n - 1
					continue
				}
				if len(atoms) >= maxFormulaGlyphs {
					return "", false
				}
				r, _ := utf8.DecodeRuneInString(t)
				b := g.Box()
				tex := inline.EscapeTeX(t)
				if g.Font != nil && g.Font.Math {
					tex = inline.AccentTeX(tex)
				}
				atoms = append(atoms, atom{tex: tex, box: b, base: g.Y, size: g.Size, big: strings.ContainsRune("∑∏∐⋃⋂⋁⋀⨁⨂", r),
					flat: strings.ContainsRune("()[]{}|⏐‖⟨⟩⌊⌋⌈⌉⎛⎜⎝⎞⎟⎠⎡⎢⎣⎤⎥⎦⎧⎨⎩⎪⎫⎬⎭", r) && g.Size >= .8*ln.Line.Size})
				area = area.Union(b)
			}
		}
	}
	if len(atoms) == 0 {
		return "", false
	}
	atoms = putArrows(atoms)
	var bars []content.Rule
	for _, r := range c.Rules {
		if !r.Vertical && r.Pos > area.Y0-2 && r.Pos < area.Y1+2 && r.Lo >= area.X0-4 && r.Hi <= area.X1+4 && r.Hi-r.Lo > 2 {
			bars = append(bars, r)
			if len(bars) > 100 {
				return "", false
			}
		}
	}
	for _, im := range c.Images { // rules of old TeX drivers are images
		if b := im.Box; b.Height() < 1.5 && b.Width() > 2 && b.Width() > 2*b.Height() && b.MidY() > area.Y0-2 && b.MidY() < area.Y1+2 && b.X0 >= area.X0-4 && b.X1 <= area.X1+4 && len(bars) < 100 {
			bars = append(bars, content.Rule{Pos: b.MidY(), Lo: b.X0, Hi: b.X1})
		}
	}
	rows := texRows(atoms, bars, 0)
	switch {
	case len(rows) == 0:
		return "", false
	case len(rows) == 1:
		tex = rows[0]
	default:
		tex = "\\begin{aligned}\n" + strings.Join(rows, " \\\\\n") + "\n\\end{aligned}"
	}
	if number != "" {
		tex += " \\tag{" + strings.Trim(number, "*") + "}"
		tex = strings.Replace(tex, " \\tag{}", " \\tag{*}", 1)
	}
	return tex, true
}

// texRows sets fractions and roots, then cuts what is left into rows.
func texRows(atoms []atom, bars []content.Rule, depth int) []string {
	if depth > maxFractionDepth {
		bars = nil
	}
	bars = slices.Clone(bars)
	sort.Slice(bars, func(i, j int) bool { return bars[i].Hi-bars[i].Lo > bars[j].Hi-bars[j].Lo })
	for len(bars) > 0 {
		b := bars[0]
		bars = bars[1:]
		size := 0.0
		var above, below, rest []atom
		for _, a := range atoms {
			size = math.Max(size, a.size)
		}
		for _, a := range atoms {
			x := a.box.MidX()
			switch {
			case x < b.Lo-1 || x > b.Hi+1 || strings.HasPrefix(a.tex, "√"):
				rest = append(rest, a)
			case a.base <= b.Pos+.1*a.size && a.base > b.Pos-2.4*size:
				above = append(above, a)
			case a.base > b.Pos && a.base < b.Pos+2.6*size:
				below = append(below, a)
			default:
				rest = append(rest, a)
			}
		}
		var inner []content.Rule
		outer := bars[:0:0]
		for _, o := range bars {
			if o.Lo >= b.Lo-1 && o.Hi <= b.Hi+1 && math.Abs(o.Pos-b.Pos) < 2.4*size {
				inner = append(inner, o)
			} else {
				outer = append(outer, o)
			}
		}
		join := func(as []atom) string { return strings.Join(texRows(as, inner, depth+1), " ") }
		box := geometry.NewRect(b.Lo, b.Pos-size, b.Hi, b.Pos+size)
		switch {
		case len(above) > 0 && len(below) > 0:
			rest = append(rest, atom{tex: `\frac{` + join(above) + `}{` + join(below) + `}`, box: box, base: b.Pos + .25*size, size: size})
		case len(below) > 0 && len(above) == 0:
			root := -1
			for i := range rest {
				if strings.HasPrefix(rest[i].tex, "√") && math.Abs(rest[i].box.X1-b.Lo) < .6*size {
					root = i
				}
			}
			if root < 0 {
				continue // an overline, which is left out
			}
			a := rest[root]
			rest = slices.Delete(rest, root, root+1)
			rest = append(rest, atom{tex: `\sqrt{` + join(below) + `}`, box: geometry.NewRect(a.box.X0, a.box.Y0, b.Hi, a.box.Y1), base: below[0].base, size: below[0].size})
		default:
			continue
		}
		atoms, bars = rest, outer
	}
	return cutRows(atoms)
}

// cutRows groups atoms by the baselines of their large letters and writes each group.
func cutRows(atoms []atom) []string {
	size := 0.0
	for _, a := range atoms {
		size = math.Max(size, a.size)
	}
	var bases []float64
	for _, a := range atoms {
		if a.size >= .88*size && (!a.big || a.name) && !a.flat {
			bases = append(bases, a.base)
		}
	}
	if len(bases) == 0 {
		for _, a := range atoms {
			bases = append(bases, a.base)
		}
	}
	slices.Sort(bases)
	var centres []float64
	for i := 0; i < len(bases); {
		j := i
		for j < len(bases) && bases[j]-bases[i] < .9*size {
			j++
		}
		centres = append(centres, bases[i+(j-i)/2])
		i = j
	}
	rows := make([][]atom, len(centres))
	for _, a := range atoms {
		best, at := math.Inf(1), 0
		for i, c := range centres {
			if d := math.Abs(a.base - c); d < best {
				best, at = d, i
			}
		}
		rows[at] = append(rows[at], a)
	}
	var out []string
	for i := range rows {
		if s := texRow(rows[i], centres[i]); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// texRow writes atoms from left to right, raised and lowered ones as exponents and indices, limits after their operator.
func texRow(row []atom, base float64) string {
	size := 0.0
	for _, a := range row {
		size = math.Max(size, a.size)
	}
	sort.SliceStable(row, func(i, j int) bool { return row[i].box.X0 < row[j].box.X0 })
	level := func(a *atom) int {
		off := base - a.base
		switch {
		case a.big || a.flat || a.size >= .88*size && math.Abs(off) < .6*size:
			return 0
		case off > .12*size:
			return 1
		case off < -.08*size:
			return -1
		}
		return 0
	}
	// Limits above and below an operator come after it.
	used := make([]bool, len(row))
	limits := make([][2]string, len(row))
	for i := range row {
		op := &row[i]
		if !op.big {
			continue
		}
		for k := range row {
			a := &row[k]
			if k == i || used[k] || a.size > .88*size || a.box.MidX() < op.box.X0-1.2*op.size || a.box.MidX() > op.box.X1+.9*op.size {
				continue
			}
			near := .75 * size
			if op.name {
				near = .45 * size // letters are not as high as a sum is
			}
			if math.Abs(base-a.base) < near {
				continue // beside the operator, or the index of a neighbour
			}
			if op.name && level(a) == 1 {
				continue // an exponent of what comes before
			}
			switch lv := level(a); lv {
			case 1:
				limits[i][1] += a.tex
				used[k] = true
			case -1:
				limits[i][0] += a.tex
				used[k] = true
			}
		}
	}
	var b, raised, lowered strings.Builder
	right := math.Inf(-1)
	write := func(b *strings.Builder, tex string) {
		if inline.Spaced(b.String(), tex) {
			b.WriteByte(' ')
		}
		b.WriteString(tex)
	}
	// What is raised and what is lowered at one letter is gathered, since the two stand above each other.
	scripts := func() {
		if lowered.Len() > 0 {
			b.WriteString("_{" + lowered.String() + "}")
		}
		if raised.Len() > 0 {
			b.WriteString("^{" + raised.String() + "}")
		}
		lowered.Reset()
		raised.Reset()
	}
	for i := range row {
		a := &row[i]
		if used[i] {
			continue
		}
		lv := level(a)
		if b.Len() == 0 {
			lv = 0
		}
		wide := a.box.X0-right > .16*a.size && b.Len() > 0
		to := &b
		switch lv {
		case 1:
			to = &raised
		case -1:
			to = &lowered
		default:
			scripts()
		}
		if wide && (to == &b || to.Len() > 0) {
			to.WriteByte(' ')
		}
		write(to, a.tex)
		if limits[i][0] != "" {
			to.WriteString("_{" + limits[i][0] + "}")
		}
		if limits[i][1] != "" {
			to.WriteString("^{" + limits[i][1] + "}")
		}
		right = math.Max(right, a.box.X1)
	}
	scripts()
	return strings.TrimSpace(b.String())
}

// putArrows puts arrows and strokes on what they stand over.
func putArrows(atoms []atom) []atom {
	out := atoms[:0]
	for i := range atoms {
		a := atoms[i]
		if n := len(out); n > 0 && out[n-1].tex == inline.Stroke && math.Abs(out[n-1].base-a.base) < .1*a.size && a.box.X0-out[n-1].box.X0 < a.size {
			a.tex = norm.NFC.String(a.tex + inline.Stroke)
			out[n-1] = a
			continue
		}
		if n := len(out); n > 0 && out[n-1].tex == inline.VecAccent && math.Abs(out[n-1].box.X0-a.box.X0) < .7*a.size && math.Abs(out[n-1].base-a.base) < .6*a.size {
			a.tex = `\vec{` + a.tex + "}"
			out[n-1] = a
			continue
		}
		out = append(out, a)
	}
	return out
}
