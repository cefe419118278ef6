package evidence

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/errs"
)

// CheckOptions of [CheckText] and [NewStream]. Nil or the zero value checks that the cited keys are known and well formed.
type CheckOptions struct {
	EveryClaim bool // every sentence needs a key; see [CheckText] for the few that need none
	Quotes     bool // what stands within quotation marks or in a block quote must stand at the place of a key of its sentence
	// Source is where quotes are looked for; nil: in the text of the cited item alone.
	Source Source
	// Names says that headings and heads of tables in up to eight words need no key, also where these do not stand in the ledger's texts: for what people wrote, who
	// chose them. One with a number or a verb of being, having or doing needs one all the same.
	Names bool
	// Headings need no key: the section names that the writer was given. Compared whole, without regard to case.
	Headings []string
}

// A TextError says what is wrong with one sentence of an answer.
type TextError struct {
	Sentence Sentence
	Key      string // the key that is wrong; empty when none is there, or for a quote that no cited key holds
	Reason   string
	Err      error // a [*QuoteError], an error of the source, or one wrapping the house's not-found error; nil for a sentence without a key
}

func (e *TextError) Error() string {
	return fmt.Sprintf("%q: %s", clip(e.Sentence.Text, 80), e.Reason)
}

// Unwrap returns Err.
func (e *TextError) Unwrap() error { return e.Err }

// maxText bounds an answer, in bytes.
const maxText = 1 << 20

// CheckText says, sentence by sentence, what is wrong with the keys and quotes of a text, in its order; nil when it holds.
//
// Under EveryClaim each sentence needs a key, wherever it stands: list items, table rows, block quotes, code fences
// (the key stands behind the fence) and lines that end in a colon too. These alone need none: a sentence that
// begins "Unknown:" and states nothing else (no second clause, no quotation); a line that is just the name of a section ("Summary", or one of Headings), also with a
// number before it; and a heading or the head of a table that only names something, in up to eight words that stand so in
// the ledger's own texts, without a number or a verb of being, having or doing.
//
// Under Quotes each quotation must stand whole, as [VerifyQuote] has it, at the place of one of its sentence's keys, in marks of
// any kind (straight, curly, guillemets, TeX's, entities and elements of HTML), as does a block quote, of Markdown or HTML; a mark that begins one and has no partner in its paragraph is refused. A comma
// or full stop before the closing mark may be the sentence's own.
func CheckText(ctx context.Context, led *Ledger, text string, o *CheckOptions) []*TextError {
	if len(text) > maxText {
		return []*TextError{tooLong(text)}
	}
	k := newChecker(led, o)
	var bad []*TextError
	for u := range units(text) {
		bad = append(bad, k.check(ctx, u)...)
	}
	return bad
}

func tooLong(text string) *TextError {
	return &TextError{Sentence: Sentence{Text: clip(text[:400], 80)}, Reason: fmt.Sprintf("the text is over %d bytes", maxText), Err: errs.TooLarge}
}

// JoinTextErrors makes one error of what [CheckText] returned; nil when there is nothing.
func JoinTextErrors(bad []*TextError) error {
	all := make([]error, len(bad))
	for i, e := range bad {
		all[i] = e
	}
	return errors.Join(all...)
}

type checker struct {
	led  *Ledger
	opt  CheckOptions
	told int // errors
}

// maxTold bounds what a hostile text costs: past so many errors each sentence has its first one only.
const maxTold = 10_000

func newChecker(led *Ledger, o *CheckOptions) *checker {
	k := &checker{led: led}
	if o != nil {
		k.opt = *o
		k.opt.Headings = slices.Clone(o.Headings)
	}
	return k
}

// check says what is wrong with one unit.
func (k *checker) check(ctx context.Context, u *unit) (bad []*TextError) {
	refuse := func(key, reason string, err error) {
		bad = append(bad, &TextError{Sentence: u.Sentence, Key: key, Reason: reason, Err: err})
	}
	var items []Item
	for _, key := range u.Keys {
		it, ok := k.led.Get(key)
		if !ok {
			refuse(key, "["+key+"] is no evidence that was found", fmt.Errorf("key %s: %w in the ledger", key, errs.NotFound))
			continue
		}
		items = append(items, it)
	}
	for _, w := range u.wrong {
		refuse("", fmt.Sprintf("%q is no citation: write keys alone, such as [D1] or [D1, C2]", u.Text[w.start-u.Start:w.end-u.Start]), nil)
	}
	if k.opt.EveryClaim && len(u.Keys) == 0 && len(u.wrong) == 0 && !k.exempt(u) {
		reason := "it has no key"
		switch u.kind {
		case heading, columns:
			reason = "a heading that is more than a name needs a key too"
		case fence:
			reason = "a block of code needs a key in the line behind it"
		}
		refuse("", reason, nil)
	}
	if k.opt.Quotes {
		if len(u.lone) > 0 && u.kind != fence && u.kind != blockquote {
			at := u.lone[0].start - u.Start
			refuse("", fmt.Sprintf("the quotation mark before %q has no partner in its paragraph: what it quotes cannot be looked up", clip(u.Text[at:], 40)), nil)
		}
		for _, q := range u.quotations() {
			if err := k.quote(ctx, items, q); err != nil {
				e := &TextError{Sentence: u.Sentence, Reason: err.Error(), Err: err}
				var qe *QuoteError
				if errors.As(err, &qe) { // what the key stands for is known
					e.Key, e.Reason = qe.Key, fmt.Sprintf("quote %q is not at %s: %s", clip(qe.Quote, 80), qe.Key, qe.Reason)
				}
				bad = append(bad, e)
			}
		}
	}
	if k.told += len(bad); k.told > maxTold && len(bad) > 1 {
		bad = bad[:1]
	}
	return bad
}

// quotations returns what the unit gives as the words of its sources.
func (u *unit) quotations() (out []string) {
	if u.kind == fence {
		return nil
	}
	var blocks []string
	switch {
	case u.element:
		blocks = []string{u.quotedElement(u.Text)}
	case u.kind == blockquote:
		blocks = []string{u.quoted(func(s string) string { return s })}
	case u.kind != prose: // a cell or a heading may hold an element
		for _, e := range oneElement.FindAllString(u.Text, -1) {
			blocks = append(blocks, u.quotedElement(e))
		}
	}
	for _, q := range blocks {
		if q != "" { // nothing but keys
			out = append(out, q)
		}
	}
	if u.kind == blockquote {
		return out
	}
	for _, q := range u.quotes {
		if q.end <= u.End {
			out = append(out, u.Text[q.start-u.Start:q.end-u.Start])
		}
	}
	return out
}

// quote looks for a quote at the places of the items, and where one reads on from one to the next. Where it is nowhere, it gives the first refusal of these, else of the
// items.
func (k *checker) quote(ctx context.Context, items []Item, quote string) error {
	if len(items) == 0 {
		return fmt.Errorf("the quote %q has no key behind it", clip(quote, 80))
	}
	var first error
	for _, it := range items {
		err := orWithout(quote, func(q string) error { return k.verify(ctx, it, q) })
		if err == nil {
			return nil
		}
		if first == nil {
			first = err
		}
	}
	if len(items) < 2 || !errors.As(first, new(*QuoteError)) {
		return first
	}
	for i, r := range runs(ctx, k.opt.Source, items) {
		err := orWithout(quote, func(q string) error { return matchQuote(r.text, r.first, q) })
		if err == nil {
			return nil
		}
		if i == 0 {
			first = err
		}
	}
	return first
}

// orWithout verifies a quote, and, where it does not stand, without the comma or full stop at its end.
func orWithout(quote string, verify func(string) error) error {
	err := verify(quote)
	if trimmed := strings.TrimRight(quote, ",."); err != nil && trimmed != quote && !strings.HasSuffix(quote, "..") && verify(trimmed) == nil {
		return nil
	}
	return err
}

func (k *checker) verify(ctx context.Context, it Item, quote string) error {
	if k.opt.Source == nil {
		return matchQuote(it.Text, it, quote)
	}
	return VerifyQuote(ctx, k.opt.Source, it, quote)
}
