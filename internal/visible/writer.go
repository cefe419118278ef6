package visible

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/internal/lazyregexp"
)

// A Writer passes on what is written to it as Text would return it, but for the sequences that set the look of letters on a terminal
// ("\x1b[1m"), which a program writes itself. It is not safe for concurrent use.
type Writer struct {
	w    io.Writer
	held string // the beginning of a line
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
	if _, err := io.WriteString(w.w, shown(s[:keep])); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush writes what is held back.
func (w *Writer) Flush() error {
	s := w.held
	w.held = ""
	_, err := io.WriteString(w.w, shown(s))
	return err
}

// shown is Text of what stands around the sequences that may stay.
func shown(s string) string {
	var b strings.Builder
	var stay []inserted
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
	return withInserted(b.String(), stay)
}
