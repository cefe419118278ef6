package edit

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/lspclient/internal/source"
)

// Apply returns the text with the edits, which must be sorted and apart.
func Apply(c *source.Text, edits []Edit) []byte {
	var out []byte
	at := 0
	for _, e := range edits {
		from := c.Offset(e.Location.Line, e.Location.Col)
		out = append(append(out, c.Bytes[at:from]...), e.New...)
		at = c.Offset(e.Location.EndLine, e.Location.EndCol)
	}
	return append(out, c.Bytes[at:]...)
}

// writeDiff writes the unified diff of one file. Lines are those of the diff tools, which end in LF alone.
func writeDiff(w *bytes.Buffer, f FileEdits, text *source.Text, around int) error {
	type block struct{ from, to int } // lines of the old text that change, from 0, half-open
	lines := bytes.SplitAfter(text.Bytes, []byte{'\n'})
	starts := make([]int, len(lines)+1)
	for i, l := range lines {
		starts[i+1] = starts[i] + len(l)
	}
	if len(lines[len(lines)-1]) == 0 { // the text ends in LF
		lines = lines[:len(lines)-1]
	}
	lineOf := func(offset int) int {
		i, found := slices.BinarySearch(starts[:max(1, len(lines))], offset)
		if !found {
			i--
		}
		return i
	}
	var blocks []block
	var grouped [][]Edit
	for _, e := range f.Edits {
		from := text.Offset(e.Location.Line, e.Location.Col)
		to := text.Offset(e.Location.EndLine, e.Location.EndCol)
		b := block{lineOf(from), min(lineOf(max(from, to-1))+1, len(lines))}
		if to > from && text.Bytes[to-1] == '\n' && !strings.HasSuffix(e.New, "\n") && to < len(text.Bytes) {
			b.to = min(b.to+1, len(lines)) // the next line is joined
		}
		if n := len(blocks); n > 0 && b.from <= blocks[n-1].to {
			blocks[n-1].to = max(blocks[n-1].to, b.to)
			grouped[n-1] = append(grouped[n-1], e)
			continue
		}
		blocks, grouped = append(blocks, b), append(grouped, []Edit{e})
	}
	fmt.Fprintf(w, "--- %s\n+++ %s\n", diffName("a/"+f.Path), diffName("b/"+f.Path))
	moved := 0 // how many lines the text has grown so far
	for i := 0; i < len(blocks); {
		last := i // the last block of the hunk
		for last+1 < len(blocks) && blocks[last+1].from-blocks[last].to <= 2*around {
			last++
		}
		from, to := max(0, blocks[i].from-around), min(len(lines), blocks[last].to+around)
		var body bytes.Buffer
		added, at := 0, from
		put := func(sign byte, n int, line []byte) {
			body.WriteByte(sign)
			if n == 0 && text.BOM { // the tools know no mark, and compare bytes
				body.WriteString("\ufeff")
			}
			body.Write(line)
			if !bytes.HasSuffix(line, []byte{'\n'}) {
				body.WriteString("\n\\ No newline at end of file\n")
			}
		}
		for ; i <= last; i++ {
			b := blocks[i]
			for ; at < b.from; at++ {
				put(' ', at, lines[at])
			}
			for ; at < b.to; at++ {
				put('-', at, lines[at])
			}
			piece := source.NewText(text.Bytes[starts[b.from]:starts[b.to]])
			first, _ := text.Place(starts[b.from])
			shifted := slices.Clone(grouped[i])
			for j := range shifted {
				l := &shifted[j].Location
				l.Line, l.EndLine = l.Line-first+1, l.EndLine-first+1
			}
			fresh := bytes.SplitAfter(Apply(piece, shifted), []byte{'\n'})
			if len(fresh[len(fresh)-1]) == 0 {
				fresh = fresh[:len(fresh)-1]
			}
			for n, line := range fresh {
				put('+', b.from+n, line)
			}
			added += len(fresh) - (b.to - b.from)
		}
		for ; at < to; at++ {
			put(' ', at, lines[at])
		}
		fmt.Fprintf(w, "@@ -%s +%s @@\n", hunkRange(from, to-from), hunkRange(from+moved, to-from+added))
		w.Write(body.Bytes())
		moved += added
		if w.Len() > maxEditText {
			return errors.Join(errs.TooLarge, errors.New("the diff is too large"))
		}
	}
	return nil
}

// hunkRange writes lines counted from 0 as a diff does: from 1, and from the line before when there are none.
func hunkRange(from, n int) string {
	if n == 0 {
		return fmt.Sprintf("%d,0", from)
	}
	if n == 1 {
		return fmt.Sprint(from + 1)
	}
	return fmt.Sprintf("%d,%d", from+1, n)
}

// diffName quotes a path as git does when a plain one could be misread.
func diffName(path string) string {
	plain := !strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' || r == 0x7f })
	if plain {
		if strings.Contains(path, " ") {
			return path + "\t" // the tools end a name at a tab
		}
		return path
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(path) {
		switch c := path[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + `"`
}
