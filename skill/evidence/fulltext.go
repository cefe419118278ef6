package evidence

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/lazyregexp"
)

// A Stretch is a range of lines, from 1, both inclusive.
type Stretch struct{ First, Last int }

// A FullText is the whole text of a document or file, made ready so that many texts can be looked for in it. It is safe for concurrent use.
type FullText struct {
	canon  []rune
	starts []int // in canon, of each line
}

// Bounds of what is looked for in a whole text.
const (
	maxFullText = 16 << 20 // bytes
	maxSought   = 1 << 20  // bytes of a text that is looked for
)

// NewFullText makes a text ready. One of more than 16 MB is an error wrapping the house's too-large error.
func NewFullText(text string) (*FullText, error) {
	if len(text) > maxFullText {
		return nil, fmt.Errorf("a text of %d bytes, at most %d are searched: %w", len(text), maxFullText, errs.TooLarge)
	}
	t := &FullText{}
	t.canon, t.starts = canonicalLines(text, true)
	return t, nil
}

// Find returns where the text of an item stands in t, in the order of lines, at most so many places: the same words, as [VerifyQuote] compares them. Code that
// is shown with numbers of lines, or with lines left out ("..."), stands where its parts follow one another within 400 lines. The error is one of ctx, or says
// that the text is too repetitive.
func (t *FullText) Find(ctx context.Context, it Item, most int) ([]Stretch, error) {
	parts := Parts(it)
	if len(parts) == 0 || len(it.Text) > maxSought {
		return nil, nil
	}
	work := 0
	first, err := t.all(ctx, canonical(parts[0]), 0, len(t.canon), most, &work)
	if err != nil {
		return nil, err
	}
	out := []Stretch{}
	for _, at := range first {
		stop, ok := at.end, true
		for _, p := range parts[1:] {
			limit := len(t.canon)
			if n := t.line(at.start) + maxLeftOut; n < len(t.starts) {
				limit = t.starts[n]
			}
			next, err := t.all(ctx, canonical(p), stop, limit, 1, &work)
			if err != nil {
				return nil, err
			}
			if ok = len(next) > 0; !ok {
				break
			}
			stop = next[0].end
		}
		if ok {
			out = append(out, Stretch{t.line(at.start), t.line(max(stop-1, at.start))})
		}
	}
	return out, nil
}

// maxLeftOut is within how many lines the parts of shortened code lie.
const maxLeftOut = 400

// Parts are the parts of an item's text as its source has them, in order: all of a document's; of code without the numbers of lines, cut where lines are left out. Those without a
// word are left out.
func Parts(it Item) []string {
	if it.IsDocument() {
		if !hasWord(canonical(it.Text)) {
			return nil
		}
		return []string{it.Text}
	}
	lines := strings.Split(strings.TrimRight(it.Text, "\n"), "\n")
	if !slices.ContainsFunc(lines, func(l string) bool { return !numberBefore.MatchString(l) }) {
		for i, l := range lines {
			lines[i] = numberBefore.ReplaceAllString(l, "")
		}
	}
	var out []string
	add := func(part []string) {
		if p := strings.Join(part, "\n"); hasWord(canonical(p)) {
			out = append(out, p)
		}
	}
	from := 0
	for i, l := range lines {
		if l = strings.TrimSpace(l); l == "..." || l == "\u2026" {
			add(lines[from:i])
			from = i + 1
		}
	}
	add(lines[from:])
	return out
}

// numberBefore is a view of code shows before a line where lines have numbers; before one that stands for others there is none.
var numberBefore = lazyregexp.New(`^ *\d* \| ?`)

// line is the line, from 1, that a position in canon is in.
func (t *FullText) line(at int) int {
	return max(sort.SearchInts(t.starts, at+1), 1)
}

// all finds q between two positions. Where it stands from one word boundary to another nowhere, it is also found beside other signs than those of a word or
// number: what a search shows is cut where it has to be.
func (t *FullText) all(ctx context.Context, q []rune, from, to, most int, work *int) (out []span, err error) {
	if len(q) == 0 {
		return nil, nil
	}
	var cut []span
	s := t.canon[:to]
	for i := from; i < to && len(out) < most; i++ {
		if i&0xfffff == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if r := s[i]; r != q[0] && q[0] >= 0 && r >= 0 && (r >= ' ' && r < 0x7f || !invisible(r)) {
			continue
		}
		n, ok := matchAt(s[i:], q, work)
		switch {
		case *work > maxQuoteWork:
			return nil, fmt.Errorf("too repetitive to search: %w", errs.TooLarge)
		case !ok:
		case opens(t.canon, i) && closes(t.canon, i+n):
			out = append(out, span{i, i + n})
		case len(cut) < most && apart(t.canon, i) && apart(t.canon, i+n):
			cut = append(cut, span{i, i + n})
		}
	}
	if len(out) == 0 {
		out = cut
	}
	return out, nil
}

// apart reports whether what stands on the two sides of a position is surely no part of one word or number.
func apart(s []rune, i int) bool {
	if i <= 0 || i >= len(s) {
		return true
	}
	a, b := s[i-1], s[i]
	if a < 0 || b < 0 || invisible(a) || invisible(b) {
		return false
	}
	inside := func(r rune) bool { return wordRune(r) || strings.ContainsRune(signs, r) }
	switch {
	case inside(a) && inside(b):
		return false
	case strings.ContainsRune(".,", a) && unicode.IsDigit(b), strings.ContainsRune(".,", b) && unicode.IsDigit(a):
		return false
	}
	return true
}
