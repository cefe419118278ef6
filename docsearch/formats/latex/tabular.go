package latex

import (
	"fmt"
	"strings"

	"github.com/findspot/findspot/docsearch/internal/compose"
)

// A cells splits the body of a table.
type cells struct{}

// split splits at \\ outside of groups and environments, or at "&" where columns is true.
func (cells) split(s string, columns bool) (out []string) {
	from, depth, envs := 0, 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '%':
			if k := strings.IndexByte(s[i:], '\n'); k >= 0 {
				i += k
			} else {
				i = len(s)
			}
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c == '&' && columns && depth <= 0 && envs <= 0:
			out = append(out, s[from:i])
			from = i + 1
		case c == '\\' && i+1 < len(s):
			rest := s[i:]
			switch {
			case strings.HasPrefix(rest, `\begin{`):
				envs++
			case strings.HasPrefix(rest, `\end{`):
				envs--
			case !columns && depth <= 0 && envs <= 0 && (rest[1] == '\\' || strings.HasPrefix(rest, `\tabularnewline`) || strings.HasPrefix(rest, `\cr`) && (len(rest) == 3 || rest[3] == '\n' || rest[3] == ' ')):
				out = append(out, s[from:i])
				from = i + 2
				if rest[1] == 't' {
					from = i + len(`\tabularnewline`)
				} else if rest[1] == 'c' {
					from = i + 3
				}
				if k := strings.TrimLeft(s[from:min(len(s), from+3)], "*"); strings.HasPrefix(k, "[") {
					if end := strings.IndexByte(s[from:min(len(s), from+40)], ']'); end > 0 {
						from += end + 1
					}
				}
				i = from - 1
				continue
			}
			i++
		}
	}
	return append(out, s[min(from, len(s)):])
}

// tabular writes a table.
func (m *machine) tabular(name, plain string, floor int) {
	m.option(floor)
	if plain == "tabularx" || plain == "tabulary" || plain == "xltabular" || name == "tabular*" {
		m.arg(floor)
		m.option(floor)
	}
	m.option(floor)
	m.arg(floor)
	body := m.body(floor, name)
	if m.inline != nil {
		m.emit(" ")
		m.push(body + " ") // read where it stands, so that tables in tables take no longer than others
		return
	}
	caption := ""
	if m.float != nil {
		caption, m.float.caption = m.float.caption, ""
	}
	g := &compose.Grid{}
	was := m.float
	if plain == "longtable" {
		m.float = &float{kind: "table"}
	}
	covered := map[int]int{} // rows that a cell of \multirow still covers, by column
	rows := cells{}.split(body, false)
	for i, row := range rows {
		if k := strings.Index(row, `\caption`); k >= 0 && plain == "longtable" {
			in := input{frames: []frame{{row, k + len(`\caption`)}}}
			in.star(0)
			in.option(0)
			c := in.arg(0)
			rest := ""
			if f := in.top(0); f != nil {
				rest = f.s[f.i:]
			}
			if row = row[:k] + rest; caption == "" {
				caption = m.captionText(c)
			}
			if strings.TrimSpace(m.text(row)) == "" {
				continue
			}
		}
		// What longtable repeats at the top of pages is the head once more, and at their end not of the table.
		for _, end := range []string{`\endhead`, `\endfoot`, `\endlastfoot`} {
			if k := strings.Index(row, end); k >= 0 {
				row = row[k+len(end):]
			}
		}
		if i == len(rows)-1 && strings.TrimSpace(m.text(row)) == "" {
			break
		}
		m.row(g, row, covered)
	}
	m.float = was
	if m.page.Paragraph(true); g.Rows() > 0 {
		m.page.Table(g.Table(caption))
	}
	m.flush()
}

// row adds a row to a table.
func (m *machine) row(g *compose.Grid, src string, covered map[int]int) {
	g.Row()
	col := 0
	for _, c := range (cells{}).split(src, true) {
		span, rows := 1, 1
		for range 2 {
			for _, command := range []string{`\multicolumn`, `\multirow`} {
				k := strings.Index(c, command)
				if k < 0 {
					continue
				}
				in := input{frames: []frame{{c, k + len(command)}}}
				in.star(0)
				in.option(0)
				n := 1
				if _, err := fmt.Sscan(strings.TrimSpace(in.arg(0)), &n); err != nil || n < 1 || n > 1000 {
					n = 1
				}
				in.option(0)
				in.arg(0)
				in.option(0)
				text := in.arg(0)
				rest := ""
				if f := in.top(0); f != nil {
					rest = f.s[f.i:]
				}
				c = c[:k] + "{" + text + "}" + rest
				if command == `\multicolumn` {
					span = n
				} else {
					rows = n
				}
			}
		}
		text := m.text(c)
		if covered[col] > 0 && span == 1 { // the empty cell below one that spans rows: the grid skips it
			covered[col]--
			col++
			if text == "" {
				continue
			}
		} else {
			if rows > 1 {
				covered[col] = rows - 1
			}
			col += span
		}
		g.Cell(text, rows, span)
	}
}
