package evidence

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/visible"
)

// What has become of a piece of evidence.
const (
	StateHolds   = "holds"   // what is cited stands at its place
	StateMoved   = "moved"   // the same words stand at another place
	StateChanged = "changed" // other words stand in its place
	StateGone    = "gone"    // neither these words nor any like them are there
	StateUnread  = "unread"  // it could not be looked at, or is no text of a source
)

// An ItemCheck says what has become of one piece of evidence of an answer.
type ItemCheck struct {
	Key   string `json:"key"`
	State string `json:"state"` // holds, moved, changed, gone or unread
	Was   Place  `json:"was"`   // where the answer says that it stands
	// At is where it stands now: of what was changed, the place of what is there in its stead; of what is gone, that of Now. The zero place: nowhere.
	At    Place        `json:"at"`
	Text  string       `json:"text"`            // what the answer has of it
	Now   string       `json:"now,omitempty"`   // of what was changed, what stands there now; of what is gone, the text that is nearest to it
	Score float64      `json:"score,omitempty"` // how alike Text and Now are, from 0 to 1
	Words []WordChange `json:"words,omitempty"` // how Text became Now
	Note  string       `json:"note,omitempty"`  // what a reader must know, such as that the words stand at several places
	Cited []int        `json:"cited,omitempty"` // the sentences that cite it, as indexes of [Recheck].Sentences
}

// A SentenceCheck says whether a sentence of an answer still holds.
type SentenceCheck struct {
	Text   string   `json:"text"`
	Keys   []string `json:"keys,omitempty"`
	Holds  bool     `json:"holds"`
	Reason string   `json:"reason,omitempty"` // why it does not, or what a judge said
	// Stands is true for a sentence that does not hold since its evidence has changed, though its own words still stand in that. It helps a reader, and proves nothing: what
	// has changed may be about them.
	Stands bool `json:"stands,omitempty"`
}

// A Recheck says what of an answer still holds against sources that have changed, and where its evidence is now.
type Recheck struct {
	Question  string          `json:"question,omitempty"`
	Holds     bool            `json:"holds"`              // every sentence does, and nothing is wrong with the file
	Problems  []string        `json:"problems,omitempty"` // of the answer as a file, such as that it was changed after it was sealed
	Items     []ItemCheck     `json:"items"`              // in the order of the answer; never nil
	Sentences []SentenceCheck `json:"sentences"`          // of its text, in order; never nil
	// Updated is the answer with its new places, sealed anew, with the same text and keys. It is nil where the answer does not hold, and where there is nothing new.
	Updated *Answer `json:"-"`
}

// A JudgeFunc decides whether a sentence of an answer is still true when evidence that it cites has changed. was are the items that it cites as the answer has them, now the same
// with their new texts. reason is for readers. An error ends the whole check.
type JudgeFunc func(ctx context.Context, sentence string, was, now []Item) (holds bool, reason string, err error)

// RecheckOptions of [NewRecheck]. Nil is fine.
type RecheckOptions struct {
	Derived bool      // believe items that are no text of a source; see [Item.Derived]
	Judge   JudgeFunc // nil: a sentence does not hold when evidence that it cites has changed
}

// NewRecheck draws the conclusions from what has become of the items of an answer: which sentences hold, and what the answer is with its new places. A sentence holds
// when all its evidence holds or has moved, or a judge says so of what has changed, and what it quotes stands at the new places. items has a check for each item of the answer, in
// any order; one that is missing counts as unread. The answer itself is left as it is.
//
// The error is one of ctx, of the judge, or of an answer that is too large to check.
func NewRecheck(ctx context.Context, a *Answer, src Source, items []ItemCheck, o *RecheckOptions) (*Recheck, error) {
	r := &rechecker{a: a, src: src, byKey: map[string]*ItemCheck{}, was: map[string]Item{}, now: map[string]Item{}, out: &Recheck{Question: a.Question, Items: []ItemCheck{}, Sentences: []SentenceCheck{}}}
	if o != nil {
		r.opt = *o
	}
	rep, err := a.Verify(ctx, src, &VerifyOptions{Derived: true, NoMeaning: true})
	if err != nil {
		return nil, err
	}
	for _, f := range rep.Findings {
		if f.About == AboutFile && !f.Holds {
			r.out.Problems = append(r.out.Problems, f.Reason)
		}
	}
	r.items(items)
	if err := r.sentences(ctx); err != nil {
		return nil, err
	}
	r.out.Holds = len(r.out.Problems) == 0 && !slices.ContainsFunc(r.out.Sentences, func(s SentenceCheck) bool { return !s.Holds })
	if r.out.Holds && !rep.Holds {
		r.out.Updated, err = r.updated(ctx)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil { // it would not be verified again
			r.out.Holds, r.out.Problems = false, append(r.out.Problems, err.Error())
		}
	}
	return r.out, ctx.Err()
}

type rechecker struct {
	a     *Answer
	src   Source
	opt   RecheckOptions
	byKey map[string]*ItemCheck
	was   map[string]Item // as the answer has them
	now   map[string]Item // with new places, and the texts that stand there
	out   *Recheck
}

// items takes the checks of the answer's items over, in its order.
func (r *rechecker) items(checks []ItemCheck) {
	given := map[string]ItemCheck{}
	for _, c := range checks {
		given[c.Key] = c
	}
	for _, it := range r.a.Items {
		c, ok := given[it.Key]
		if !ok {
			c = ItemCheck{State: StateUnread, Note: "it was not looked at"}
		}
		r.was[it.Key] = it
		c.Key, c.Was, c.Text, c.Cited = it.Key, it.At, it.Text, nil
		switch c.State {
		case StateMoved:
			it.At = c.At
		case StateChanged:
			it.At, it.Text, it.Hash, it.Matches = c.At, c.Now, Hash(c.Now), nil
		}
		r.now[it.Key] = it
		r.out.Items = append(r.out.Items, c)
	}
	for i := range r.out.Items {
		r.byKey[r.out.Items[i].Key] = &r.out.Items[i]
	}
}

// sentences says which hold.
func (r *rechecker) sentences(ctx context.Context) error {
	led := NewLedger()
	for _, it := range r.a.Items {
		led.put(r.now[it.Key])
	}
	v := &verifier{a: r.a, src: newBoundedSource(r.src), led: led}
	wrong := map[int]string{} // by where the sentence begins
	for _, e := range CheckText(ctx, led, r.a.Text, v.rules()) {
		if wrong[e.Sentence.Start] == "" {
			wrong[e.Sentence.Start] = e.Reason
		}
	}
	quoted := map[string]string{} // what is wrong with a quote of the list, by its key
	for _, q := range r.a.Quotes {
		it, ok := r.now[q.Key]
		if !ok {
			continue
		}
		if err := VerifyQuote(ctx, v.src, it, q.Text); err != nil && quoted[q.Key] == "" {
			quoted[q.Key] = err.Error()
		}
	}
	for _, s := range Sentences(r.a.Text) {
		c, err := r.sentence(ctx, s, wrong[s.Start], quoted)
		if err != nil {
			return err
		}
		for _, k := range s.Keys {
			if it := r.byKey[k]; it != nil {
				it.Cited = append(it.Cited, len(r.out.Sentences))
			}
		}
		r.out.Sentences = append(r.out.Sentences, c)
	}
	return ctx.Err()
}

// sentence says whether one holds. wrong is what breaks the rules that it was written under; quoted is what is wrong with quotes, by key.
func (r *rechecker) sentence(ctx context.Context, s Sentence, wrong string, quoted map[string]string) (SentenceCheck, error) {
	c := SentenceCheck{Text: s.Text, Keys: s.Keys}
	var was, now []Item
	changed := ""
	for _, k := range s.Keys {
		it := r.byKey[k]
		if it == nil {
			c.Reason = "[" + k + "] is no evidence of the answer"
			return c, nil
		}
		was, now = append(was, r.was[k]), append(now, r.now[k])
		derived := r.now[k].Derived() && r.opt.Derived
		switch {
		case it.State == StateChanged && changed == "":
			changed = "[" + k + "] says something else now"
		case it.State == StateGone:
			c.Reason = "[" + k + "] is gone"
			return c, nil
		case it.State == StateUnread && !derived:
			c.Reason = "[" + k + "] could not be checked"
			return c, nil
		}
	}
	if changed != "" {
		c.Reason = changed
		if r.opt.Judge == nil {
			c.Stands = standsAmong(s, now)
			return c, nil
		}
		holds, reason, err := r.opt.Judge(ctx, s.Text, was, now)
		if err != nil || !holds {
			if reason != "" {
				c.Reason += ": " + reason
			}
			return c, err
		}
		c.Reason = reason
	}
	for _, k := range s.Keys {
		if wrong == "" {
			wrong = quoted[k]
		}
	}
	if wrong != "" {
		c.Reason = wrong
		return c, nil
	}
	c.Holds = true
	return c, nil
}

// standsAmong reports whether the words of a sentence, without its keys, stand in one of the texts: which helps a reader, and proves nothing about what is around them.
func standsAmong(s Sentence, items []Item) bool {
	bare := s.Text
	for u := range units(s.Text) {
		for _, m := range slices.Backward(u.marks) {
			bare = bare[:m.start] + bare[m.end:]
		}
		break
	}
	bare = strings.TrimSpace(strings.Trim(strings.TrimSpace(bare), "`"))
	if bare == "" {
		return false
	}
	return slices.ContainsFunc(items, func(it Item) bool {
		it.Kind, it.At = KindPassage, Place{}
		return matchQuote(it.Text, it, bare) == nil
	})
}

// updated is the answer with the items as they are now, sealed.
func (r *rechecker) updated(ctx context.Context) (*Answer, error) {
	led := NewLedger()
	for _, it := range r.a.Items {
		if !led.put(r.now[it.Key]) {
			return nil, fmt.Errorf("key %s: given twice: %w", it.Key, errs.Format)
		}
	}
	for _, s := range r.a.Searched {
		led.Record(s)
	}
	out := *r.a
	if err := out.Seal(ctx, r.src, led); err != nil {
		return nil, fmt.Errorf("it could not be sealed anew: %w", err)
	}
	return &out, nil
}

// keptAround is how many kept words stand around a change.
const keptAround = 8

// JoinChanges is a text of words that went and came, each between its two marks, with up to eight of the kept words before and behind. What could not be seen is written out.
func JoinChanges(words []WordChange, went, came [2]string) string {
	var b strings.Builder
	for i, w := range words {
		if w.Kept != "" {
			b.WriteString(visible.Text(near(w.Kept, i > 0, i+1 < len(words))))
		}
		if w.Went != "" {
			b.WriteString(went[0] + visible.Text(w.Went) + went[1])
		}
		if w.Came != "" {
			b.WriteString(came[0] + visible.Text(w.Came) + came[1])
		}
	}
	return b.String()
}

// near leaves the middle of kept words out where it is far from the changes before and behind it.
func near(s string, before, behind bool) string {
	words := strings.SplitAfter(s, " ")
	head, tail := 0, 0
	if before {
		head = keptAround
	}
	if behind {
		tail = keptAround
	}
	if len(words) <= head+tail+1 {
		return s
	}
	out := "... "
	if head > 0 {
		out = strings.Join(words[:head], "") + "..."
		if tail > 0 {
			out += " "
		}
	}
	return out + strings.Join(words[len(words)-tail:], "")
}
