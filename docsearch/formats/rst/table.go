package rst

import (
	"slices"
	"strings"

	"golang.org/x/text/width"

	"github.com/findspot/findspot/docsearch/internal/compose"
)

// wide stands after a character that takes two columns.
const wide = '\uFFFF'

// columns returns the columns of a line: a wide character takes two.
func columns(s string) []rune {
	out := make([]rune, 0, len(s))
	for _, r := range s {
		out = append(out, r)
		if k := width.LookupRune(r).Kind(); k == width.EastAsianWide || k == width.EastAsianFullwidth {
			out = append(out, wide)
		}
	}
	return out
}

// display returns how many columns a text takes.
func display(s string) int { return len(columns(s)) }

func textOf(cols []rune) string {
	return strings.TrimRight(strings.ReplaceAll(string(cols), string(wide), ""), " ")
}

// dedent returns lines without the indentation that they share.
func dedent(lines []string) []string {
	lines = trimEmpty(lines)
	least := -1
	for _, s := range lines {
		if n := indentOf(s); s != "" && (least < 0 || n < least) {
			least = n
		}
	}
	out := make([]string, len(lines))
	for i, s := range lines {
		if s != "" {
			out[i] = s[least:]
		}
	}
	return out
}

// gridTable reads a table that is drawn with "+", "-" and "|". Cells that no line parts are one.
func (d *document) gridTable(lines []string, i, depth int) ([]*node, int) {
	next := i
	for next < len(lines) && lines[next] != "" && (lines[next][0] == '+' || lines[next][0] == '|') {
		next++
	}
	w := len(lines[i])
	art := make([][]rune, next-i)
	for k := range art {
		art[k] = columns(lines[i+k])
		for len(art[k]) < w {
			art[k] = append(art[k], ' ')
		}
	}
	asItStands := func() ([]*node, int) {
		return []*node{{kind: literal, text: strings.Join(lines[i:next], "\n")}}, next
	}
	// The lines and columns at which any cell ends.
	var ys, xs []int
	isX := make([]bool, w)
	for y, row := range art {
		rule := false
		for x := 0; x < w; x++ {
			if row[x] == '+' && (x+1 < w && (row[x+1] == '-' || row[x+1] == '=') || x > 0 && (row[x-1] == '-' || row[x-1] == '=')) {
				rule = true
				isX[x] = true
			}
		}
		if rule {
			ys = append(ys, y)
		}
	}
	for x, is := range isX {
		if is {
			xs = append(xs, x)
		}
	}
	rows, cols := len(ys)-1, len(xs)-1
	if rows < 1 || cols < 1 || rows*cols > compose.MaxCells || ys[rows] != len(art)-1 || rows*cols*8 > 64*len(art)*w {
		return asItStands()
	}
	joinedRight := func(r, c int) bool { // no line stands between (r, c) and (r, c+1)
		for y := ys[r] + 1; y < ys[r+1]; y++ {
			if ch := art[y][xs[c+1]]; ch != '|' && ch != '+' {
				return true
			}
		}
		return false
	}
	joinedBelow := func(r, c int) bool {
		for x := xs[c] + 1; x < xs[c+1]; x++ {
			if ch := art[ys[r+1]][x]; ch != '-' && ch != '=' && ch != '+' {
				return true
			}
		}
		return false
	}
	n := &node{kind: grid, rows: make([][]cell, rows)}
	taken := make([][]bool, rows)
	for r := range taken {
		taken[r] = make([]bool, cols)
	}
	for r := range rows {
		for c := range cols {
			if taken[r][c] {
				continue
			}
			c2 := c
			for c2+1 < cols && !taken[r][c2+1] && joinedRight(r, c2) {
				c2++
			}
			r2 := r
			for r2+1 < rows && joinedBelow(r2, c) && !slices.Contains(taken[r2+1][c:c2+1], true) {
				r2++
			}
			for y := r; y <= r2; y++ {
				for x := c; x <= c2; x++ {
					taken[y][x] = true
				}
			}
			var text []string
			for y := ys[r] + 1; y < ys[r2+1]; y++ {
				text = append(text, textOf(art[y][xs[c]+1:xs[c2+1]]))
			}
			n.rows[r] = append(n.rows[r], cell{r2 - r + 1, c2 - c + 1, d.parse(dedent(text), depth+1, false)})
		}
	}
	return []*node{n}, next
}

// simpleTable reads a table whose columns are the runs of "=" above it.
func (d *document) simpleTable(lines []string, i, depth int) ([]*node, int) {
	border := lines[i]
	next, borders := i+1, 1
	for ; next < len(lines); next++ {
		if simpleTop.MatchString(lines[next]) && len(lines[next]) == len(border) || strings.Trim(lines[next], "=") == "" && len(lines[next]) == len(border) {
			borders++
			if borders >= 3 || next+1 >= len(lines) || lines[next+1] == "" {
				break
			}
		}
	}
	if next >= len(lines) {
		return []*node{{text: border}}, i + 1
	}
	type span struct{ from, to int }
	spans := func(rule string, sign byte) (out []span) {
		for x := 0; x < len(rule); {
			if rule[x] != sign {
				x++
				continue
			}
			from := x
			for x < len(rule) && rule[x] == sign {
				x++
			}
			out = append(out, span{from, x})
		}
		return out
	}
	cols := spans(border, '=')
	n := &node{kind: grid}
	var group [][]rune // lines of the rows under way, until a rule says how they are parted
	cut := func(row []rune, s span, last bool) string {
		to := min(s.to, len(row))
		if last {
			to = len(row)
		}
		return textOf(row[min(s.from, to):to])
	}
	cells := 0
	flush := func(parts []span) {
		var row [][]string
		emit := func() {
			if row == nil {
				return
			}
			var out []cell
			for k, text := range row {
				width := 0
				for _, c := range cols {
					if c.from >= parts[k].from && (c.from < parts[k].to || k == len(row)-1) {
						width++
					}
				}
				if cells++; cells < compose.MaxCells {
					out = append(out, cell{1, max(width, 1), d.parse(dedent(text), depth+1, false)})
				}
			}
			n.rows = append(n.rows, out)
			row = nil
		}
		for _, line := range group {
			if strings.TrimSpace(cut(line, parts[0], len(parts) == 1)) != "" {
				emit()
			}
			if row == nil {
				if strings.TrimSpace(string(line)) == "" {
					continue
				}
				row = make([][]string, len(parts))
			}
			for k, p := range parts {
				row[k] = append(row[k], cut(line, p, k == len(parts)-1))
			}
		}
		emit()
		group = nil
	}
	for k := i + 1; k <= next; k++ {
		line := lines[k]
		switch {
		case line != "" && strings.Trim(line, "= ") == "" && line[0] == '=':
			parts := spans(line, '=')
			flush(parts)
		case strings.HasPrefix(line, "--") && strings.Trim(line, "- ") == "":
			flush(spans(line, '-'))
		default:
			group = append(group, columns(line))
		}
	}
	return []*node{n}, next + 1
}
