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

// maxAnswer bounds an answer file, in bytes.
const maxAnswer = 64 << 20

// An Answer is a text with the evidence it cites, so that anyone with the sources can check it again. Its JSON form is the
// answer file.
type Answer struct {
	Format    int        `json:"format"` // 1
	Question  string     `json:"question,omitempty"`
	Text      string     `json:"text"`                // cites keys: [D1], [C2, C3]
	Quotes    []Quote    `json:"quotes,omitempty"`    // texts that must stand at the cited place
	Items     []Item     `json:"items"`               // the cited evidence, by first citation
	Sources   []Sealed   `json:"sources"`             // hash of the text at each item's place, in the order of Items
	Searched  []Searched `json:"searched,omitempty"`  // what was searched
	Extractor string     `json:"extractor,omitempty"` // what read the documents, with its version
}

// A Quote is a text that an answer gives as the words of its source.
type Quote struct {
	Key  string `json:"key"`
	Text string `json:"text"`
}

// Sealed is the hash of what stood at an item's place when the answer was written.
type Sealed struct {
	Key  string `json:"key"`
	Hash string `json:"hash"` // hex SHA-256 of the text the source gave for the place
}

// Seal copies the cited items and what was searched from the ledger, and the hash of each place's text from the source.
// It fails when a key is unknown or a quote is not at its place.
func (a *Answer) Seal(ctx context.Context, src Source, l *Ledger) error {
	keys := Keys(a.Text)
	for _, q := range a.Quotes {
		if !slices.Contains(keys, q.Key) {
			keys = append(keys, q.Key)
		}
	}
	a.Format, a.Items, a.Sources = answerFormat, []Item{}, []Sealed{}
	var bad []error
	for _, k := range keys {
		it, ok := l.Get(k)
		if !ok {
			bad = append(bad, fmt.Errorf("key %s: %w in the ledger", k, errs.NotFound))
			continue
		}
		text, err := src.Text(ctx, it.At)
		if err != nil {
			bad = append(bad, fmt.Errorf("source of %s, %s: %w", k, it.At, err))
			continue
		}
		a.Items = append(a.Items, it)
		a.Sources = append(a.Sources, Sealed{k, Hash(text)})
	}
	a.Searched = l.Searches()
	if len(bad) > 0 {
		return errors.Join(bad...)
	}
	return a.Check(ctx, src)
}

// Check reports, joined, everything that does not hold: a cited key without its item, an item whose text does not have
// its hash, a place whose text has changed (wrapping the house's stale error) or is gone, and a quote that is not there.
func (a *Answer) Check(ctx context.Context, src Source) error {
	if a.Format != answerFormat {
		return fmt.Errorf("answer of format %d, this version reads %d: %w", a.Format, answerFormat, errs.Format)
	}
	byKey := map[string]Item{}
	sealed := map[string]string{}
	var bad []error
	for _, it := range a.Items {
		if _, twice := byKey[it.Key]; twice {
			bad = append(bad, fmt.Errorf("key %s: given twice: %w", it.Key, errs.Format))
		}
		byKey[it.Key] = it
		if it.Hash != Hash(it.Text) {
			bad = append(bad, fmt.Errorf("key %s: the text does not have its hash: %w", it.Key, errs.Format))
		}
	}
	for _, s := range a.Sources {
		sealed[s.Key] = s.Hash
	}
	for _, k := range Keys(a.Text) {
		if _, ok := byKey[k]; !ok {
			bad = append(bad, fmt.Errorf("key %s: is cited, but its item is missing: %w", k, errs.NotFound))
		}
	}
	texts := map[string]string{}
	for _, it := range a.Items {
		text, err := src.Text(ctx, it.At)
		switch {
		case err != nil:
			bad = append(bad, fmt.Errorf("source of %s, %s: %w", it.Key, it.At, err))
			continue
		case sealed[it.Key] != Hash(text):
			bad = append(bad, fmt.Errorf("source of %s, %s: %w", it.Key, it.At, errs.Stale))
		}
		texts[it.Key] = text
	}
	for _, q := range a.Quotes {
		it, ok := byKey[q.Key]
		if !ok {
			bad = append(bad, fmt.Errorf("quote %q: key %s has no item: %w", clip(q.Text, 80), q.Key, errs.NotFound))
			continue
		}
		if text, ok := texts[q.Key]; ok {
			bad = append(bad, matchQuote(text, it, q.Text))
		}
	}
	return errors.Join(bad...)
}

// ReadAnswer reads an answer file. It does not check it: that is [Answer.Check].
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
		return nil, fmt.Errorf("answer file: %v: %w", err, errs.Format)
	}
	if a.Format != answerFormat {
		return nil, fmt.Errorf("answer of format %d, this version reads %d: %w", a.Format, answerFormat, errs.Format)
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
