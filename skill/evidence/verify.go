package evidence

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/findspot/findspot/internal/errs"
)

// VerifyOptions of [Answer.Verify]. Nil is fine.
type VerifyOptions struct {
	// Derived believes items that are no text of a source; see [Item.Derived]. Without it they do not hold, since nothing was looked at.
	Derived bool
	// Places is content when the text at each place is the same, though its file has changed elsewhere.
	Places bool
	// NoMeaning leaves out what [Judge] says of each sentence.
	NoMeaning bool
	// Decide is asked about sentences that words cannot decide, see [JudgeOptions].
	Decide func(ctx context.Context, sentence string, evidence []string) (Verdict, string, error)
	// DoubtWords asks Decide also about what words decide, except near copies of the evidence; see [JudgeOptions].
	DoubtWords bool
}

// What a check of an answer is about.
const (
	AboutFile    = "file"    // the answer file itself
	AboutText    = "text"    // a sentence of the answer
	AboutMeaning = "meaning" // whether the evidence of a sentence says what it claims
	AboutKey     = "key"     // an item and its source
	AboutQuote   = "quote"   // a quote of the answer's list
)

// A Finding is one thing that was checked.
type Finding struct {
	About  string `json:"about"`           // file, text, meaning, key or quote
	Key    string `json:"key,omitempty"`   // of the item or quote
	Place  string `json:"place,omitempty"` // of the item, as a reader looks it up
	Text   string `json:"text,omitempty"`  // the sentence or quote, cut to 200 characters
	Holds  bool   `json:"holds"`
	Reason string `json:"reason,omitempty"` // why it does not hold, or what a reader must know
	// Verdict on the meaning of a sentence. One that words cannot decide holds as far as it was checked.
	Verdict Verdict `json:"verdict,omitempty"`
	Model   bool    `json:"model,omitempty"` // a model was asked about it, see [VerifyOptions]
	err     error
}

// A Verification says what of an answer holds.
type Verification struct {
	Holds    bool      `json:"holds"`              // everything does
	Unjudged *Unjudged `json:"unjudged,omitempty"` // the sentences whose meaning was not judged; nil when none was to be
	Findings []Finding `json:"findings"`           // the file, the text, its meaning, the keys in the order of the items, the quotes in theirs; never nil
}

// Err joins the findings that do not hold; nil when all do.
func (v *Verification) Err() error {
	var bad []error
	for _, f := range v.Findings {
		if !f.Holds {
			bad = append(bad, f.err)
		}
	}
	return errors.Join(bad...)
}

// Verify checks an answer against sources as they are now. These are findings:
//
//   - of the file: that it has the hash it was sealed with, and says each key and source once. Who changes a file can also seal it anew: what makes an
//     answer true are the findings about its sources.
//   - of the text: each sentence that breaks the answer's Rules, or cites a key without an item.
//   - of the meaning of each sentence that its evidence does not support, or that words cannot decide, see [Judge].
//   - of each key: that the source has the place, that its text and file are those of the time of sealing, and that the item's
//     own text stands there. A passage is cut around its match, so that up to 60 lines around the place count. Tables, figures and
//     shortened code need only have all their words at the place.
//   - of each quote: that it stands at the place of its key; see [VerifyQuote].
//
// The error is one of ctx, or of an answer that is too large to check.
func (a *Answer) Verify(ctx context.Context, src Source, o *VerifyOptions) (*Verification, error) {
	v := &verifier{a: a, src: newBoundedSource(src), out: &Verification{Holds: true, Findings: []Finding{}}}
	if o != nil {
		v.opt = *o
	}
	v.describe = describer(src)
	if len(a.Items) > maxAnswerItems || len(a.Quotes) > maxQuotes || len(a.Text) > maxText {
		return nil, fmt.Errorf("answer: over %d bytes of text, %d items or %d quotes: %w", maxText, maxAnswerItems, maxQuotes, errs.TooLarge)
	}
	v.file()
	v.text(ctx)
	if err := v.meaning(ctx); err != nil {
		return nil, err
	}
	sealed := map[string]Sealed{}
	for _, s := range a.Sources {
		sealed[s.Key] = s
	}
	for _, it := range a.Items {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s, ok := sealed[it.Key]
		note, err := "", fmt.Errorf("nothing is sealed of its source: %w", errs.Format)
		if ok {
			note, err = v.item(ctx, it, s)
		}
		var refused *QuoteError
		if errors.As(err, &refused) {
			note = refused.Reason
		} else if err != nil {
			note, err = err.Error(), fmt.Errorf("source of %s, %s: %w", it.Key, it.At, err)
		}
		v.add(Finding{About: AboutKey, Key: it.Key, Place: it.At.String(), Reason: note}, err)
	}
	for _, q := range a.Quotes {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		f := Finding{About: AboutQuote, Key: q.Key, Text: clip(q.Text, 200)}
		it, ok := v.led.Get(q.Key)
		if !ok {
			f.Reason = "its key has no item"
			v.add(f, fmt.Errorf("quote %q of %s: its key has no item: %w", clip(q.Text, 80), q.Key, errs.NotFound))
			continue
		}
		err := VerifyQuote(ctx, v.src, it, q.Text)
		var refused *QuoteError
		if errors.As(err, &refused) {
			f.Reason = refused.Reason
		}
		v.add(f, err)
	}
	return v.out, ctx.Err()
}

type verifier struct {
	a        *Answer
	opt      VerifyOptions
	src      *boundedSource
	describe func(context.Context, Place) (string, string, error)
	led      *Ledger // the answer's items under their own keys
	out      *Verification
}

// add adds a finding. What it says of its key, place and text is left out of its reason, which is the error where there is none.
func (v *verifier) add(f Finding, err error) {
	if f.Holds = err == nil; !f.Holds {
		f.err, f.Reason, v.out.Holds = err, cmp.Or(f.Reason, err.Error()), false
	}
	v.out.Findings = append(v.out.Findings, f)
}

// file checks the answer without its sources, and makes the ledger of its items.
func (v *verifier) file() {
	a := v.a
	var bad []error
	if a.Format != answerFormat {
		bad = append(bad, fmt.Errorf("answer of format %d, this version reads %d (0: it was never sealed): %w", a.Format, answerFormat, errs.Format))
	}
	switch digest, err := a.digest(); {
	case err != nil:
		bad = append(bad, err)
	case a.Digest == "":
		bad = append(bad, fmt.Errorf("the answer was never sealed: %w", errs.Format))
	case a.Digest != digest:
		bad = append(bad, fmt.Errorf("the answer was changed after it was sealed: it does not match its hash: %w", errs.Format))
	}
	v.led = NewLedger()
	for _, it := range a.Items {
		letter, _, rest, ok := cutKey(it.Key)
		switch {
		case !ok || rest != "" || (letter == "D") != it.IsDocument():
			bad = append(bad, fmt.Errorf("key %q: is no key of its item: %w", clip(it.Key, 40), errs.Format))
		case !v.led.put(it):
			bad = append(bad, fmt.Errorf("key %s: given twice: %w", it.Key, errs.Format))
		}
		if it.Hash != Hash(it.Text) {
			bad = append(bad, fmt.Errorf("key %s: the text does not match its hash: %w", clip(it.Key, 40), errs.Format))
		}
	}
	seen := map[string]bool{}
	for _, s := range a.Sources {
		if _, ok := v.led.Get(s.Key); !ok || seen[s.Key] {
			bad = append(bad, fmt.Errorf("source of %q: without its item, or given twice: %w", clip(s.Key, 40), errs.Format))
		}
		seen[s.Key] = true
	}
	v.add(Finding{About: AboutFile}, errors.Join(bad...))
}

// text checks the sentences under the rules that the answer says it was written under.
func (v *verifier) text(ctx context.Context) {
	o := v.rules()
	bad := CheckText(ctx, v.led, v.a.Text, o)
	for _, e := range bad {
		v.add(Finding{About: AboutText, Key: e.Key, Text: clip(e.Sentence.Text, 200), Reason: e.Reason}, e)
	}
	if len(bad) == 0 {
		n := fmt.Sprintf("%d sentences", len(Sentences(v.a.Text)))
		if o.EveryClaim {
			n += ", every claim has a key"
		}
		if o.Quotes {
			n += ", quotes stand at their places"
		}
		v.add(Finding{About: AboutText, Reason: n}, nil)
	}
}

// rules are those that the answer says it was written under.
func (v *verifier) rules() *CheckOptions {
	o := &CheckOptions{EveryClaim: v.a.Rules.EveryClaim, Quotes: v.a.Rules.Quotes, Source: v.src}
	for _, h := range v.a.Rules.Headings {
		if isName(bare(h)) {
			o.Headings = append(o.Headings, h)
		}
	}
	return o
}

// CheckText says of each sentence of an answer what [Answer.Verify] finds wrong with it, and, unless NoMeaning says otherwise, whether its evidence says so. The answer
// as a file, its keys and the quotes of its list are not looked at. The error is that of [Answer.Verify].
func (a *Answer) CheckText(ctx context.Context, src Source, o *VerifyOptions) (*TextCheck, error) {
	v := &verifier{a: a, src: newBoundedSource(src), out: &Verification{}}
	if o != nil {
		v.opt = *o
	}
	if len(a.Items) > maxAnswerItems || len(a.Text) > maxText {
		return nil, fmt.Errorf("answer: over %d bytes of text or %d items: %w", maxText, maxAnswerItems, errs.TooLarge)
	}
	v.file()
	judge := &JudgeOptions{Source: v.src, Decide: v.opt.Decide, DoubtWords: v.opt.DoubtWords}
	if v.opt.NoMeaning {
		judge = nil
	}
	out, err := CheckSentences(ctx, v.led, a.Text, v.rules(), judge)
	if err != nil {
		return nil, err
	}
	for _, k := range Keys(a.Text) {
		c := CitedKey{Key: k}
		if it, ok := v.led.Get(k); ok {
			c.At, c.Text = it.At, it.Text
		} else {
			c.Problem = "it is no evidence of the answer"
		}
		out.Keys = append(out.Keys, c)
	}
	return out, ctx.Err()
}

// meaning judges the sentences.
func (v *verifier) meaning(ctx context.Context) error {
	if v.opt.NoMeaning {
		return nil
	}
	all, left, err := judgeAll(ctx, v.led, v.a.Text, &JudgeOptions{Source: v.src, Decide: v.opt.Decide, DoubtWords: v.opt.DoubtWords})
	if err != nil {
		return err
	}
	v.out.Unjudged = left
	judged, supported, undecided, asked := 0, 0, 0, 0
	for _, j := range all {
		if !v.led.knows(j.Keys) {
			continue
		}
		judged++
		f := Finding{About: AboutMeaning, Key: strings.Join(j.Keys, ", "), Text: clip(j.Sentence.Text, 200), Verdict: j.Verdict, Reason: j.Reason, Model: j.Model}
		switch j.Verdict {
		case Supported:
			if supported++; j.Model {
				asked++
			}
		case Undecided:
			undecided++
			v.add(f, nil)
		default:
			v.add(f, fmt.Errorf("%q is not what its evidence says: %s", clip(j.Sentence.Text, 80), j.Reason))
		}
	}
	if judged+left.Count() == 0 {
		return nil
	}
	f := Finding{About: AboutMeaning, Reason: fmt.Sprintf("sentences that their evidence supports: %d of %d", supported, judged), Model: asked > 0}
	if supported > 0 {
		f.Verdict = Supported
	}
	if asked > 0 {
		f.Reason += fmt.Sprintf(", %d of them as a model says", asked)
	}
	if undecided > 0 && v.opt.Decide == nil {
		f.Reason += fmt.Sprintf("; words cannot decide %d, and no model was asked", undecided)
	}
	if left.Count() > 0 {
		f.Reason += "; not judged: " + left.String()
	}
	v.add(f, nil)
	return nil
}

// item checks an item against its source. note is what a reader must know though it holds.
func (v *verifier) item(ctx context.Context, it Item, s Sealed) (note string, err error) {
	if it.Derived() {
		if !v.opt.Derived {
			return "", fmt.Errorf("it is the result of a search and not text of a source, so it cannot be checked: ask again, or accept it (--allow-derived): %w", errs.Unsupported)
		}
		return "not checked: the result of a search, no text of a source", nil
	}
	text, err := v.src.Text(ctx, it.At)
	if err != nil {
		return "", err
	}
	file, reader, err := v.describe(ctx, it.At)
	switch {
	case err != nil:
		return "", err
	case s.Hash != Hash(text) && s.File != "" && s.File == file && s.Reader != reader:
		return "", fmt.Errorf("the file is the same, but %s reads other text there than %s did: %w", reader, s.Reader, errs.Stale)
	case s.Hash != Hash(text):
		return "", fmt.Errorf("the text there is no longer the one that was cited: %w", errs.Stale)
	case s.File != "" && file != "" && s.File != file && !v.opt.Places:
		return "", fmt.Errorf("the file has changed, though not at this place: %w", errs.Stale)
	case s.File != "" && file != "" && s.File != file:
		note = "the file has changed elsewhere"
	}
	whole, err := shown(ctx, v.src, it, text)
	if err != nil {
		return "", err
	}
	if !whole {
		note = strings.TrimPrefix(note+"; its words are all there, in another order or form", "; ")
	}
	return note, nil
}

// put adds an item under the key that it has, and reports whether that was free.
func (l *Ledger) put(it Item) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, taken := l.byKey[it.Key]; taken {
		return false
	}
	l.keep(it.At.identity()+it.Hash, it)
	return true
}

// A boundedSource remembers texts, and reads no more than a check may.
type boundedSource struct {
	src   Source
	texts map[Place]sourceText
	read  int
}

type sourceText struct {
	text string
	err  error
}

func newBoundedSource(src Source) *boundedSource {
	return &boundedSource{src: src, texts: map[Place]sourceText{}}
}

func (b *boundedSource) Text(ctx context.Context, at Place) (string, error) {
	if t, ok := b.texts[at]; ok {
		b.read += len(t.text) / 16 // looked at again
		if b.read > maxAnswerRead {
			return "", fmt.Errorf("the answer's places hold over %d bytes: %w", maxAnswerRead, errs.TooLarge)
		}
		return t.text, t.err
	}
	if b.read > maxAnswerRead {
		return "", fmt.Errorf("the answer's places hold over %d bytes: %w", maxAnswerRead, errs.TooLarge)
	}
	text, err := b.src.Text(ctx, at)
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if len(text) > maxPlaceBytes {
		text, err = "", fmt.Errorf("over %d bytes: %w", maxPlaceBytes, errs.TooLarge)
	}
	b.read += len(text)
	b.texts[at] = sourceText{text, err}
	return text, err
}
