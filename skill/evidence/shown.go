package evidence

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
)

// shownAround is how many lines around its place an item's text may come from: a passage shows some words around its match.
const shownAround = 60

// around returns the place with the lines around it; ok is false for a place without lines.
func (p Place) around() (wide Place, ok bool) {
	if p.Line == 0 || p.Doc == "" {
		return p, false
	}
	// The lines around may lie on other pages.
	p.Page, p.Start, p.End = 0, 0, 0
	p.Line, p.EndLine = max(p.Line-shownAround, 1), max(p.EndLine, p.Line)+shownAround
	return p, true
}

// shown checks that the text of an item stands at its place, of which text is what the source has; whole is false when only its
// words do.
func shown(ctx context.Context, src Source, it Item, text string) (whole bool, err error) {
	if standsIn(text, it.Text) {
		return true, nil
	}
	if wide, ok := it.At.around(); ok {
		if text, err = src.Text(ctx, wide); err != nil {
			return false, fmt.Errorf("source of %s, %s: %w", it.Key, wide, err)
		}
		if standsIn(text, it.Text) {
			return true, nil
		}
	}
	have := map[string]bool{}
	for _, form := range []string{it.At.Path, text, display(canonical(text)), display(joined(canonical(text)))} { // a file shows its path
		for _, w := range words(form) {
			have[w] = true
		}
	}
	for line := range strings.Lines(it.Text) {
		for _, w := range words(lineNumber.ReplaceAllString(line, "")) {
			if !have[w] {
				return false, &QuoteError{Key: it.Key, At: it.At, Quote: it.Text, Reason: fmt.Sprintf("the text that the answer shows of it has %q, which is not there", w)}
			}
		}
	}
	return false, nil
}

// lineNumber is what views of code put before a line.
var lineNumber = lazyregexp.New(`^\s*\d+\s*[:|\t]`)

// standsIn reports whether quote stands in text, cut where it may be.
func standsIn(text, quote string) bool {
	q := canonical(quote)
	if len(q) == 0 {
		return true
	}
	whole, part, _ := find(canonical(text), q)
	return whole || part >= 0
}

// joined is a canonical text with the hyphens of line ends gone.
func joined(s []rune) []rune {
	return slices.DeleteFunc(slices.Clone(s), func(r rune) bool { return r == wordBreak })
}

// quotedFromShown reports whether the quote stands in the text that the item shows, and that text in the source around the place: what a
// reader of the item saw there may be quoted, also where it lies around the match.
func quotedFromShown(ctx context.Context, src Source, it Item, quote string) bool {
	wide, ok := it.At.around()
	if !ok || matchQuote(it.Text, it, quote) != nil {
		return false
	}
	text, err := src.Text(ctx, wide)
	return err == nil && len(text) <= maxPlaceBytes && standsIn(text, it.Text)
}

func joinComma(list []string) string { return strings.Join(list, ", ") }
