package visible

import (
	"io"
	"regexp"
	"strings"
	"unicode/utf8"
)

// A Writer passes on what is written to it as Text would return it, but for the sequences that set the look of letters on a terminal
// ("\x1b[1m"), which a program writes itself. It is not safe for concurrent use.
type Writer struct {
	w    io.Writer
	held string // the beginning of a character or of a sequence
}

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

var look = regexp.MustCompile(`\x1b\[[0-9;]{0,16}m`)

// Write writes p; the end of it that may go on is held back until the next call.
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

// shown is Text between the sequences that may stay.
func shown(s string) string {
	if Safe(s) {
		return s
	}
	var b strings.Builder
	from := 0
	for _, at := range look.FindAllStringIndex(s, -1) {
		b.WriteString(Text(s[from:at[0]]))
		b.WriteString(s[at[0]:at[1]])
		from = at[1]
	}
	b.WriteString(Text(s[from:]))
	return b.String()
}
