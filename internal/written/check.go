package written

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/internal/lru"
	"github.com/findspot/findspot/skill/evidence"
)

// Options of [Check]. Nil is fine.
type Options struct {
	Ledger *evidence.Ledger          // keys that are known already
	Keys   map[string]string         // what other keys stand for, as addresses
	Places map[string]evidence.Place // or as places
	// NoMeaning leaves out whether the evidence says what a sentence claims.
	NoMeaning bool
	// Decide is asked about sentences that words cannot decide; see [evidence.JudgeOptions].
	Decide func(ctx context.Context, sentence string, evidence []string) (evidence.Verdict, string, error)
	// DoubtWords asks Decide also about what words decide, except near copies of the evidence; see [evidence.JudgeOptions].
	DoubtWords bool
}

// maxText bounds a text, in bytes.
const maxText = 1 << 20

// aKey is a key as reasons name it.
var aKey = lazyregexp.New(`\b[DC][1-9]\d{0,8}\b`)

// Check judges each sentence of a text by what its keys stand for. Every claim needs a key, and quotations must stand at their places. A key that stands for nothing
// is no error: it is named in the result, and the sentences that cite it do not hold. The error is one of ctx or of Decide, or of what is too large.
func Check(ctx context.Context, text string, lib Library, o *Options) (*evidence.TextCheck, error) {
	if o == nil {
		o = &Options{}
	}
	if len(text) > maxText {
		return nil, fmt.Errorf("text: %w: over %d bytes", errs.TooLarge, maxText)
	}
	lib = remembered{lib, lru.New[evidence.Place, string](maxRemembered)}
	body, defined := definitions(text)
	for key, s := range o.Keys {
		a, ok := parseAddress(s)
		if !ok {
			return nil, fmt.Errorf("key %.40q: %w: %.100q is no address: write one such as %q or %q", key, errs.Unsupported, s, "paper.pdf p. 3, l. 10-14", "file.go:10-20")
		}
		defined[key] = a
	}
	for key := range o.Places {
		defined[key] = address{written: key}
	}
	markup := &reading{}
	body = markup.withoutMarkup(body)
	r := &reading{defined: defined}
	v := &resolver{lib: lib, led: evidence.NewLedger(), taken: map[string]bool{}, keys: map[string][]string{}, next: map[string]int{}, have: map[evidence.Place]string{}, shown: map[string]string{}, files: map[string]bool{}, given: o.Places}
	r.isFile = func(name string) bool { return v.isFile(ctx, name) }
	found, own := r.cited(body)
	for _, key := range slices.Concat(own, slices.Collect(maps.Keys(defined))) {
		v.taken[key] = true
	}
	if len(found) == 0 && len(defined) == 0 && o.Ledger != nil {
		v.led = o.Ledger
	}
	for _, key := range own {
		if err := v.native(ctx, key, defined, o.Ledger); err != nil {
			return nil, err
		}
	}
	said, err := r.replace(body, found, func(_ int, p part) ([]string, error) {
		label := ""
		if p.label {
			label = p.written
		}
		return v.keysOf(ctx, label, p.address)
	})
	if err != nil {
		return nil, err
	}
	judge := &evidence.JudgeOptions{Source: lib, Decide: o.Decide, DoubtWords: o.DoubtWords}
	if o.NoMeaning {
		judge = nil
	}
	out, err := evidence.CheckSentences(ctx, v.led, said, &evidence.CheckOptions{EveryClaim: true, Quotes: true, Names: o.Ledger == nil, Source: lib}, judge)
	if err != nil {
		return nil, err
	}
	out.Keys = v.listed(said)
	why := v.reasons()
	for i := range out.Sentences {
		s := &out.Sentences[i]
		s.Start, s.End = markup.original(r.original(s.Start, false), false), markup.original(r.original(s.End, true), true)
		s.Text = text[s.Start:s.End]
		s.Keys = v.asWritten(s.Keys)
		s.Reason = v.plainly(s.Reason)
		for j, p := range s.Problems {
			if key, _, ok := strings.Cut(strings.TrimPrefix(p, "["), "] is no evidence that was found"); ok && why[key].Problem != "" {
				name := "[" + why[key].Key + "]"
				if len(s.Keys) == 1 { // the sentence shows it
					name = "its key"
				}
				s.Problems[j] = name + " stands for nothing: " + why[key].Problem
				continue
			}
			s.Problems[j] = v.plainly(p)
		}
	}
	return out, nil
}

// cited are the brackets that cite, which those in code and in quotations do not, and the keys that the text has itself.
func (r *reading) cited(body string) (found []bracket, own []string) {
	all := r.brackets(body)
	if len(all) == 0 {
		return nil, evidence.Keys(body)
	}
	of := map[string]int{} // the bracket of each address, by a key that the address has for this time
	said, _ := (&reading{}).replace(body, all, func(i int, _ part) ([]string, error) {
		key := "D" + strconv.Itoa(100_000_001+len(of))
		of[key] = i
		return []string{key}, nil
	})
	last := -1
	for _, key := range evidence.Keys(said) {
		i, ours := of[key]
		switch {
		case !ours:
			own = append(own, key)
		case i > last:
			found, last = append(found, all[i]), i
		}
	}
	return found, own
}

// replace writes keys in the place of addresses.
func (r *reading) replace(body string, found []bracket, keys func(bracket int, p part) ([]string, error)) (string, error) {
	var b strings.Builder
	at := 0
	for i, f := range found {
		var list []string
		for _, p := range f.parts {
			if p.plain() {
				list = append(list, p.written)
				continue
			}
			k, err := keys(i, p)
			if err != nil {
				return "", err
			}
			list = append(list, k...)
		}
		b.WriteString(body[at:f.start])
		e := edit{start: b.Len(), was: f.start, wasEnd: f.end}
		said := strings.Join(list, ", ")
		if n := min(f.end-f.start, maxAddress) - 2 - len(said); n > 0 { // the length of a line tells whether it was wrapped
			said += strings.Repeat(" ", n)
		}
		b.WriteString("[" + said + "]")
		e.end, at = b.Len(), f.end
		r.edits = append(r.edits, e)
	}
	b.WriteString(body[at:])
	return b.String(), nil
}

// native takes a key over that the text has itself, when somebody knows it.
func (v *resolver) native(ctx context.Context, key string, defined map[string]address, known *evidence.Ledger) error {
	if known != nil {
		if it, ok := known.Get(key); ok {
			v.out = append(v.out, cited{key, evidence.CitedKey{Key: key, At: it.At, Text: it.Text}})
			if v.led == known {
				return nil
			}
			v.have[unnamed(it.At)] = key
			return v.led.Restore(it)
		}
	}
	if a, ok := defined[key]; ok {
		_, err := v.keysOf(ctx, key, a)
		return err
	}
	v.out = append(v.out, cited{key, evidence.CitedKey{Key: key, Problem: "nothing says what it stands for"}})
	return nil
}

// listed are the keys of the text by first citation, each once.
func (v *resolver) listed(said string) []evidence.CitedKey {
	order := map[string]int{}
	for i, k := range evidence.Keys(said) {
		order[k] = i
	}
	slices.SortStableFunc(v.out, func(a, b cited) int { return order[a.key] - order[b.key] })
	out := []evidence.CitedKey{}
	for _, c := range v.out {
		out = append(out, c.CitedKey)
	}
	return out
}

// asWritten are keys as the text has them.
func (v *resolver) asWritten(keys []string) []string {
	out := slices.Clone(keys)
	for i, k := range out {
		if s := v.shown[k]; s != "" {
			out[i] = s
		}
	}
	return slices.Compact(out)
}

// plainly is a reason with the keys as the text has them.
func (v *resolver) plainly(reason string) string {
	if len(v.shown) == 0 {
		return reason
	}
	return aKey.Get().ReplaceAllStringFunc(reason, func(key string) string {
		if s := v.shown[key]; s != "" {
			return s
		}
		return key
	})
}

// reasons say why keys stand for nothing.
func (v *resolver) reasons() map[string]evidence.CitedKey {
	out := map[string]evidence.CitedKey{}
	for _, c := range v.out {
		if c.Problem != "" {
			out[c.key] = c.CitedKey
		}
	}
	return out
}
