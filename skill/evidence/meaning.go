package evidence

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/entail"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/text"
)

// A Verdict says whether the evidence of a sentence says what the sentence claims.
type Verdict string

const (
	Supported   Verdict = "supported"   // its words, numbers and relations were found in the evidence
	Unsupported Verdict = "unsupported" // something in it is not so, or not there
	Undecided   Verdict = "undecided"   // words cannot tell
)

// A Judgement is the verdict on one sentence of a text.
type Judgement struct {
	Sentence Sentence `json:"sentence"`
	Keys     []string `json:"keys"` // of the evidence that was looked at: the sentence's own, or those of a sentence beside it
	Verdict  Verdict  `json:"verdict"`
	Reason   string   `json:"reason,omitempty"` // why it is not supported
	Words    []string `json:"words,omitempty"`  // of the sentence, that the reason is about
	Model    bool     `json:"model,omitempty"`  // Decide was asked, and this is what it said
}

// JudgeOptions of [Judge]. Nil is fine.
type JudgeOptions struct {
	// Source gives the text around an item, where the item's own is not enough.
	Source Source
	// Decide is asked about sentences that words cannot decide, such as a model (skill/agent.Decide); nil leaves them undecided. What words call
	// unsupported it never makes supported. It gets the sentence without its keys and the texts of its evidence, those of code and of searches among them, and
	// returns a verdict with its reason.
	Decide func(ctx context.Context, sentence string, evidence []string) (Verdict, string, error)
	// DoubtWords asks Decide also about what words decide, since they pass many sentences that are wrong, except near copies: quotations, and sentences that have whole
	// clauses of the evidence word for word. What words call unsupported and Decide supported is Undecided. It takes two and a half to four times as many questions.
	DoubtWords bool

	lost func(sentence string) string // a word that the sentence has from what its evidence was once; nil: there is none
}

// Judge says for each sentence of a text that makes a claim and has a key whether its evidence says so. It looks at numbers with their units, names, negation,
// bounds, quantifiers, plans and results, conditions, causes, quotations that are cut, and the row and column of a table, without a model; what it cannot tell is
// Undecided, and so is what rests on code or on the result of a search, beside documents too unless these support it. A sentence without a key is judged by those of the next one in its paragraph, or else
// of the one before; without any it is left out, as are headings. Unknown keys are left out; [CheckText] tells of them.
//
// The error is one of ctx or of Decide, or of a text of over 1 MB.
func Judge(ctx context.Context, led *Ledger, text string, o *JudgeOptions) ([]Judgement, error) {
	judged, _, err := judgeAll(ctx, led, text, o)
	return judged, err
}

// An Unjudged says how many sentences of a text were not judged by what their evidence says, and why.
type Unjudged struct {
	Code     int `json:"code"`     // fenced blocks of code
	Headings int `json:"headings"` // and heads of tables, which are names
	Uncited  int `json:"uncited"`  // they cite nothing, nor does a sentence beside them that could be judged
	Unknown  int `json:"unknown"`  // their keys stand for nothing
}

// Count is how many they are.
func (u *Unjudged) Count() int { return u.Code + u.Headings + u.Uncited + u.Unknown }

// String is such as "2 blocks of code, 1 that cites nothing".
func (u *Unjudged) String() string {
	var out []string
	for _, x := range []struct {
		n         int
		one, more string
	}{
		{u.Code, "block of code", "blocks of code"}, {u.Headings, "heading", "headings"}, {u.Uncited, "that cites nothing", "that cite nothing"},
		{u.Unknown, "whose keys stand for nothing", "whose keys stand for nothing"},
	} {
		switch {
		case x.n == 1:
			out = append(out, "1 "+x.one)
		case x.n > 1:
			out = append(out, fmt.Sprintf("%d %s", x.n, x.more))
		}
	}
	return strings.Join(out, ", ")
}

// judgeAll is Judge; left are the sentences that it does not judge, and those that it cannot, since their keys are unknown.
func judgeAll(ctx context.Context, led *Ledger, text string, o *JudgeOptions) (out []Judgement, left *Unjudged, err error) {
	if len(text) > maxText {
		return nil, nil, fmt.Errorf("text: over %d bytes: %w", maxText, errs.TooLarge)
	}
	if o == nil {
		o = &JudgeOptions{}
	}
	var all []*unit
	for u := range units(text) {
		all = append(all, u)
	}
	k, r := newChecker(led, nil), entail.NewReader()
	out, left = []Judgement{}, &Unjudged{}
	for i, u := range all {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		keys := keysOf(all, i, text)
		switch exempt := len(u.Keys) == 0 && k.exempt(u); {
		case u.kind == fence:
			left.Code++
			continue
		case u.kind == heading || u.kind == columns || exempt && !isUnknown(u):
			left.Headings++
			continue
		case len(keys) == 0 || exempt:
			left.Uncited++
			continue
		case !led.knows(keys) && len(u.Keys) == 0:
			left.Uncited++
		case !led.knows(keys):
			left.Unknown++
		}
		j, err := judge(ctx, led, r, u, keys, o)
		if err != nil {
			return nil, nil, err
		}
		out = append(out, j)
	}
	return out, left, nil
}

// knows reports whether the ledger has one of some keys.
func (l *Ledger) knows(keys []string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { _, ok := l.Get(key); return ok })
}

// keysOf are the keys that a unit is judged by.
func keysOf(all []*unit, i int, text string) []string {
	if len(all[i].Keys) > 0 {
		return all[i].Keys
	}
	beside := func(k int) []string {
		if k < 0 || k >= len(all) || all[k].kind != all[i].kind {
			return nil
		}
		if a, b := min(i, k), max(i, k); all[a].End > all[b].Start || strings.Contains(text[all[a].End:all[b].Start], "\n\n") {
			return nil
		}
		return all[k].Keys
	}
	if keys := beside(i + 1); len(keys) > 0 {
		return keys
	}
	return beside(i - 1)
}

func judge(ctx context.Context, led *Ledger, r *entail.Reader, u *unit, keys []string, o *JudgeOptions) (Judgement, error) {
	j := Judgement{Sentence: u.Sentence, Keys: keys}
	var all, own, wide []string
	var items []Item // of documents
	for _, key := range keys {
		it, ok := led.Get(key)
		if ok {
			all = append(all, it.Text)
		}
		if !ok || !it.IsDocument() {
			continue
		}
		own, items = append(own, it.Text), append(items, it)
		if o.Source != nil && !it.Derived() {
			if text, err := o.Source.Text(ctx, it.At); err == nil && len(text) <= maxJudged && text != it.Text {
				wide = append(wide, text)
			}
		}
	}
	beside := len(all) > len(own) // there is evidence of another kind
	sentence := u.claim()
	copied := false // words decide alone that it is supported
	if len(all) == 0 {
		j.Verdict, j.Reason = Undecided, "its keys stand for nothing"
		return j, nil
	}
	if len(own) == 0 {
		j.Verdict, j.Reason = Undecided, "its evidence is code or the result of a search, which is not judged by words"
	} else {
		said := r.Judge(sentence, own...)
		if said.Verdict != entail.Supported && len(wide) > 0 { // a piece may be cut out of its lines
			if w := r.Judge(sentence, append(wide, own...)...); w.Verdict == entail.Supported {
				said, all = w, append(all, wide...)
			}
		}
		if said.Verdict != entail.Supported {
			if w, on := judgeRuns(ctx, r, o.Source, sentence, items); w.Verdict == entail.Supported || w.Verdict != "" && quotesNone(u, append(wide, own...)) {
				said, all = w, append(all, on...)
			}
		}
		copied = said.Copy
		j.Verdict, j.Reason, j.Words = Verdict(said.Verdict), said.Reason, said.Words
		if j.Verdict == Unsupported && beside { // the rest may say it
			j.Verdict, j.Reason = Undecided, "some of its evidence is code or the result of a search, which is not judged by words, and the rest does not say so: "+j.Reason
		}
		if j.Verdict == Supported && o.lost != nil {
			if w := o.lost(sentence); w != "" {
				j.Verdict, j.Reason, j.Words = Undecided, fmt.Sprintf("its evidence had %q, and has it no more", w), []string{w}
			}
		}
	}
	if o.Decide != nil && (j.Verdict == Undecided || o.DoubtWords && !copied) {
		verdict, reason, err := o.Decide(ctx, sentence, all)
		if err != nil {
			return j, fmt.Errorf("sentence %q: %w", clip(u.Text, 80), err)
		}
		j.Model = true
		if j.Verdict == Unsupported && verdict == Supported {
			j.Verdict, j.Reason = Undecided, "the model says that its evidence bears it out, words say: "+j.Reason
		} else {
			j.Verdict, j.Reason = verdict, reason
		}
	}
	return j, nil
}

// judgeRuns judges a sentence by what its items say to who reads on from one to the next, over the ends of pages. Without such the verdict is empty.
func judgeRuns(ctx context.Context, r *entail.Reader, src Source, sentence string, items []Item) (said entail.Judgement, texts []string) {
	for _, x := range runs(ctx, src, items) {
		texts = append(texts, x.text)
	}
	if len(texts) == 0 {
		return said, nil
	}
	return r.Judge(sentence, texts...), texts
}

// quotesNone reports whether a unit has a quotation that stands in none of some texts: these cannot tell what it is worth.
func quotesNone(u *unit, texts []string) bool {
	return slices.ContainsFunc(u.quotations(), func(q string) bool {
		return !slices.ContainsFunc(texts, func(s string) bool {
			return orWithout(q, func(q string) error { return matchQuote(s, Item{}, q) }) == nil
		})
	})
}

// maxJudged bounds the text around an item that is judged, in bytes.
const maxJudged = 8 << 10

// claim is the text of a unit without its citations, a mark of MarkUnverified and the marks of its form.
func (u *unit) claim() string {
	var b strings.Builder
	at := u.Start
	for _, m := range u.marks {
		if m.start >= at && m.end <= u.End {
			b.WriteString(u.Text[at-u.Start : m.start-u.Start])
			at = m.end
		}
	}
	b.WriteString(u.Text[at-u.Start:])
	s := verdictMark.ReplaceAllString(b.String(), "")
	if u.kind == row {
		s = strings.ReplaceAll(strings.Trim(s, "| \t"), "|", ", ")
	}
	return strings.TrimSpace(strings.TrimLeft(s, "->*# \t"))
}

// JudgeChanged is a [JudgeFunc] that asks [Judge]: a sentence is still true when its evidence supports it by its words, as that is now, and has lost none of the words that both had.
func JudgeChanged(ctx context.Context, sentence string, was, now []Item) (holds bool, reason string, err error) {
	return JudgeChangedWith(nil)(ctx, sentence, was, now)
}

// JudgeChangedWith is [JudgeChanged] with options, such as a model that is asked where words cannot tell.
func JudgeChangedWith(o *JudgeOptions) JudgeFunc {
	var opt JudgeOptions
	if o != nil {
		opt = *o
	}
	return func(ctx context.Context, sentence string, was, now []Item) (holds bool, reason string, err error) {
		opt := opt
		opt.lost = func(sentence string) string { return lost(sentence, was, now) }
		led := NewLedger()
		for _, it := range now {
			it.Hash = Hash(it.Text)
			if err := led.Restore(it); err != nil {
				return false, "", err
			}
		}
		all, err := Judge(ctx, led, sentence, &opt)
		if err != nil || len(all) == 0 {
			return false, "", err
		}
		said := "its words still support the sentence"
		for _, j := range all {
			switch {
			case j.Verdict != Supported:
				return false, j.Reason, nil
			case j.Model:
				said = j.Reason
			}
		}
		return true, "the evidence changed, and " + said, nil
	}
}

// maxApart is within how many words two that stood beside one another still belong together.
const maxApart = 3

// lost returns words of a sentence that its evidence had and has no more: one, or two that stand beside one another in both and now are far from each other, or have another
// word between them, as when what was said of one thing is said of another. Empty for none.
func lost(sentence string, was, now []Item) string {
	before, after := contents(was), contents(now)
	last, lastWord := "", ""
	for _, w := range strings.Fields(sentence) {
		for _, t := range content(w) {
			w := strings.Trim(w, ".,;:!?()\"")
			if stood(before, t, "", 0) && !stood(after, t, "", 0) {
				return w
			}
			if last != "" && (stood(before, last, t, 1) && !stood(after, last, t, maxApart) || replaced(before, after, last, t)) {
				return lastWord + " " + w
			}
			last, lastWord = t, w
		}
	}
	return ""
}

// content are the terms of a text that say something.
func content(s string) []string {
	return slices.DeleteFunc(text.Terms(s), text.IsStopTerm)
}

func contents(items []Item) (out [][]string) {
	for _, it := range items {
		out = append(out, content(it.Text))
	}
	return out
}

// stood reports whether one of the texts has a term, with another one at most so many behind it; an empty one does not count.
func stood(texts [][]string, term, then string, within int) bool {
	return slices.ContainsFunc(texts, func(all []string) bool {
		for i, t := range all {
			if t == term && (then == "" || slices.Contains(all[i+1:min(i+1+within, len(all))], then)) {
				return true
			}
		}
		return false
	})
}

// replaced reports whether a word stood between two terms in whose place another one stands.
func replaced(before, after [][]string, term, then string) bool {
	between := func(texts [][]string) (out []string) {
		for _, all := range texts {
			for i := range max(len(all)-2, 0) {
				if all[i] == term && all[i+2] == then {
					out = append(out, all[i+1])
				}
			}
		}
		return out
	}
	was, now := between(before), between(after)
	return len(was) > 0 && len(now) > 0 && !slices.ContainsFunc(was, func(w string) bool { return slices.Contains(now, w) })
}

// A SentenceVerdict says of one sentence of a text what is wrong with its keys and quotations, and whether its evidence says what it claims.
type SentenceVerdict struct {
	Text     string   `json:"text"`
	Start    int      `json:"start"` // byte offsets in the text, half-open
	End      int      `json:"end"`
	Keys     []string `json:"keys,omitempty"`     // of the evidence that it was judged by
	Holds    bool     `json:"holds"`              // nothing is wrong, and its evidence does not speak against it
	Verdict  Verdict  `json:"verdict,omitempty"`  // empty: it was not judged, since it has no key that is known
	Reason   string   `json:"reason,omitempty"`   // why it is not supported
	Words    []string `json:"words,omitempty"`    // of the sentence, that the reason is about
	Model    bool     `json:"model,omitempty"`    // a model decided, since words could not
	Problems []string `json:"problems,omitempty"` // what is wrong with its keys and quotations, see [CheckText]
}

// A CitedKey is a key that a text cites, with the place that it stands for.
type CitedKey struct {
	Key     string `json:"key"` // as the text has it: D1, or an address such as "paper.pdf p. 3, l. 10-14"
	At      Place  `json:"at"`  // the zero place: none
	Text    string `json:"text,omitempty"`
	Problem string `json:"problem,omitempty"` // why it stands for nothing
}

// A TextCheck says of a text, sentence by sentence, whether it holds.
type TextCheck struct {
	Holds     bool              `json:"holds"`              // every sentence does
	Sentences []SentenceVerdict `json:"sentences"`          // those that were judged, and those that something is wrong with, in order; never nil
	Unjudged  *Unjudged         `json:"unjudged,omitempty"` // the sentences that were not judged; nil when none was to be
	Keys      []CitedKey        `json:"keys"`               // by first citation; never nil
}

// CheckSentences is [CheckText] and [Judge] in one: what both say of each sentence of a text, in order, without its keys. A sentence of which neither says anything, such as a
// heading, is only counted. Unlike there, nil for o is no default: nothing is judged then. The error is one of ctx or of Decide, or of a text of over 1 MB.
func CheckSentences(ctx context.Context, led *Ledger, text string, c *CheckOptions, o *JudgeOptions) (*TextCheck, error) {
	if len(text) > maxText {
		return nil, fmt.Errorf("text: over %d bytes: %w", maxText, errs.TooLarge)
	}
	out := &TextCheck{Holds: true, Sentences: []SentenceVerdict{}, Keys: []CitedKey{}}
	var judged []Judgement
	if o != nil {
		var err error
		if judged, out.Unjudged, err = judgeAll(ctx, led, text, o); err != nil {
			return nil, err
		}
	}
	bad := CheckText(ctx, led, text, c)
	for len(judged) > 0 || len(bad) > 0 {
		var s SentenceVerdict
		if len(judged) > 0 && (len(bad) == 0 || judged[0].Sentence.Start <= bad[0].Sentence.Start) {
			j := judged[0]
			judged = judged[1:]
			s = SentenceVerdict{Text: j.Sentence.Text, Start: j.Sentence.Start, End: j.Sentence.End, Keys: j.Keys, Verdict: j.Verdict, Reason: j.Reason, Words: j.Words, Model: j.Model}
			if !led.knows(j.Keys) { // there was nothing to judge it by
				s.Verdict, s.Reason, s.Keys = "", "", j.Sentence.Keys
			}
		} else {
			at := bad[0].Sentence
			s = SentenceVerdict{Text: at.Text, Start: at.Start, End: at.End, Keys: at.Keys}
		}
		for len(bad) > 0 && bad[0].Sentence.Start == s.Start {
			s.Problems = append(s.Problems, bad[0].Reason)
			bad = bad[1:]
		}
		if s.Holds = len(s.Problems) == 0 && s.Verdict != Unsupported; s.Verdict != "" || !s.Holds {
			out.Sentences, out.Holds = append(out.Sentences, s), out.Holds && s.Holds
		}
	}
	return out, ctx.Err()
}

// A Support is a piece of evidence for one sentence, with the verdict on it.
type Support struct {
	Item    Item     `json:"item"`
	Verdict Verdict  `json:"verdict"`
	Reason  string   `json:"reason,omitempty"` // why it does not support the sentence
	Words   []string `json:"words,omitempty"`  // of the sentence, that the reason is about
}

// RankSupport judges a sentence by each of some items of documents, which the ledger has: first those that support it by their words, then those that words cannot
// decide, then those that say something else, each in the order of the items. Items of code are left out. The error is that of [Judge].
func RankSupport(ctx context.Context, led *Ledger, sentence string, items []Item, o *JudgeOptions) ([]Support, error) {
	out := []Support{}
	for _, it := range items {
		if !it.IsDocument() {
			continue
		}
		judged, err := Judge(ctx, led, strings.TrimRight(sentence, " .\n")+" ["+it.Key+"].", o)
		if err != nil {
			return nil, err
		}
		if len(judged) > 0 {
			out = append(out, Support{it, judged[0].Verdict, judged[0].Reason, judged[0].Words})
		}
	}
	rank := map[Verdict]int{Supported: 0, Undecided: 1, Unsupported: 2}
	slices.SortStableFunc(out, func(a, b Support) int { return rank[a.Verdict] - rank[b.Verdict] })
	return out, nil
}
