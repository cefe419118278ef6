package asciidoc

import (
	"encoding/csv"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/findspot/findspot/docsearch/internal/compose"
	"github.com/findspot/findspot/internal/lazyregexp"
)

// cellSpec is what may stand before the separator of a cell: spans or a factor, alignment, style.
var cellSpec = lazyregexp.New(`(?:^|[ \t\n])(?:([0-9]{0,4})(?:\.([0-9]{1,4}))?([+*]))?([<^>](?:\.[<^>])?|\.[<^>])?([adehlmsv])?$`)

// A rawCell is a cell as it is written.
type rawCell struct {
	text             string
	rowSpan, colSpan int
	style            byte
}

// table reads the lines between the fences of a table. sign is the first of its fence.
func (d *document) table(sign string, lines []string, depth int, a *attrs) *node {
	n := &node{kind: table, text: d.caption("table", a)}
	separator, format := a.named["separator"], a.named["format"]
	if format == "" {
		format = map[string]string{",": "csv", ":": "dsv"}[sign]
	}
	if separator == "" {
		separator = map[string]string{"csv": ",", "tsv": "\t", "dsv": ":"}[format]
	}
	if separator == "" {
		separator = sign
	}
	if separator == `\t` {
		separator = "\t"
	}
	for i, s := range lines {
		if m := includeLine.FindStringSubmatch(s); m != nil {
			lines[i] = separator + "pass:[(includes " + strings.ReplaceAll(d.substitute(m[1]), "]", "") + ")]"
			if format != "" {
				lines[i] = lines[i][len(separator):]
			}
		}
	}
	styles := columns(a.named["cols"])
	var cells []rawCell
	first := 0 // cells of the first line, which say how many columns there are
	switch format {
	case "csv", "tsv", "dsv":
		r := csv.NewReader(strings.NewReader(strings.Join(lines, "\n")))
		r.Comma, r.FieldsPerRecord, r.LazyQuotes, r.TrimLeadingSpace = []rune(separator)[0], -1, true, format == "csv"
		for {
			row, err := r.Read()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil { // the lines are text all the same
				return &node{kind: literal, text: strings.Join(lines, "\n")}
			}
			if first == 0 {
				first = len(row)
			}
			for _, s := range row {
				cells = append(cells, rawCell{s, 1, 1, 0})
			}
		}
	default:
		cells, first = separated(strings.Join(lines, "\n"), separator)
	}
	cols := len(styles)
	if cols == 0 {
		cols = first
	}
	if cols == 0 || cols > compose.MaxCells {
		return n
	}
	covered := make([]int, cols)
	col := cols
	for _, c := range cells {
		for range 2 { // a row may be covered whole by those above
			if col >= cols {
				if len(n.rows) >= compose.MaxCells {
					return n
				}
				n.rows = append(n.rows, nil)
				col = 0
			}
			for col < cols && covered[col] > 0 {
				covered[col]--
				col++
			}
			if col < cols {
				break
			}
		}
		if col >= cols {
			continue
		}
		c.colSpan = min(c.colSpan, cols-col)
		style := c.style
		if style == 0 && col < len(styles) {
			style = styles[col]
		}
		for k := col; k < col+c.colSpan; k++ {
			covered[k] = c.rowSpan - 1
		}
		col += c.colSpan
		n.rows[len(n.rows)-1] = append(n.rows[len(n.rows)-1], cell{c.rowSpan, c.colSpan, d.cell(c.text, style, depth)})
	}
	return n
}

// cell reads the content of a cell.
func (d *document) cell(text string, style byte, depth int) []*node {
	text = strings.TrimSpace(text)
	switch style {
	case 'a':
		return d.all(strings.Split(text, "\n"), depth+1)
	case 'l':
		return []*node{{kind: literal, text: text}}
	}
	return []*node{{text: d.substitute(text)}}
}

// columns returns the style of each column that the attribute cols names.
func columns(s string) (out []byte) {
	if s = strings.TrimSpace(s); s == "" {
		return nil
	}
	sep := ","
	if !strings.Contains(s, ",") && strings.Contains(s, ";") {
		sep = ";"
	}
	for part := range strings.SplitSeq(s, sep) {
		part = strings.TrimSpace(part)
		n := 1
		if num, rest, ok := strings.Cut(part, "*"); ok {
			if k, err := strconv.Atoi(strings.TrimSpace(num)); err == nil {
				n = min(max(k, 1), 1000)
			}
			part = rest
		}
		style := byte(0)
		if part != "" && strings.IndexByte("adehlmsv", part[len(part)-1]) >= 0 {
			style = part[len(part)-1]
		}
		for range n {
			if len(out) < 10_000 {
				out = append(out, style)
			}
		}
	}
	return out
}

// separated splits the text of a table into cells. first is how many begin on its first line.
func separated(s, separator string) (cells []rawCell, first int) {
	var current *rawCell
	factor := 1
	from := 0
	line := 0
	finish := func(to int) {
		if current == nil {
			return
		}
		current.text = strings.ReplaceAll(s[from:max(to, from)], `\`+separator, separator)
		for range factor {
			if len(cells) < compose.MaxCells {
				cells = append(cells, *current)
			}
		}
	}
	for i := 0; i < len(s); i++ {
		if s[i] == '\n' {
			if line == 0 && current != nil {
				line = 1
				first = len(cells) + factor
			}
			continue
		}
		if s[i] == '\\' && strings.HasPrefix(s[i+1:], separator) {
			i += len(separator)
			continue
		}
		if !strings.HasPrefix(s[i:], separator) {
			continue
		}
		back := max(i-24, from)
		m := cellSpec.FindStringSubmatchIndex(s[back:i])
		next := rawCell{rowSpan: 1, colSpan: 1}
		end, count := i, 1
		if m != nil {
			get := func(k int) string {
				if m[2*k] < 0 {
					return ""
				}
				return s[back+m[2*k] : back+m[2*k+1]]
			}
			col, _ := strconv.Atoi(get(1)) // 0 where there is none
			row, _ := strconv.Atoi(get(2))
			if get(3) == "*" {
				count = min(max(col, 1), 1000)
			} else if get(3) == "+" {
				next.colSpan, next.rowSpan = min(max(col, 1), 1000), min(max(row, 1), compose.MaxCells)
			}
			if st := get(5); st != "" {
				next.style = st[0]
			}
			end = back + m[0]
		}
		finish(end)
		current, factor, from = &next, count, i+len(separator)
		i += len(separator) - 1
	}
	finish(len(s))
	if line == 0 {
		first = len(cells)
	}
	return cells, first
}
