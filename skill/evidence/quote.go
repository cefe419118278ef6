package evidence

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/internal/visible"
)

// A Source gives the text that stands at a place now: the lines Line to EndLine, or the bytes Start to End, or the page,
// or the whole file or document, whichever is the narrowest that the place names. It returns an error wrapping the
// house's not-found or stale error when the place is gone or has changed.
type Source interface {
	Text(ctx context.Context, at Place) (string, error)
}

// A QuoteError says why a quote was refused.
type QuoteError struct {
	Key    string // the cited item
	At     Place  // where it was looked for
	Quote  string
	Reason string
}

func (e *QuoteError) Error() string {
	return fmt.Sprintf("quote %q is not at %s, %s: %s", clip(e.Quote, 80), e.Key, e.At, e.Reason)
}

const (
	maxQuoteRunes = 16384
	maxPlaceBytes = 4 << 20
	maxQuoteWork  = 1 << 26 // comparisons before a search is given up: a hostile text, not a quote
)

// VerifyQuote reports whether quote stands, whole, at the place of it, as src has it now. What comes from typesetting may
// differ: white space in its amount, ligatures, the hyphen at a line end, soft and non-breaking hyphens, and invisible characters
// that only the source has. Nothing else may: neither case, nor punctuation, nor the shape of quotation marks, nor a digit, nor
// where words part. The quote must begin and end where words do, so that "able" is no quote of "unable" and "5" none of
// "15", "-5" or "0.5".
//
// What a text is shown with in place of a character ("[U+200B]", see [Mark]) may be quoted as it is shown.
//
// A passage of a document shows some words around its match; what stands in the item's own text may be quoted too when the source has
// that text within 60 lines of the place.
//
// What stands between two pages, such as a page number, need not be in the quote, see [Place.Running].
//
// A refusal is a [*QuoteError], whose reason names the first difference to the nearest text there; an error of src is returned as it is.
func VerifyQuote(ctx context.Context, src Source, it Item, quote string) error {
	text, err := src.Text(ctx, it.At)
	if err != nil {
		return fmt.Errorf("source of %s, %s: %w", it.Key, it.At, err)
	}
	err = matchQuote(text, it, quote)
	var refused *QuoteError
	if errors.As(err, &refused) && (quotedFromRunning(ctx, src, it, text, quote) || quotedFromShown(ctx, src, it, quote)) {
		return nil
	}
	return err
}

func matchQuote(text string, it Item, quote string) error {
	refuse := func(reason string) error {
		return &QuoteError{Key: it.Key, At: it.At, Quote: quote, Reason: reason}
	}
	switch {
	case utf8.RuneCountInString(quote) > maxQuoteRunes:
		return fmt.Errorf("quote of %s: over %d runes: %w", it.Key, maxQuoteRunes, errs.TooLarge)
	case len(text) > maxPlaceBytes:
		return fmt.Errorf("source of %s, %s: over %d bytes: %w", it.Key, it.At, maxPlaceBytes, errs.TooLarge)
	case !utf8.ValidString(quote):
		return refuse("the quote is not valid UTF-8")
	}
	q := canonical(quote)
	if !hasWord(q) {
		return refuse("the quote holds no word")
	}
	s := canonical(text)
	whole, part, done := find(s, q)
	if done && !whole {
		whole = quotedAsShown(s, text, quote)
	}
	switch {
	case !done:
		return fmt.Errorf("source of %s, %s: too repetitive to search: %w", it.Key, it.At, errs.TooLarge)
	case whole:
		return nil
	case part >= 0:
		return refuse("it is cut out of a longer word, name or number there: " + around(s, part, part+len(q)))
	}
	return refuse(nearest(s, q))
}

var writtenOut = lazyregexp.New(`\[(?:U\+([0-9A-F]{4,6})|0x[89A-F][0-9A-F])\]`)

// quotedAsShown reports whether a quote stands in a text, of which s is the canonical form, when each form in which a character is written out
// ("[U+200B]") is taken for that character, and whether the text is shown in that form there.
func quotedAsShown(s []rune, text, quote string) bool {
	if !writtenOut.MatchString(quote) {
		return false
	}
	raw := canonical(writtenOut.ReplaceAllStringFunc(quote, func(m string) string {
		n, err := strconv.ParseUint(strings.Trim(m, "[U+]"), 16, 32)
		if err != nil {
			return string(utf8.RuneError) // a byte that is no UTF-8
		}
		return string(rune(n))
	}))
	if !hasWord(raw) {
		return false
	}
	if whole, _, _ := find(s, raw); !whole {
		return false
	}
	whole, part, _ := find(canonical(visible.Text(text)), canonical(quote))
	return whole || part >= 0
}

// clip shortens s to n runes for a message.
func clip(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n]) + "..."
}

// readOn is the running text of a document at a place.
func readOn(ctx context.Context, src Source, at Place) (string, error) {
	at.Running = true
	s, err := src.Text(ctx, at)
	if s != "" && !strings.HasSuffix(s, "\n") {
		s += "\n"
	}
	return s, err
}

// quotedFromRunning reports whether a quote stands in the running text at the place of an item, of which text is all.
func quotedFromRunning(ctx context.Context, src Source, it Item, text, quote string) bool {
	if it.At.Doc == "" {
		return false
	}
	run, err := readOn(ctx, src, it.At)
	return err == nil && len(run) < len(text) && matchQuote(run, it, quote) == nil
}

// A run is the running text of places that follow one another, such as two pages: what they say to who reads on.
type run struct {
	first Item
	text  string
}

// runs returns those of the items that one reads on from, in the order of the document: whole pages, and lines with nothing between them but what stands between
// pages. A place that does not follow another one is a run only where it has lines that are no running text.
func runs(ctx context.Context, src Source, items []Item) (out []run) {
	if src == nil {
		return nil
	}
	items = slices.DeleteFunc(slices.Clone(items), func(it Item) bool { return it.At.Doc == "" || it.At.Page == 0 && it.At.Line == 0 || it.Derived() })
	slices.SortStableFunc(items, func(a, b Item) int {
		return cmp.Or(strings.Compare(a.At.Doc, b.At.Doc), cmp.Compare(a.At.Page, b.At.Page), cmp.Compare(a.At.Line, b.At.Line))
	})
	items = slices.CompactFunc(items, func(a, b Item) bool { return a.At.identity() == b.At.identity() })
	for i := 0; i < len(items); {
		r, n := run{first: items[i]}, i
		for ; i < len(items) && (i == n || follows(ctx, src, items[i-1].At, items[i].At)); i++ {
			s, err := readOn(ctx, src, items[i].At)
			if err != nil {
				i++
				break
			}
			r.text += s
		}
		if i == n+1 {
			if all, err := src.Text(ctx, items[n].At); items[n].At.Line == 0 || err != nil || len(r.text) >= len(all) {
				continue
			}
		}
		out = append(out, r)
	}
	return out
}

// maxJoint is how many lines may stand between two places of which one follows the other.
const maxJoint = 400

// follows reports whether one reads on from a to b.
func follows(ctx context.Context, src Source, a, b Place) bool {
	if a.Doc != b.Doc || (a.Line == 0) != (b.Line == 0) {
		return false
	}
	if a.Line == 0 {
		return b.Page == a.Page+1
	}
	next := max(a.Line, a.EndLine) + 1
	if next >= b.Line || b.Line-next > maxJoint {
		return next == b.Line
	}
	between, err := readOn(ctx, src, Place{Doc: a.Doc, Name: a.Name, Line: next, EndLine: b.Line - 1})
	return err == nil && strings.TrimSpace(between) == ""
}
