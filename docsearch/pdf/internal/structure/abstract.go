package structure

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/internal/abstract"
	"github.com/findspot/findspot/docsearch/pdf/internal/encoding"
	"github.com/findspot/findspot/docsearch/pdf/internal/inline"
	"github.com/findspot/findspot/docsearch/pdf/internal/layout"
	"github.com/findspot/findspot/internal/clause"
	"github.com/findspot/findspot/internal/hyphen"
)

// abstractPages is how far the abstract of a long document may be from its beginning.
const abstractPages = 8

// findAbstract finds the abstract by its heading, on the first two pages or, in a long document, on the first few. Without a heading it
// is the text between the authors and the first section.
func findAbstract(fr *Front, pages Pages, first *Page) {
	most := 2
	if pages.Count >= 20 {
		most = abstractPages
	}
	text := layout.Text(first.Lines)
	for n := 1; ; {
		if start, end := abstract.Find(text); start < end {
			fr.abstract = reflow(text[start:end])
			return
		}
		if n == 1 {
			if s := fr.unheaded(first); s != "" {
				fr.abstract = s
				return
			}
		}
		if n++; n > min(most, pages.Count) {
			return
		}
		c := pages.Read(n)
		if c == nil {
			return
		}
		// A later page is looked at on its own: what follows its heading may go on to the next one.
		if text = layout.Text(c.Lines); n == 2 {
			text = layout.Text(first.Lines) + text
		}
	}
}

// unheaded returns the prose between the title and the first section of the first page, if there is a section.
func (fr *Front) unheaded(c *Page) string {
	if fr.after == 0 || len(fr.authors) == 0 {
		return ""
	}
	var text strings.Builder
	useful := len(c.Lines) // last line that names somebody
	for i, n := 0, -1; i < len(c.Lines); i++ {
		if strings.TrimSpace(c.Lines[i].Text) != "" {
			if n++; n == fr.last {
				useful = i
			}
		}
	}
	started := false
	words := 0
	for at := fr.after; at < len(c.Lines); at++ {
		t := encoding.Clean(c.Lines[at].Text)
		if c.Lines[at].Dx < .99 || t == "" {
			continue
		}
		title := strings.TrimRight(t, ".:")
		_, bare, ok := clause.Parse(title)
		switch {
		case !started && (ok && bare != "" && layout.IsBold(&c.Lines[at]) || clause.Known(bare)):
			return "" // the first section follows the names at once
		case started && (ok && (layout.IsBold(&c.Lines[at]) || allCaps(bare)) || clause.Known(bare)):
			if words >= 30 && words <= 500 {
				return reflow(text.String())
			}
			return ""
		case started && backMatter.MatchString(t):
			if words >= 30 {
				return reflow(text.String())
			}
			return ""
		case runningText(t) || at > useful && proseStart(t):
			started = true
		}
		if started {
			if words += len(strings.Fields(t)); words > 500 {
				return ""
			}
			text.WriteString(t + "\n")
		}
	}
	return ""
}

// proseStart reports whether a line that is too short to be sure may begin running text.
func proseStart(s string) bool {
	words := strings.Fields(s)
	lower := 0
	for _, w := range words {
		if r, _ := utf8.DecodeRuneInString(w); unicode.IsLower(r) {
			lower++
		}
	}
	return len(words) >= 5 && lower*2 >= len(words)
}

// reflow joins lines to running text.
func reflow(s string) string {
	words := hyphen.NewVocabulary()
	words.Learn(s)
	var spans []inline.Span
	for line := range strings.Lines(s) {
		if t := encoding.Clean(line); t != "" {
			spans = inline.Join(words, spans, []inline.Span{{Text: inline.SpellLigatures(t)}})
		}
	}
	return inline.Text(spans)
}
