package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/internal/bounded"
	"github.com/findspot/findspot/skill/internal/invoke"
	"github.com/findspot/findspot/skill/internal/show"
	"github.com/findspot/findspot/skill/record"
)

// AnswerOptions change how an answer is written. The zero value is usable: strict, not sealed.
type AnswerOptions struct {
	// Mark passes on what the model writes as it writes it, refused sentences too; each is then marked by the piece that
	// judges it. Without it a sentence is passed on when it is whole and holds, and one that does not is repaired or left out.
	Mark    bool
	Repairs int // times the model is asked to mend refused sentences; 0 means 2, below 0 never. Not with Mark

	Source       evidence.Source // where quotes are looked for, and the answer is sealed; nil: quotes in the evidence, and no seal
	Instructions string          // what the host adds to the writer's rules: length, form, language
	Headings     []string        // sections that the answer may have; they need no key
	MaxTokens    int             // of one answer of the model; 0: the adapter's default
	MaxEvidence  int             // runes of evidence that the writer is shown; 0 means 60,000. More is compacted for the question
	Wall         time.Duration   // 0 means 5 minutes

	Hooks []*skill.Hooks // FinalAnswer. With one, nothing is passed on before it has agreed

	// Record gets one JSON object a line, and Events the same as values. Both nil: the answer goes on in those of the gathering.
	Record io.Writer
	Events func(record.Event)
	Logger *slog.Logger     // nil discards
	Now    func() time.Time // of the record; nil: time.Now
}

// A Piece is a part of an answer that is being written. The Text of all pieces, joined, is that of the answer.
type Piece struct {
	Text string // to be appended; empty: nothing
	// Checked is a sentence that was judged, refused ones among them; nil for mere text. With Text it is the sentence in it, at its
	// offsets in the answer. Of a refused sentence that is not passed on, the offsets are those in what the model wrote.
	Checked *evidence.Checked
	Verdict evidence.Verdict // of a sentence that cites evidence and is passed on: Supported by it, or Undecided
	Answer  *evidence.Answer // of the last piece alone: the whole answer; nil when a hook refused it
	Report  *AnswerReport    // of the last piece alone
}

// Verified reports whether the piece is a sentence that cites evidence, all of it gathered for this question, whose quotes stand
// there word for word, and whose words the evidence supports ([evidence.Judge]). Where words cannot tell, as of code, it is not
// verified, and for a reader to judge.
func (p *Piece) Verified() bool {
	return p.Checked != nil && len(p.Checked.Errors) == 0 && p.Verdict == evidence.Supported
}

// An AnswerReport says how an answer came about.
type AnswerReport struct {
	Status    string   // StatusDone, StatusVerifiedNone, StatusInsufficient, or StatusStopped: a hook refused it
	Reason    string   // why, in a sentence; for done, what a reader must know, if anything
	Verified  int      // sentences that cite evidence, and that it supports
	Undecided int      // sentences that cite evidence and quote it rightly, of which words cannot tell whether it supports them
	Unknown   int      // sentences that only say what is unknown, and headings
	Repaired  int      // sentences, of the verified and the undecided ones, that the model mended
	Refused   []string // what did not hold and why, at most 50: left out of the answer or, with Mark, marked
	LeftOut   int      // sentences that are not in the answer
	Sealed    bool     // the answer holds the hashes of its sources
	Notes     []string // remarks of hooks
	Tokens    int      // in and out
	Model     string   // that wrote it, as its provider names it; empty: none did
}

const writerText = `You answer a question from evidence that somebody gathered in documents and code. You have nothing else: what you remember does
not count, and what the evidence does not say you do not say.

- Behind every sentence stand the keys of the evidence it rests on, in square brackets: [D1] or [D1, C2]. Use no key that is not
  listed. A sentence, list item, table row or block of code without a key is not passed on.
- Quote word for word, in double quotes, or do not quote. Keep numbers, units and names as they are.
- What the question asks and the evidence does not tell: one sentence that begins with "Unknown:" and states nothing else.
- Where pieces of evidence contradict each other, say so, with the keys of both.
- Answer first, then what supports it; no introduction, no summary, no headings unless they are asked for.
- ` + evidence.MarkRule

const (
	maxAnswerText = 256 << 10 // bytes that a model may write
	maxRefusals   = 50        // that a report lists
	maxRechecks   = 500       // sentences behind one that was left out or mended
	outlineRunes  = 4000      // of an answer without a model
)

// Answer writes the answer to what was gathered, in the writer's role, and judges each sentence as soon as it is whole: it
// must cite evidence that was gathered for this question, what it quotes must stand there, and the evidence must not speak
// against it ([evidence.Judge], by words alone: of some right sentences it is wrong). Sentences that do not hold are
// not passed on; the model may mend them, and what stays wrong is left out and counted, so that the text never waits for
// more than the first of them. The last piece has the whole answer, with the evidence it cites in full, also where the
// model saw it compacted.
//
// Without a model (nil) the answer is made of those sentences of the evidence that speak of the question most. Without evidence no model
// is asked: the answer says what was searched, and whether that proves that there is nothing.
//
// Iteration ends with the last piece or after the first error (the stop contract); breaking the loop ends the model's request.
func Answer(ctx context.Context, m skill.Model, g *Gathered, o *AnswerOptions) iter.Seq2[*Piece, error] {
	return func(yield func(*Piece, error) bool) {
		w, err := newWriter(m, g, o, yield)
		if err != nil {
			yield(nil, err)
			return
		}
		ctx, cancel := context.WithTimeout(ctx, w.opt.Wall)
		defer cancel()
		err = w.write(ctx)
		if err == nil {
			err = w.log.rec.Err()
		}
		if err != nil && !w.broken {
			yield(nil, err)
		}
	}
}

// A writer is one answer in the making.
type writer struct {
	model    skill.Model
	g        *Gathered
	opt      AnswerOptions
	yield    func(*Piece, error) bool
	check    *evidence.CheckOptions
	gathered map[string]bool // keys
	rep      *AnswerReport
	log      *journal
	talk     *record.Conversation

	units []*unit
	raw   strings.Builder // what the model wrote
	sent  int             // units that are passed on or left out
	text  strings.Builder // what was passed on
	gap   string          // between what was passed on and the next unit
	held  []*Piece        // while a hook has not agreed
	holds bool

	changed  bool // something was left out or mended: sentences stand elsewhere than where the model put them
	rechecks int
	broken   bool // the caller broke the loop
}

// A unit is a sentence with the white space and list marks before it.
type unit struct {
	gap      string
	checked  []judged // one; several when the model mended it with several
	bad      bool     // something in it does not hold
	gone     bool     // the model gave it up
	repaired bool
}

var errBroken = errors.New("the caller ended the answer")

func newWriter(m skill.Model, g *Gathered, o *AnswerOptions, yield func(*Piece, error) bool) (*writer, error) {
	if g == nil || g.Ledger == nil {
		return nil, errors.New("answer: nothing was gathered: Gathered and its Ledger are required")
	}
	w := &writer{model: m, g: g, yield: yield, gathered: map[string]bool{}, rep: &AnswerReport{Status: skill.StatusDone}}
	if o != nil {
		w.opt = *o
	}
	if w.opt.Repairs == 0 {
		w.opt.Repairs = 2
	}
	if w.opt.MaxEvidence == 0 {
		w.opt.MaxEvidence = 60_000
	}
	if w.opt.Wall == 0 {
		w.opt.Wall = 5 * time.Minute
	}
	if w.opt.Logger == nil {
		w.opt.Logger = slog.New(slog.DiscardHandler)
	}
	if w.opt.MaxEvidence < 0 || w.opt.Wall < 0 || w.opt.MaxTokens < 0 {
		return nil, errors.New("answer: MaxEvidence, Wall and MaxTokens are not below 0")
	}
	if w.opt.Now == nil {
		w.opt.Now = time.Now
	}
	w.log = g.log
	if w.log == nil || w.opt.Record != nil || w.opt.Events != nil {
		w.log = &journal{rec: record.NewWriter(w.opt.Record, &record.Options{Events: w.opt.Events, Logger: w.opt.Logger, Time: func(record.Event) time.Time { return w.opt.Now() }})}
		w.log.begin("answer", g.Question, nil, &GatherOptions{Wall: w.opt.Wall, Source: w.opt.Source})
	}
	w.talk = w.log.rec.Conversation("answer")
	if w.opt.Source != nil {
		w.opt.Source = &notedSource{j: w.log, src: w.opt.Source, seen: map[evidence.Place]string{}}
	}
	w.check = &evidence.CheckOptions{EveryClaim: true, Quotes: true, Source: w.opt.Source, Headings: w.opt.Headings}
	for _, it := range g.Items {
		w.gathered[it.Key] = true
	}
	w.holds = slices.ContainsFunc(w.opt.Hooks, func(h *skill.Hooks) bool { return h != nil && h.FinalAnswer != nil })
	return w, nil
}

// write makes the whole answer.
func (w *writer) write(ctx context.Context) error {
	var err error
	switch {
	case len(w.g.Items) == 0:
		err = w.nothing()
	case w.model == nil:
		err = w.outline(ctx)
	case w.opt.Mark:
		err = w.marked(ctx)
	default:
		err = w.strict(ctx)
	}
	if err != nil {
		return err
	}
	return w.finish(ctx)
}

// nothing is the answer when there is no evidence.
func (w *writer) nothing() error {
	verified, why := evidence.NoneIn(w.g.Searched)
	w.rep.Status, w.rep.Reason = skill.StatusInsufficient, "no evidence was found: "+why
	if verified {
		w.rep.Status, w.rep.Reason = skill.StatusVerifiedNone, why
		return w.pass(&Piece{Text: "There is nothing about this: " + why + "."})
	}
	return w.pass(&Piece{Text: "No evidence was found, and it could not be told that there is none: " + why + "."})
}

// outline is the answer without a model: sentences of the evidence.
func (w *writer) outline(ctx context.Context) error {
	c, err := evidence.Compact(ctx, w.g.Ledger, w.g.Items, w.g.Question, nil, &evidence.CompactOptions{Runes: min(outlineRunes, w.opt.MaxEvidence), Source: w.opt.Source})
	if err != nil {
		return err
	}
	var b strings.Builder
	check := *w.check
	for _, p := range c.Parts {
		if p.Text != "" {
			name := strings.Join(strings.Fields(p.Name), " ")
			check.Headings = append(slices.Clone(check.Headings), name)
			fmt.Fprintf(&b, "## %s\n\n%s\n\n", name, p.Text)
		}
	}
	w.check = &check
	w.rep.Reason = invoke.NoModel
	w.raw.WriteString(strings.TrimSpace(b.String()))
	s := evidence.NewStream(w.g.Ledger, w.check)
	w.take(ctx, append(s.Write(ctx, w.raw.String()), s.Close(ctx)...))
	return w.forward(ctx, true)
}

// take judges sentences that became whole.
func (w *writer) take(ctx context.Context, done []evidence.Checked) {
	from := 0
	if n := len(w.units); n > 0 {
		from = w.units[n-1].checked[0].Sentence.End
	}
	for _, c := range done {
		j := w.judge(ctx, c)
		u := &unit{checked: []judged{j}, bad: len(j.Errors) > 0}
		if raw := w.raw.String(); c.Sentence.Start >= from && c.Sentence.End <= len(raw) {
			u.gap = raw[from:c.Sentence.Start]
			from = c.Sentence.End
		}
		w.units = append(w.units, u)
	}
}

// forward passes on the units in their order, up to the first that may still be mended; with all, those that do not hold are left out.
func (w *writer) forward(ctx context.Context, all bool) error {
	for ; w.sent < len(w.units); w.sent++ {
		u := w.units[w.sent]
		if u.bad && !u.gone && !all {
			return nil
		}
		w.gap = joinGaps(w.gap, u.gap)
		w.changed = w.changed || u.bad || u.repaired
		for _, c := range u.checked {
			if u.gone || len(c.Errors) > 0 {
				w.rep.LeftOut++
				if err := w.refuse(c.Checked); err != nil {
					return err
				}
				continue
			}
			if w.text.Len() == 0 {
				w.gap = strings.TrimLeft(w.gap, " \t\r\n")
			}
			if w.changed && !w.fits(ctx, w.gap+c.Sentence.Text) {
				c.Errors = append(c.Errors, &evidence.TextError{Sentence: c.Sentence, Reason: "it does not hold where it stands now that what was before it is left out"})
				w.rep.LeftOut++
				if err := w.refuse(c.Checked); err != nil {
					return err
				}
				continue
			}
			c.Sentence.Start = w.text.Len() + len(w.gap)
			c.Sentence.End = c.Sentence.Start + len(c.Sentence.Text)
			w.count(&c, u.repaired)
			if err := w.pass(&Piece{Text: w.gap + c.Sentence.Text, Checked: &c.Checked, Verdict: c.verdict}); err != nil {
				return err
			}
			w.gap = " " // before another in its place
		}
		if w.gap == " " {
			w.gap = ""
		}
	}
	return nil
}

// fits reports whether the answer holds with more text: what was no quotation, heading or sentence of its own behind text that is
// left out may become one.
func (w *writer) fits(ctx context.Context, more string) bool {
	if w.rechecks++; w.rechecks > maxRechecks {
		return false
	}
	return len(evidence.CheckText(ctx, w.g.Ledger, w.text.String()+more, w.check)) == 0
}

// joinGaps is what stands between two sentences when those between them are left out: the wider break, as a list mark or a
// paragraph belongs to the sentence that follows.
func joinGaps(before, gap string) string {
	if strings.Count(before, "\n") > strings.Count(gap, "\n") {
		return before
	}
	if before != "" && !strings.Contains(gap, "\n") {
		return before
	}
	return gap
}

func (w *writer) count(c *judged, repaired bool) {
	switch {
	case len(c.Items) == 0:
		w.rep.Unknown++
		return
	case c.verdict == evidence.Supported:
		w.rep.Verified++
	default:
		w.rep.Undecided++
	}
	if repaired {
		w.rep.Repaired++
	}
}

// refuse tells of a sentence that does not hold.
func (w *writer) refuse(c evidence.Checked) error {
	for _, e := range c.Errors {
		w.log.rec.Write(&record.Refused{Conversation: w.talk.ID, Why: e.Error()})
		if len(w.rep.Refused) < maxRefusals {
			w.rep.Refused = append(w.rep.Refused, e.Error())
		}
	}
	return w.pass(&Piece{Checked: &c})
}

// pass hands a piece to the caller, or keeps it while a hook has not agreed.
func (w *writer) pass(p *Piece) error {
	w.text.WriteString(p.Text)
	if w.holds {
		w.held = append(w.held, p)
		return nil
	}
	if !w.yield(p, nil) {
		w.broken = true
		return errBroken
	}
	return nil
}

// strict streams the model's answer: what holds is passed on at once, the rest mended or left out.
func (w *writer) strict(ctx context.Context) error {
	req, err := w.request(ctx)
	if err != nil {
		return err
	}
	s := evidence.NewStream(w.g.Ledger, w.check)
	cut, err := w.stream(ctx, req, func(text string) error {
		w.take(ctx, s.Write(ctx, text))
		return w.forward(ctx, false)
	})
	if err != nil {
		return err
	}
	w.take(ctx, s.Close(ctx))
	if n := len(w.units); cut != "" && n > w.sent { // the end of a text that was cut is no sentence
		last := w.units[n-1]
		c := &last.checked[0]
		c.Errors = append(c.Errors, &evidence.TextError{Sentence: c.Sentence, Reason: cut})
		last.bad = true
	}
	if err := w.forward(ctx, false); err != nil {
		return err
	}
	for range w.opt.Repairs {
		if !slices.ContainsFunc(w.units, func(u *unit) bool { return u.bad }) {
			break
		}
		if err := w.repair(ctx, req); err != nil {
			return err
		}
		if err := w.forward(ctx, false); err != nil {
			return err
		}
	}
	return w.forward(ctx, true)
}

// marked passes the model's answer on as it comes, and each sentence's judgement behind it.
func (w *writer) marked(ctx context.Context) error {
	req, err := w.request(ctx)
	if err != nil {
		return err
	}
	s := evidence.NewStream(w.g.Ledger, w.check)
	judge := func(done []evidence.Checked) error {
		n := len(w.units)
		w.take(ctx, done)
		for _, u := range w.units[n:] {
			c := u.checked[0]
			if u.bad {
				err = w.refuse(c.Checked)
			} else {
				w.count(&c, false)
				err = w.pass(&Piece{Checked: &c.Checked, Verdict: c.verdict})
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	cut, err := w.stream(ctx, req, func(text string) error {
		if err := w.pass(&Piece{Text: text}); err != nil {
			return err
		}
		return judge(s.Write(ctx, text))
	})
	if err != nil {
		return err
	}
	w.rep.Reason = cut
	return judge(s.Close(ctx))
}

// stream asks the model and hands on its text. cut says why the text is not whole, if it is not.
func (w *writer) stream(ctx context.Context, req *skill.Request, each func(text string) error) (cut string, err error) {
	reply := &skill.Reply{}
	w.log.rec.Write(w.talk.Request(req))
	defer func() {
		reply.Text = w.raw.String()
		w.rep.Tokens += tokensOf(req, reply)
		w.rep.Model = cmp.Or(reply.Model, w.rep.Model)
		w.log.rec.Write(w.talk.Reply(invoke.CleanReply(reply), err))
	}()
	for d, err := range invoke.Stream(ctx, w.model, req, bounded.Grace) {
		if err == nil {
			err = ctx.Err() // a model that does not look at it
		}
		if err != nil {
			return "", fmt.Errorf("answer: model: %w", err)
		}
		if d == nil {
			continue
		}
		if d.Usage != nil {
			reply.Usage = *d.Usage
		}
		reply.Model, reply.Stop = cmp.Or(d.Model, reply.Model), cmp.Or(d.Stop, reply.Stop)
		if d.State != nil {
			reply.State = d.State
		}
		text := d.Text
		over := w.raw.Len()+len(text) > maxAnswerText
		if over {
			text = strings.ToValidUTF8(text[:maxAnswerText-w.raw.Len()], "")
		}
		w.raw.WriteString(text)
		if text != "" {
			if err := each(text); err != nil {
				return "", err
			}
		}
		if over {
			return fmt.Sprintf("it was cut off: an answer has at most %d bytes", maxAnswerText), nil
		}
	}
	switch reply.Stop {
	case skill.StopRefusal:
		return "", fmt.Errorf("answer: %w", reply.Err())
	case skill.StopLength:
		return "it was cut off by the length of the answer", nil
	}
	return "", nil
}

// request is what the writer is asked.
func (w *writer) request(ctx context.Context) (*skill.Request, error) {
	shown, err := w.shown(ctx)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Question: %s\n\nEvidence:\n%s", w.g.Question, show.Data(shown))
	if w.g.Notes != "" {
		fmt.Fprintf(&b, "\nNotes of who gathered it, not checked and no evidence:\n%s", show.Data(w.g.Notes))
	}
	if w.g.Stopped != "" && w.g.Stopped != GatherDone {
		fmt.Fprintf(&b, "\nThe search was ended early, and there may be more than this. Why:\n%s", show.Data(w.g.Reason))
	}
	system := writerText
	if len(w.opt.Headings) > 0 {
		system += "\n\nSections, in this order, each as a heading: " + strings.Join(w.opt.Headings, "; ")
	}
	if s := strings.TrimSpace(w.opt.Instructions); s != "" {
		system += "\n\n" + s
	}
	return &skill.Request{Role: skill.RoleWriter, System: system, MaxTokens: w.opt.MaxTokens, Messages: []skill.Message{{From: skill.FromUser, Text: b.String()}}}, nil
}

// shown is the evidence as the writer sees it: whole, or compacted for the question. What the notes name comes first.
func (w *writer) shown(ctx context.Context) (string, error) {
	var first, rest []evidence.Item
	named := evidence.Keys(w.g.Notes)
	for _, it := range w.g.Items {
		if slices.Contains(named, it.Key) {
			first = append(first, it)
		} else {
			rest = append(rest, it)
		}
	}
	items := append(first, rest...)
	n := 0
	for _, it := range items {
		n += utf8.RuneCountInString(it.Text) + 100
	}
	if n > w.opt.MaxEvidence {
		c, err := evidence.Compact(ctx, w.g.Ledger, items, w.g.Question, nil, &evidence.CompactOptions{Runes: w.opt.MaxEvidence, Source: w.opt.Source})
		if err != nil {
			return "", err
		}
		return c.Text(), nil
	}
	var b strings.Builder
	for _, it := range items {
		b.WriteString(show.ItemText(it) + "\n\n")
	}
	return b.String(), nil
}
