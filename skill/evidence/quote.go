package evidence

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/findspot/findspot/internal/errs"
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

// VerifyQuote reports whether quote stands, whole, at the place of it, as src has it now. White space, ligatures and
// hyphens at line ends may differ, since they come from typesetting; nothing else may: neither case, nor punctuation,
// nor a digit. The quote must begin and end at word boundaries, so that "able" is no quote of "unable" and "5" none of
// "15", "-5" or "0.5". A refusal is a [*QuoteError]; an error of src is returned as it is.
func VerifyQuote(ctx context.Context, src Source, it Item, quote string) error {
	text, err := src.Text(ctx, it.At)
	if err != nil {
		return fmt.Errorf("source of %s, %s: %w", it.Key, it.At, err)
	}
	return matchQuote(text, it, quote)
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
	found, done := contains(canonical(text), q)
	if !done {
		return fmt.Errorf("source of %s, %s: too repetitive to search: %w", it.Key, it.At, errs.TooLarge)
	}
	if !found {
		return refuse("the text there does not contain it")
	}
	return nil
}

// softBreak stands in a canonical text for a hyphen and white space between two letters, as at a line end: it may have been put there by the
// typesetter or belong to the word. It is a private-use rune; one in the input is replaced.
const softBreak = '\uF8FF'

// ligatures are the presentation forms that a font may use for the letters; nothing else of NFKC is applied, since that
// would make "10²" and "102" one.
var ligatures = strings.NewReplacer("ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "ſt", "ﬆ", "st",
	"Ĳ", "IJ", "ĳ", "ij", string(softBreak), "\uFFFD")

// canonical brings a text into the form in which quotes are compared: canonical composition, ligatures spelt out, the
// two plain hyphens as one, invisible characters dropped, runs of white space as one space, and a space between
// brackets or quotation marks and what they hold dropped.
func canonical(s string) []rune {
	in := []rune(norm.NFC.String(ligatures.Replace(s)))
	out := make([]rune, 0, len(in))
	for i := 0; i < len(in); {
		r := in[i]
		switch {
		case r == '\u200B' || r == '\u200C' || r == '\u2060' || r == '\uFEFF':
			i++
		case r == '\u00AD': // soft hyphen: invisible, or shown at the line end where it broke the word
			i++
			for i < len(in) && unicode.IsSpace(in[i]) {
				i++
			}
		case isHyphen(r):
			end := spaces(in, i+1)
			if end > i+1 && end < len(in) && len(out) > 0 && out[len(out)-1] != ' ' {
				if unicode.IsLetter(out[len(out)-1]) && unicode.IsLetter(in[end]) {
					out = append(out, softBreak)
				} else { // "38-\n331": the hyphen stays, the break goes
					out = append(out, '-')
				}
				i = end
				continue
			}
			out = append(out, '-')
			i++
		case unicode.IsSpace(r):
			end := spaces(in, i)
			if len(out) > 0 && end < len(in) && !loose(out[len(out)-1], in[end]) {
				out = append(out, ' ')
			}
			i = end
		default:
			out = append(out, r)
			i++
		}
	}
	return out
}

// spaces returns the index behind the white space that starts at i. A line break inside it is not told apart from a
// space, since quotes are often copied from text whose lines were joined.
func spaces(in []rune, i int) int {
	for i < len(in) && unicode.IsSpace(in[i]) {
		i++
	}
	return i
}

// isHyphen reports the hyphens; a minus sign or dash is a different character with a different meaning.
func isHyphen(r rune) bool { return r == '-' || r == '\u2010' || r == '\u2011' }

// loose reports whether a space between a and b means nothing: behind an opening bracket or mark, or before a closing
// one or a comma or stop. Between such a sign and a digit it stays, since "1, 2" and "1,2" are different numbers.
func loose(a, b rune) bool {
	switch {
	case unicode.In(a, unicode.Ps, unicode.Pi):
		return true
	case unicode.In(b, unicode.Pe, unicode.Pf):
		return true
	case strings.ContainsRune(",.;:!?", b):
		return !unicode.IsDigit(a)
	}
	return false
}

func hasWord(q []rune) bool {
	for _, r := range q {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return true
		}
	}
	return false
}

// contains looks for q in s at word boundaries. done is false when the work bound was reached first.
func contains(s, q []rune) (found, done bool) {
	work := 0
	for i := range s {
		if !opens(s, i, q[0]) {
			continue
		}
		end, ok := matchAt(s[i:], q, &work)
		if work > maxQuoteWork {
			return false, false
		}
		if ok && closes(s, i+end, q[len(q)-1]) {
			return true, true
		}
	}
	return false, true
}

// matchAt matches all of q at the start of s and returns how much of s that took. A soft break matches a soft break,
// nothing, or a hyphen. The letter behind a soft break makes the choice unique, so there is nothing to try twice.
func matchAt(s, q []rune, work *int) (end int, ok bool) {
	i := 0
	for j := 0; j < len(q); {
		*work++
		switch {
		case i == len(s):
			return 0, false
		case s[i] == q[j]:
			i, j = i+1, j+1
		case s[i] == softBreak:
			i++
			if q[j] == '-' {
				j++
			}
		case q[j] == softBreak:
			j++
			if s[i] == '-' {
				i++
			}
		default:
			return 0, false
		}
	}
	return i, true
}

// opens reports whether a quote that begins with r may start at s[i]: not inside a word or number, and not behind the
// sign or decimal point of a number or the hyphen of a compound such as "non-coherent".
func opens(s []rune, i int, r rune) bool {
	if i == 0 || !wordRune(r) {
		return true
	}
	p := s[i-1]
	switch {
	case wordRune(p) || unicode.IsMark(p) || p == softBreak:
		return false
	case p == '-':
		return i > 1 && s[i-2] == ' ' && !unicode.IsDigit(r) // "x -linear" is odd, "- linear" has its space
	case unicode.IsDigit(r):
		if strings.ContainsRune("−+±–~<>≤≥≠^", p) {
			return false
		}
		return !(strings.ContainsRune(".,:/", p) && i > 1 && unicode.IsDigit(s[i-2])) && p != '.'
	}
	return true
}

// closes reports whether a quote that ends with r may end before s[i].
func closes(s []rune, i int, r rune) bool {
	if i >= len(s) || !wordRune(r) {
		return true
	}
	n := s[i]
	switch {
	case wordRune(n) || unicode.IsMark(n) || n == softBreak:
		return false
	case n == '-':
		return i+1 >= len(s) || !wordRune(s[i+1])
	case unicode.IsDigit(r):
		if strings.ContainsRune("%‰°^", n) {
			return false
		}
		return !(strings.ContainsRune(".,:/", n) && i+1 < len(s) && unicode.IsDigit(s[i+1]))
	}
	return true
}

// wordRune reports a rune of a word or number. Scripts written without spaces have no boundaries to hold to.
func wordRune(r rune) bool {
	if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) {
		return false
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || r == '_'
}

// clip shortens s to n runes for a message.
func clip(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n]) + "..."
}
