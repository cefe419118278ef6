package reading

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/match"
	"github.com/findspot/findspot/internal/errs"
)

// Found is where a pattern stands in a document; see docsearch.Found.
type Found struct {
	Total     int
	Truncated bool
	Lines     []FoundLine
}

// A FoundLine is one line that a match begins on; see docsearch.FoundLine.
type FoundLine struct {
	Page, Line, LineEnd, Start, End int
	Text                            string
	Matches                         [][2]int
}

// A Pattern is words in a row, or a regular expression.
type Pattern struct {
	words []driver.Group
	re    *regexp.Regexp
}

// Words returns the pattern of words in a row. Without a word in them the error wraps errs.Unsupported.
func Words(s string) (*Pattern, error) {
	groups := driver.Groups(s)
	if len(groups) == 0 {
		return nil, fmt.Errorf("pattern %q: %w: it contains no word; use a regular expression for symbols", s, errs.Unsupported)
	}
	return &Pattern{words: groups}, nil
}

// Regexp returns the pattern of a regular expression, of which "^" and "$" are at lines.
func Regexp(s string) (*Pattern, error) {
	re, err := regexp.Compile("(?m)" + s)
	if err != nil {
		return nil, fmt.Errorf("pattern %q: %w", s, err)
	}
	return &Pattern{re: re}, nil
}

func (p *Pattern) spans(raw string) (spans []match.Span) {
	if p.re == nil {
		return match.PhraseSpans(match.Tokens(raw), p.words)
	}
	for _, m := range p.re.FindAllStringIndex(raw, -1) {
		if m[0] < m[1] {
			spans = append(spans, match.Span{Start: m[0], End: m[1]})
		}
	}
	return spans
}

// Find returns the lines on which a pattern begins, as many as the limit. All of the text is read.
func (d *Doc) Find(ctx context.Context, p *Pattern, limit int) (*Found, error) {
	raw, err := d.Slice(ctx, 0, d.Layout.Size)
	if err != nil {
		return nil, err
	}
	spans := p.spans(raw)
	f := &Found{Total: len(spans)}
	at, line := 0, 1 // line that holds the byte at
	for _, s := range spans {
		line += strings.Count(raw[at:s.Start], "\n")
		at = s.Start
		begin := strings.LastIndexByte(raw[:at], '\n') + 1
		stop := len(raw)
		if i := strings.IndexByte(raw[at:], '\n'); i >= 0 {
			stop = at + i
		}
		end := line + strings.Count(strings.TrimSuffix(raw[s.Start:s.End], "\n"), "\n")
		mark := [2]int{at - begin, min(s.End, stop) - begin}
		if n := len(f.Lines); n > 0 && f.Lines[n-1].Line == line {
			last := &f.Lines[n-1]
			last.LineEnd, last.End, last.Matches = max(last.LineEnd, end), s.End, append(last.Matches, mark)
			continue
		}
		if len(f.Lines) == limit {
			f.Truncated = true
			break
		}
		f.Lines = append(f.Lines, FoundLine{
			Page: d.Layout.Page(at), Line: line, LineEnd: end, Start: s.Start, End: s.End, Text: raw[begin:stop], Matches: slices.Clip([][2]int{mark}),
		})
	}
	return f, nil
}
