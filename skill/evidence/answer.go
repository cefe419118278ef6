package evidence

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/findspot/findspot/internal/errs"
)

// answerFormat is the version of the answer file. 1: first.
const answerFormat = 1

// Bounds of an answer file.
const (
	maxAnswer      = 16 << 20 // bytes
	maxAnswerItems = 10_000
	maxQuotes      = 2_000     // of the list and in the text
	maxAnswerRead  = 512 << 20 // bytes of sources that one check reads, and that its quotes are looked for in
)

// An Answer is a text with the evidence it cites, so that anyone with the sources can check it again. Its JSON form is the
// answer file.
type Answer struct {
	Format    int        `json:"format"` // 1
	Question  string     `json:"question,omitempty"`
	Text      string     `json:"text"`                // cites keys: [D1], [C2, C3]
	Rules     Rules      `json:"rules"`               // what the text was held to when it was sealed
	Quotes    []Quote    `json:"quotes,omitempty"`    // texts that must stand at the cited place
	Items     []Item     `json:"items"`               // the cited evidence, by first citation
	Sources   []Sealed   `json:"sources"`             // what stood at each item's place, in the order of Items
	Searched  []Searched `json:"searched,omitempty"`  // what was searched
	Extractor string     `json:"extractor,omitempty"` // what read the documents, with its version
	Digest    string     `json:"digest,omitempty"`    // hex SHA-256 of the answer as JSON, this field left out; set by Seal
}

// Rules say what a text was held to; see [CheckOptions].
type Rules struct {
	EveryClaim bool     `json:"every_claim,omitempty"`
	Quotes     bool     `json:"quotes,omitempty"`
	Headings   []string `json:"headings,omitempty"` // section names; one that states something is not believed
}

// A Quote is a text that an answer gives as the words of its source.
type Quote struct {
	Key  string `json:"key"`
	Text string `json:"text"`
}

// Sealed is what stood at an item's place when the answer was written.
type Sealed struct {
	Key    string `json:"key"`
	Hash   string `json:"hash"`             // hex SHA-256 of the text the source gave for the place; empty for what is no text of a source
	File   string `json:"file,omitempty"`   // hex SHA-256 of the file that the place is in, where the source knows it
	Reader string `json:"reader,omitempty"` // what made text of the file, with its version
}

// A Describer is a [Source] that knows the files behind its places.
type Describer interface {
	Source
	// Describe returns the hex SHA-256 of the file that a place is in, as it is now, and what reads it, with its version. An
	// error wraps the house's not-found error when the file is gone, and its stale error when what [Source] gives was read from other
	// content.
	Describe(ctx context.Context, at Place) (file, reader string, err error)
}

// Derived reports an item that is no text of a source but the result of a search, such as a verdict about callers: its place names no lines
// and no file.
func (it Item) Derived() bool { return it.At.Doc == "" && it.At.Path == "" }

// digest is the hash of the whole answer but for the digest itself.
func (a *Answer) digest() (string, error) {
	bare := *a
	bare.Digest = ""
	data, err := json.Marshal(&bare)
	return Hash(string(data)), err
}

// Seal copies the cited items and what was searched from the ledger, notes what stands at each place in the source now, and
// signs the whole with its hash. It fails, and the answer is not sealed, when anything does not hold that [Answer.Verify] checks: an
// unknown key, an item or quote that is not at its place, a text that breaks Rules. What its sentences mean is not judged.
func (a *Answer) Seal(ctx context.Context, src Source, l *Ledger) error {
	keys := Keys(a.Text)
	for _, q := range a.Quotes {
		if !slices.Contains(keys, q.Key) {
			keys = append(keys, q.Key)
		}
	}
	a.Format, a.Items, a.Sources, a.Digest = answerFormat, []Item{}, []Sealed{}, ""
	var bad []error
	var readers []string
	known := describer(src)
	for _, k := range keys {
		it, ok := l.Get(k)
		if !ok {
			bad = append(bad, fmt.Errorf("key %s: %w in the ledger", k, errs.NotFound))
			continue
		}
		s := Sealed{Key: k}
		if !it.Derived() {
			text, err := src.Text(ctx, it.At)
			if err == nil {
				s.File, s.Reader, err = known(ctx, it.At)
			}
			if err != nil {
				bad = append(bad, fmt.Errorf("source of %s, %s: %w", k, it.At, err))
				continue
			}
			s.Hash = Hash(text)
		}
		if s.Reader != "" && !slices.Contains(readers, s.Reader) {
			readers = append(readers, s.Reader)
		}
		a.Items = append(a.Items, it)
		a.Sources = append(a.Sources, s)
	}
	a.Searched = l.Searches()
	if len(bad) > 0 {
		return errors.Join(bad...)
	}
	slices.Sort(readers)
	a.Extractor = joinComma(readers)
	digest, err := a.digest()
	if err != nil {
		return err
	}
	a.Digest = digest
	rep, err := a.Verify(ctx, src, &VerifyOptions{Derived: true, NoMeaning: true})
	if err == nil {
		err = rep.Err()
	}
	if err != nil {
		a.Digest = ""
	}
	return err
}

// describer is the source's Describe, or one that knows nothing.
func describer(src Source) func(context.Context, Place) (string, string, error) {
	if d, ok := src.(Describer); ok {
		return d.Describe
	}
	return func(context.Context, Place) (string, string, error) { return "", "", nil }
}

// Check returns, joined, what does not hold; see [Answer.Verify]. Derived items are believed.
func (a *Answer) Check(ctx context.Context, src Source) error {
	rep, err := a.Verify(ctx, src, &VerifyOptions{Derived: true, NoMeaning: true})
	if err != nil {
		return err
	}
	return rep.Err()
}

// ReadAnswer reads an answer file. It does not check it: that is [Answer.Verify].
func ReadAnswer(r io.Reader) (*Answer, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxAnswer+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxAnswer {
		return nil, fmt.Errorf("answer file over %d bytes: %w", maxAnswer, errs.TooLarge)
	}
	a := &Answer{}
	if err := json.Unmarshal(data, a); err != nil {
		return nil, fmt.Errorf("not an answer file: not JSON: %v: %w", err, errs.Format)
	}
	switch {
	case a.Format == 0:
		return nil, fmt.Errorf("not an answer file: its JSON has no format: %w", errs.Format)
	case a.Format != answerFormat:
		return nil, fmt.Errorf("answer of format %d, this version reads %d: %w", a.Format, answerFormat, errs.Format)
	case len(a.Text) > maxText || len(a.Items) > maxAnswerItems || len(a.Sources) > maxAnswerItems || len(a.Quotes) > maxQuotes:
		return nil, fmt.Errorf("answer file: over %d bytes of text, %d items or %d quotes: %w", maxText, maxAnswerItems, maxQuotes, errs.TooLarge)
	}
	return a, nil
}

// Write writes the answer file as indented JSON.
func (a *Answer) Write(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(a)
}
