package evidence

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/internal/errs"
)

// Summarise writes a text for a prompt: a model behind a function.
type Summarise func(ctx context.Context, prompt string) (string, error)

// CompactOptions of [Compact].
type CompactOptions struct {
	Runes  int    // most runes of all texts together; 0 means 8,000
	Tries  int    // most times the model is asked for one document or file; 0 means 3
	Source Source // where quotes of the model are looked for, and the lines of documents; nil: in the text of the cited item
}

// A Compaction is evidence made shorter, by document and file.
type Compaction struct {
	Parts []CompactPart `json:"parts"` // by first item; never nil
	Left  []string      `json:"left"`  // keys that no part cites, in the order of the items; the ledger still has them. Never nil
}

// A CompactPart is what was kept of one document or file.
type CompactPart struct {
	Name      string   `json:"name"`              // document name or title, or path of the file
	Keys      []string `json:"keys"`              // of all its items
	Text      string   `json:"text"`              // each sentence, and each excerpt of code, cites its key; empty when the budget left nothing for it
	Written   bool     `json:"written"`           // a model wrote it; else it is made of the evidence's own sentences
	Refused   []string `json:"refused,omitempty"` // why what the model wrote was refused, one for each try
	Sentences int      `json:"sentences"`         // sentences, and lines of code, of its items
	Kept      int      `json:"kept"`              // of them in Text, when no model wrote it
}

// Text joins the parts, each below its name.
func (c *Compaction) Text() string {
	var b strings.Builder
	for _, p := range c.Parts {
		if p.Text != "" {
			fmt.Fprintf(&b, "## %s\n%s\n\n", oneLine(p.Name), p.Text)
		}
	}
	if n := len(c.Left); n > 0 {
		fmt.Fprintf(&b, "(%d more pieces of evidence are left out: %s)\n", n, strings.Join(c.Left[:min(n, 20)], " "))
	}
	return strings.TrimSpace(b.String())
}

const (
	maxCompactItems = 10_000
	maxSummarised   = 60_000 // runes of one document that a model is shown at once
)

// Compact shortens evidence per document and file, keeping what matters for the question. With a model, what it writes is
// checked as [CheckText] does with EveryClaim and Quotes: a sentence without a key, a key of other evidence, or a wrong
// quote is refused and asked for again with the reason; when that does not help, as without a model (a nil Summarise),
// the part is made of the sentences of the evidence itself that speak of the question most, by BM25, each with its key.
// Items are put into the ledger if they are not there. What is left out is counted and named: [Ledger.Get] and [Expand]
// give it back.
//
// An error is one of ctx, or of too many items; a model that fails is noted in Refused.
func Compact(ctx context.Context, led *Ledger, items []Item, question string, s Summarise, o *CompactOptions) (*Compaction, error) {
	var opt CompactOptions
	if o != nil {
		opt = *o
	}
	opt.Runes, opt.Tries = cmp.Or(opt.Runes, 8000), cmp.Or(opt.Tries, 3)
	if len(items) > maxCompactItems {
		return nil, fmt.Errorf("compact: %d items, at most %d: %w", len(items), maxCompactItems, errs.TooLarge)
	}
	if opt.Runes < 0 || opt.Tries < 0 {
		return nil, errors.New("compact: Runes and Tries cannot be negative")
	}
	groups := groupItems(led, items)
	for _, g := range groups {
		g.read(ctx, opt.Source)
	}
	picks, err := pick(ctx, groups, question, opt.Runes)
	if err != nil {
		return nil, err
	}
	out := &Compaction{Parts: []CompactPart{}, Left: []string{}}
	for i, g := range groups {
		p := picks[i]
		if s != nil {
			if err := g.summarise(ctx, led, question, s, &opt, max(opt.Runes/len(groups), 200), &p); err != nil {
				return nil, err
			}
		}
		out.Parts = append(out.Parts, p)
	}
	kept := map[string]bool{}
	for _, p := range out.Parts {
		for _, k := range Keys(p.Text) {
			kept[k] = true
		}
	}
	for _, g := range groups {
		for _, it := range g.items {
			if !kept[it.Key] {
				out.Left = append(out.Left, it.Key)
			}
		}
	}
	return out, ctx.Err()
}

// A group is the items of one document or file.
type group struct {
	name  string
	items []Item
	flow  []string // running texts of the items of a document, see read
}

func groupItems(led *Ledger, items []Item) (out []*group) {
	by := map[string]*group{}
	seen := map[string]bool{}
	for _, it := range items {
		it = led.Add(it)
		if seen[it.Key] {
			continue
		}
		seen[it.Key] = true
		id, name := "d "+it.At.Doc, cmp.Or(it.At.Title, it.At.Name, it.At.Doc)
		if it.At.Doc == "" {
			name = cmp.Or(it.At.Path, it.At.Name, it.At.Entity)
			if it.At.Repo != "" {
				name = it.At.Repo + "//" + name
			}
			id = "c " + name
		}
		g := by[id]
		if g == nil {
			g = &group{name: name}
			by[id] = g
			out = append(out, g)
		}
		g.items = append(g.items, it)
	}
	return out
}

const compactRules = `Shorten the evidence below to what matters for the question. Put the key of the evidence in square brackets behind every
sentence, such as [D1], and use no other keys. Quote word for word, in double quotes, or not at all. Keep numbers and units as they are.
` + MarkRule

// summarise lets the model write the part; p is left as it is when that fails.
func (g *group) summarise(ctx context.Context, led *Ledger, question string, s Summarise, opt *CompactOptions, runes int, p *CompactPart) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nUse at most %d characters.\n\nQuestion: %s\n\nEvidence:\n", compactRules, runes, oneLine(question))
	evidence, err := g.show(ctx, question)
	if err != nil {
		return err
	}
	b.WriteString(Mark(fmt.Sprintf("from %s:\n%s", oneLine(g.name), evidence)) + "\n")
	prompt := b.String()
	for try := range opt.Tries {
		ask := prompt
		if try > 0 {
			ask += "\nThe last text was refused:\n" + Mark(p.Refused[len(p.Refused)-1]) + "\nWrite it again, whole.\n"
		}
		text, err := s(ctx, ask)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			p.Refused = append(p.Refused, "the model gave no text: "+err.Error())
			return nil
		}
		if why := g.refuses(ctx, led, text, opt, runes); why != "" {
			p.Refused = append(p.Refused, why)
			continue
		}
		p.Text, p.Written, p.Kept = strings.TrimSpace(text), true, 0
		return nil
	}
	return nil
}

// refuses says why a summary cannot stand for the group; empty: it can.
func (g *group) refuses(ctx context.Context, led *Ledger, text string, opt *CompactOptions, runes int) string {
	switch n := utf8.RuneCountInString(text); {
	case strings.TrimSpace(text) == "":
		return "it is empty"
	case n > 2*runes: // models count badly; twice is still short
		return fmt.Sprintf("it has %d characters, at most %d are wanted", n, runes)
	}
	var why []string
	for _, e := range CheckText(ctx, led, text, &CheckOptions{EveryClaim: true, Quotes: true, Source: opt.Source}) {
		why = append(why, e.Error())
	}
	for _, k := range Keys(text) {
		if !slices.ContainsFunc(g.items, func(it Item) bool { return it.Key == k }) {
			if _, known := led.Get(k); known { // an unknown one was named above
				why = append(why, "["+k+"] is not among the evidence that was shown")
			}
		}
	}
	if len(why) > 10 {
		why = append(why[:10], fmt.Sprintf("and %d more", len(why)-10))
	}
	return strings.Join(why, "\n")
}

// show lists the group's evidence for a model; of a large group what speaks of the question.
func (g *group) show(ctx context.Context, question string) (string, error) {
	var b strings.Builder
	n := 0
	for _, it := range g.items {
		n += utf8.RuneCountInString(it.Text)
	}
	if n > maxSummarised {
		parts, err := pick(ctx, []*group{g}, question, maxSummarised)
		if err != nil {
			return "", err
		}
		return "(the parts that speak of the question most)\n" + parts[0].Text + "\n", nil
	}
	for _, it := range g.items {
		fmt.Fprintf(&b, "[%s] %s\n%s\n\n", it.Key, it.At, it.Text)
	}
	return b.String(), nil
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
