package evidence

import (
	"context"
	"errors"
	"fmt"
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
// A refusal is a [*QuoteError], whose reason names the first difference to the nearest text there; an error of src is returned as it is.
func VerifyQuote(ctx context.Context, src Source, it Item, quote string) error {
	text, err := src.Text(ctx, it.At)
	if err != nil {
		return fmt.Errorf("source of %s, %s: %w", it.Key, it.At, err)
	}
	err = matchQuote(text, it, quote)
	var refused *QuoteError
	if errors.As(err, &refused) && quotedFromShown(ctx, src, it, quote) {
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
