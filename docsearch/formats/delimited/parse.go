package delimited

import (
	"bytes"
	"math"
	"strconv"
	"strings"
)

// maxQuoted is how many bytes a value in quotes has at most: what goes on longer is a quote that was not closed.
const maxQuoted = 1 << 20

// parse reads the row at an offset. White space in a value becomes one blank. A row of more than maxCells values ends after one more.
func parse(data []byte, at int, delimiter byte) (cells []string, next int) {
	for {
		start := at
		for at < len(data) && data[at] == ' ' && delimiter != ' ' {
			at++
		}
		var value string
		quoted := false
		if at < len(data) && data[at] == '"' {
			if v, end, ok := quote(data, at, delimiter); ok {
				value, at, quoted = v, end, true
			}
		}
		if !quoted {
			at = start
			for at < len(data) && data[at] != delimiter && data[at] != '\n' && data[at] != '\r' {
				at++
			}
			value = string(data[start:at])
		}
		cells = append(cells, strings.Join(strings.Fields(value), " "))
		switch {
		case at >= len(data):
			return cells, at
		case data[at] == '\r' && at+1 < len(data) && data[at+1] == '\n':
			return cells, at + 2
		case data[at] == '\n' || data[at] == '\r':
			return cells, at + 1
		}
		if len(cells) > maxCells {
			return cells, at
		}
		at++ // the delimiter
		if at >= len(data) {
			return append(cells, ""), at
		}
	}
}

// quote reads a value in quotes, and what stands between its last quote and the delimiter, where there should be blanks at most. It is false where
// the quotes enclose no value.
func quote(data []byte, at int, delimiter byte) (value string, end int, ok bool) {
	var b strings.Builder
	limit := min(len(data), at+maxQuoted)
	for i := at + 1; i < limit; i++ {
		if data[i] != '"' {
			b.WriteByte(data[i])
			continue
		}
		if i+1 < len(data) && data[i+1] == '"' {
			b.WriteByte('"')
			i++
			continue
		}
		i++
		for i < len(data) && (data[i] == ' ' && delimiter != ' ') {
			i++
		}
		if i < len(data) && data[i] != delimiter && data[i] != '\n' && data[i] != '\r' {
			return "", 0, false
		}
		return b.String(), i, true
	}
	return "", 0, false
}

// sample is how many bytes at the beginning of a file tell its delimiter.
const sample = 64 << 10

// delimiter finds what parts the values: what gives the first rows the same number of values, and the most of them. A first line "sep=;", which Excel writes and
// reads, says it; it is left out of the data that are returned.
func delimiter(data []byte) ([]byte, byte) {
	if rest, ok := bytes.CutPrefix(data, []byte("sep=")); ok && len(rest) > 1 && (rest[1] == '\n' || rest[1] == '\r') && rest[0] != '"' && (rest[0] > ' ' || rest[0] == '\t') {
		_, next := parse(rest, 1, rest[0])
		return rest[next:], rest[0]
	}
	head := data[:min(len(data), sample)]
	whole := len(head) == len(data)
	best, score := byte(','), -1.0
	for _, d := range []byte{',', '\t', ';', '|'} {
		counts := map[int]int{}
		rows := 0
		for at := 0; at < len(head) && rows < 200; {
			cells, next := parse(head, at, d)
			if next >= len(head) && !whole && rows > 0 {
				break // cut off
			}
			at = next
			if !blank(cells) {
				counts[len(cells)]++
				rows++
			}
		}
		if rows == 0 {
			continue
		}
		// The usual number of values, and how many rows have it.
		usual, n := 1, 0
		for c, k := range counts {
			if k > n || k == n && c > usual {
				usual, n = c, k
			}
		}
		if usual < 2 { // most rows are not parted
			continue
		}
		if s := math.Pow(float64(n)/float64(rows), 2) * math.Log2(float64(usual)+1); s > score {
			best, score = d, s
		}
	}
	return data, best
}

// head reports whether the first row names the columns: its values are there and differ, none is a number, and none comes again below itself in the rows after it.
func head(rows [][]string) bool {
	if len(rows) < 2 || len(rows[0]) < 2 {
		return false
	}
	seen := map[string]bool{}
	for i, s := range rows[0] {
		if s == "" && (i == 0 || i == len(rows[0])-1) { // the corner of a table with names at the side as well; a delimiter at the end
			continue
		}
		if s == "" || number(s) || seen[s] || len(s) > 200 {
			return false
		}
		seen[s] = true
		for _, r := range rows[1:] {
			if i < len(r) && r[i] == s {
				return false
			}
		}
	}
	return len(seen) > 0
}

// number reports whether a value is a number, a date or a time, as far as its signs tell.
func number(s string) bool {
	digits := 0
	for _, c := range s {
		switch {
		case c >= '0' && c <= '9':
			digits++
		case strings.ContainsRune("+-.,:/ %$€£eE'TZ", c):
		default:
			_, err := strconv.ParseFloat(s, 64)
			return err == nil
		}
	}
	return digits > 0
}
