package visible

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/internal/lazyregexp"
)

// A Writer passes on what is written to it as Text would return it, but for the sequences that set the look of letters on a terminal
// ("\x1b[1m"), which a program writes itself, and for links, see [Writer.Link]. It is not safe for concurrent use.
type Writer struct {
	w     io.Writer
	held  string     // the beginning of a line
	links []inserted // sequences to put into held, in order
}

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// maxLine bounds what is held back of a line.
const maxLine = 16 << 10

var look = lazyregexp.New(`\x1b\[[0-9;]{0,16}m`)

// Write writes p; the line at the end of it is held back until it ends.
func (w *Writer) Write(p []byte) (int, error) {
	s := w.held + string(p)
	keep := len(s)
	for i := max(0, len(s)-24); i < len(s); i++ {
		rest := s[i:]
		unfinished := !utf8.FullRuneInString(rest) || rest == "\r" || rest[0] == '\x1b' && len(rest) < 20 && !look.MatchString(rest) && strings.Trim(rest[1:], "[0123456789;") == ""
		if unfinished && utf8.RuneStart(rest[0]) {
			keep = i
			break
		}
	}
	if line := strings.LastIndexByte(s[:keep], '\n') + 1; keep-line < maxLine {
		keep = line // words of it are told by what stands beside them
	}
	w.held = s[keep:]
	if _, err := io.WriteString(w.w, shown(s[:keep], w.due(keep))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush writes what is held back.
func (w *Writer) Flush() error {
	s := w.held
	w.held = ""
	_, err := io.WriteString(w.w, shown(s, w.due(len(s))))
	return err
}

// due takes the sequences of links that belong to the first n bytes of what is held.
func (w *Writer) due(n int) []inserted {
	i := 0
	for i < len(w.links) && w.links[i].at <= n {
		i++
	}
	due := w.links[:i:i]
	w.links = w.links[i:]
	for k := range w.links {
		w.links[k].at -= n
	}
	return due
}

// shown is Text of what stands around the sequences that may stay, with links put in. Nothing of one text reaches over the end of a link into another.
func shown(s string, links []inserted) string {
	if len(links) == 0 {
		b, stay := styles(s)
		return withInserted(b, stay)
	}
	var b strings.Builder
	var stay []inserted
	from := 0
	add := func(to int) {
		part, in := styles(s[from:to])
		for _, x := range in {
			stay = append(stay, inserted{b.Len() + x.at, x.text})
		}
		b.WriteString(part)
		from = to
	}
	for _, l := range links {
		add(l.at)
		stay = append(stay, inserted{b.Len(), l.text})
	}
	add(len(s))
	return withInserted(b.String(), stay)
}

// styles parts a text from the sequences in it that set the look of letters.
func styles(s string) (text string, stay []inserted) {
	var b strings.Builder
	add := func(piece string) {
		if !utf8.ValidString(piece) { // no sequence stands within a letter
			piece = Text(piece)
		}
		b.WriteString(piece)
	}
	from := 0
	for _, at := range look.FindAllStringIndex(s, -1) {
		add(s[from:at[0]])
		stay = append(stay, inserted{b.Len(), s[at[0]:at[1]]})
		from = at[1]
	}
	add(s[from:])
	return b.String(), stay
}
