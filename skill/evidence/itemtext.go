package evidence

import (
	"fmt"
	"io"
	"strings"

	"github.com/findspot/findspot/internal/visible"
)

// WriteText writes an item as a person reads it: its key, place and how it was found, then at most twelve lines of its text with open and
// close around each match. What would be invisible is written out. It returns the error of writing.
func (it Item) WriteText(w io.Writer, open, close string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "[%s] ", it.Key)
	if it.Kind == KindEntity || it.Kind == KindCaller || it.Kind == KindReference {
		fmt.Fprintf(&b, "%s  %s", visible.Text(it.At.Entity), visible.Text(it.At.String()))
	} else {
		fmt.Fprintf(&b, "%s", visible.Text(it.At.String()))
	}
	var how []string
	for _, s := range []string{it.Tier, it.viaWords(), it.Note} {
		if s != "" {
			how = append(how, s)
		}
	}
	if len(how) > 0 {
		fmt.Fprintf(&b, "  (%s)", visible.Text(strings.Join(how, "; ")))
	}
	fmt.Fprintf(&b, "\n")
	lines := strings.Split(strings.TrimSpace(visible.Mark(it.Text, it.Matches, open, close)), "\n")
	for i, line := range lines {
		if i == 12 {
			fmt.Fprintf(&b, "     ... %d more lines\n", len(lines)-i)
			break
		}
		fmt.Fprintf(&b, "     %s\n", line)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// viaWords names the source of a caller; of the rest it goes without saying.
func (it Item) viaWords() string {
	if it.Kind != KindCaller && it.Kind != KindReference {
		return ""
	}
	if it.Level == "" || it.Level == "exact" {
		return "by " + it.Via
	}
	return "by " + it.Via + ", level " + it.Level
}
