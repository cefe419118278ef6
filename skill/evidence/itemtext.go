package evidence

import (
	"io"
	"math"
	"strings"

	"github.com/findspot/findspot/internal/visible"
)

// WriteText writes an item as a person reads it: its key, place and how it was found, then at most twelve lines of its text with open and
// close around each match. What would be invisible is written out. It returns the error of writing.
func (it Item) WriteText(w io.Writer, open, close string) error { return it.write(w, 12, open, close) }

// WriteWhole is [Item.WriteText] with all lines of its text.
func (it Item) WriteWhole(w io.Writer, open, close string) error {
	return it.write(w, math.MaxInt, open, close)
}

func (it Item) write(w io.Writer, most int, open, close string) error {
	p := visible.Printer{W: w}
	if it.Key != "" {
		p.Printf("[%s] ", it.Key)
	}
	if it.Kind == KindEntity || it.Kind == KindCaller || it.Kind == KindReference {
		p.Printf("%s  ", visible.Text(it.At.Entity))
	}
	at := it.At
	p.Link(visible.Spot{Doc: at.Doc, Name: at.Name, Page: at.Page, Repo: at.Repo, Path: at.Path, Line: at.Line}, at.String())
	var how []string
	for _, s := range []string{it.Tier, it.viaWords(), it.Note} {
		if s != "" {
			how = append(how, s)
		}
	}
	if len(how) > 0 {
		p.Printf("  (%s)", visible.Text(strings.Join(how, "; ")))
	}
	p.Printf("\n")
	lines := strings.Split(strings.TrimSpace(visible.Mark(it.Text, it.Matches, open, close)), "\n")
	for i, line := range lines {
		if i == most {
			p.Printf("     ... %d more lines\n", len(lines)-i)
			break
		}
		p.Printf("     %s\n", line)
	}
	return p.Err
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
