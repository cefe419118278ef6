package evidence

import (
	"context"
	"fmt"
	"strings"
)

// ListAnswer makes an answer without a model: of what was found, the sentences and lines of code that speak of the
// question most, each with its key, and the keys of the rest. Every claim in it has a key by its making. Results of searches, which are no text of
// a source (see [Item.Derived]), are left out. Words that a line end divides are put together, and numbers of lines in the margin are left out; Source of o, where
// it is set, has the lines of the documents to tell them by. It is not sealed.
func ListAnswer(ctx context.Context, led *Ledger, items []Item, question string, o *CompactOptions) (*Answer, error) {
	var cited []Item
	for _, it := range items {
		if !it.Derived() {
			cited = append(cited, it)
		}
	}
	short, err := Compact(ctx, led, cited, question, nil, o)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	for _, p := range short.Parts {
		if p.Text != "" {
			b.WriteString(p.Text + "\n\n")
		}
	}
	for len(short.Left) > 0 {
		n := min(len(short.Left), 20)
		fmt.Fprintf(&b, "Further evidence: [%s]\n\n", strings.Join(short.Left[:n], ", "))
		short.Left = short.Left[n:]
	}
	if b.Len() == 0 {
		b.WriteString("Unknown: nothing was found.\n")
	}
	return &Answer{Question: question, Text: strings.TrimSpace(b.String()) + "\n", Rules: Rules{EveryClaim: true}}, nil
}
