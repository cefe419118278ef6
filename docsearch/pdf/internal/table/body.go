package table

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
	"github.com/findspot/findspot/docsearch/pdf/internal/tabular"
	"github.com/findspot/findspot/internal/lazyregexp"
)

// build makes the table from the cells of the head and the rows of the body.
func (s *sheet) build(heads []hcell) {
	n := levels(heads)
	t := Table{box: s.box, Cols: len(s.gutters) + 1, ruled: s.kind != fromStream}
	for i, h := range heads {
		end := n
		for k := i + 1; k < len(heads); k++ {
			if heads[k].c < h.c+h.cs && h.c < heads[k].c+heads[k].cs {
				end = min(end, heads[k].level)
			}
		}
		t.cells = append(t.cells, tcell{h.level, h.c, max(end-h.level, 1), h.cs, h.text})
	}
	groups := s.bodyGroups()
	for g, group := range groups {
		var cells []tcell
		for _, k := range group {
			for _, c := range s.lines[k].cells {
				placed := false
				for i := range cells {
					if p := &cells[i]; p.c < c.c+c.cs && c.c < p.c+p.cs {
						p.text = s.f.words.JoinLines(p.text, c.text)
						p.cs = max(p.c+p.cs, c.c+c.cs) - min(p.c, c.c)
						p.c = min(p.c, c.c)
						placed = true
						break
					}
				}
				if !placed {
					cells = append(cells, tcell{n + g, c.c, 1, c.cs, c.text})
				}
			}
		}
		slices.SortFunc(cells, func(a, b tcell) int { return a.c - b.c })
		for i := 1; i < len(cells); i++ { // a joined span may reach into the next cell
			if p := &cells[i-1]; p.c+p.cs > cells[i].c {
				p.cs = max(1, cells[i].c-p.c)
			}
		}
		for _, c := range cells {
			if c.c > 0 {
				s.numbers++
				if tabular.Numeric(c.text) {
					s.figures++
				}
			}
		}
		t.cells = append(t.cells, cells...)
	}
	s.spanLabels(&t, groups, n)
	t.rows = n + len(groups)
	t.head = n
	s.table = t
}

// spanLabels lets labels of the first column that stand in the middle of a band of several rows between two rules span it.
func (s *sheet) spanLabels(t *Table, groups [][]int, head int) {
	base := func(g int) (lo, hi float64) {
		return s.lines[groups[g][0]].Base, s.lines[groups[g][len(groups[g])-1]].Base
	}
	for g := 0; g < len(groups); {
		end := g + 1
		for end < len(groups) {
			_, a := base(end - 1)
			b, _ := base(end)
			if s.ruled(a-.3*s.em, b-.3*s.em, s.box.X0, s.box.X1, .6) {
				break
			}
			end++
		}
		at := -1
		for i := range t.cells {
			if c := &t.cells[i]; c.r >= head+g && c.r < head+end && c.c == 0 && c.text != "" {
				if at >= 0 {
					at = -2
					break
				}
				at = i
			}
		}
		if end-g > 1 && at >= 0 && t.cells[at].cs == 1 {
			y := 0.0
			for _, k := range groups[t.cells[at].r-head] {
				if s.lines[k].has(0) {
					y = s.lines[k].Base
				}
			}
			first, _ := base(g)
			_, last := base(end - 1)
			if step := (last - first) / float64(end-g-1); math.Abs(y-(first+last)/2) < .3*step && end-g < len(groups) {
				t.cells[at].r, t.cells[at].rs = head+g, end-g
			}
		}
		g = end
	}
}

// bodyGroups puts the rows of the body that make one row of the table together.
func (s *sheet) bodyGroups() [][]int {
	lines := s.lines[s.head:]
	var steps []float64
	for i := 1; i < len(lines); i++ {
		steps = append(steps, lines[i].Base-lines[i-1].Base)
	}
	median := geometry.Median(slices.Clone(steps), 1.2*s.em)
	cut := make([]bool, len(lines))
	n := 0
	for i := 1; i < len(lines); i++ {
		if s.ruled(lines[i-1].Base-.3*s.em, lines[i].Base-.3*s.em, s.box.X0, s.box.X1, .6) {
			cut[i] = true
			n++
		}
	}
	bands := n >= 3 && float64(n+1) >= .4*float64(len(lines)) && !s.numbersTwice(lines, cut)
	groups := [][]int{{s.head}}
	for i := 1; i < len(lines); i++ {
		g := &groups[len(groups)-1]
		next := math.Inf(1)
		if i+1 < len(lines) && !cut[i+1] {
			next = steps[i]
		}
		if !cut[i] && (bands || s.joinsRow((*g)[0], s.head+i, steps[i-1], next, median)) {
			*g = append(*g, s.head+i)
			continue
		}
		groups = append(groups, []int{s.head + i})
	}
	return groups
}

// numbersTwice reports whether some band between rules fills a column of figures twice: then its rows are rows.
func (s *sheet) numbersTwice(lines []sline, cut []bool) bool {
	seen := map[int]bool{}
	for i := range lines {
		if cut[i] {
			clear(seen)
		}
		for _, c := range lines[i].cells {
			if c.num && c.c > 0 {
				if seen[c.c] {
					return true
				}
				seen[c.c] = true
			}
		}
	}
	return false
}

var openEnd = lazyregexp.New(`(?i)([-‐–/,&]|\b(of|and|or|the|in|for|to|with|by|a|on|from|per))$`)

// joinsRow reports whether line k goes on with the row of lines first to k-1.
func (s *sheet) joinsRow(first, k int, step, next, median float64) bool {
	l, prev := &s.lines[k], &s.lines[k-1]
	step, next = step/s.em, next/s.em
	figures, above := 0, 0
	lower := true
	for _, c := range l.cells {
		if c.num {
			figures++
		}
		r, _ := utf8.DecodeRuneInString(c.text)
		lower = lower && (unicode.IsLower(r) || strings.ContainsRune("(/&", r))
		for j := first; j < k; j++ {
			if s.lines[j].has(c.c) {
				above++
				break
			}
		}
	}
	label := l.has(0)
	if !label {
		// Text only beneath other columns goes on there; a figure does when it is centred beside a label of two lines.
		if figures == 0 && step <= 1.45 && above == len(l.cells) {
			// In a list of the same step whose first column names groups, each line is a row of its own.
			return step < .97*median/s.em || len(l.cells) < 2 || lower || s.wraps(prev, l)
		}
		// With wide leading only text that had no room left goes on.
		if figures == 0 && step <= 2.2 && step*s.em <= 1.15*median && above == len(l.cells) && s.wraps(prev, l) {
			return true
		}
		return above == 0 && step <= .8
	}
	if len(l.cells) == 1 { // the first column alone
		t, p := l.cells[0].text, ""
		if prev.has(0) {
			p = prev.cells[0].text
		}
		dataAbove := false
		for j := first; j < k; j++ {
			dataAbove = dataAbove || !s.labelOnly(&s.lines[j])
		}
		if dataAbove {
			switch {
			case step <= .8:
				return true
			case p == "":
				return false
			case step <= 1.4 && (lower || openHyphen(p) || !math.IsInf(next, 1) && next > 1.2*step && l.cells[0].x0 >= prev.cells[0].x0-1 && tabular.AlphaWords(l.cells[0].words) > 0 && !strings.HasSuffix(t, ":")):
				return true
			}
			indent := l.cells[0].x0 > prev.cells[0].x0+.3*s.em
			return step <= 1.6 && s.overflows(prev, l) && (indent || step < .97*median/s.em)
		}
	}
	if s.labelOnly(prev) && k-first <= 3 && step <= 1.4 {
		t := prev.cells[0].text
		if !strings.HasSuffix(t, ":") && (openEnd.MatchString(t) || labelLower(l)) {
			return true
		}
	}
	return above == len(l.cells) && len(l.cells) >= 2 && figures == 0 && step < 1.3 && (step < .93*median/s.em || lower && s.wrapsSome(prev, l))
}

func openHyphen(t string) bool {
	r, _ := utf8.DecodeLastRuneInString(t)
	return strings.ContainsRune("-‐/,&", r)
}

func labelLower(l *sline) bool {
	r, _ := utf8.DecodeRuneInString(l.cells[0].text)
	return l.cells[0].c == 0 && (unicode.IsLower(r) || r == '(' || r == '&')
}

// overflows reports whether the first word of a label would not have fitted at the end of the one above.
func (s *sheet) overflows(prev, l *sline) bool {
	_, hi := s.extent(0)
	return prev.cells[0].x1+.3*s.em+l.cells[0].words[0].Box.Width() > hi
}

// wrapsSome reports whether some cell of a line goes on with the one above it because that one was full. Text that is
// divided over all columns at once has such a cell; rows of words in small letters have none.
func (s *sheet) wrapsSome(prev, l *sline) bool {
	return slices.ContainsFunc(l.cells, func(c scell) bool { return len(c.words) > 1 && s.wrapsCell(prev, &c) })
}

// wraps reports whether each cell of a line goes on with the one above it because that one was full.
func (s *sheet) wraps(prev, l *sline) bool {
	return !slices.ContainsFunc(l.cells, func(c scell) bool { return !s.wrapsCell(prev, &c) })
}

func (s *sheet) wrapsCell(prev *sline, c *scell) bool {
	ok := false
	for j := range prev.cells {
		if p := &prev.cells[j]; p.c == c.c {
			_, hi := s.extent(c.c)
			ok = p.x1+.3*s.em+c.words[0].Box.Width() > hi || openEnd.MatchString(p.text)
		}
	}
	return ok
}
