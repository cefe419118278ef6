package agenttools

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/findspot/findspot/internal/visible"
	"github.com/findspot/findspot/skill"
)

// Structured is what the text of a result says, for programs, and for clients that forward nothing else to a model. Its JSON is
//
//	{"head": "...", "items": {"D1": "place\ntext", ...}, "text": "...", "cut": "...", "verdict": "..."}
//
// without what is empty: text where the answer is a list or a tree, which is indented by one blank. An item is its place, in the first line, and its
// text: with names for both the whole would be longer than the text of the result, which it never is.
type Structured struct {
	Head  string
	Items []ShownItem
	Text  string
}

// A ShownItem is an item, or its beginning, as the text of a result has it.
type ShownItem struct{ Key, Label, Text string }

// finish makes the structured form of a result final: JSON, not longer than the text.
func (g Guard) finish(res *skill.Result) error {
	x, ok := res.Structured.(*Structured)
	if !ok {
		return nil
	}
	for {
		data, err := g.encode(x, res)
		if err != nil {
			return err
		}
		if over := len(data) - len(res.Text); over <= 0 || !x.shorten(over) {
			res.Structured = json.RawMessage(data)
			return nil
		}
	}
}

// short is a label without the quotes of a title, which would take two bytes each, and with the key alone of the item before.
func short(label string) string {
	label = strings.ReplaceAll(label, `"`, "")
	if rest, ok := strings.CutPrefix(label, "as ["); ok {
		label = strings.Replace(rest, "]", "", 1)
	}
	return label
}

const ellipsis = "..."

// shorten takes something away from the end; false when nothing is left to take.
func (x *Structured) shorten(over int) bool {
	t := &x.Head
	if n := len(x.Items); n > 0 {
		t = &x.Items[n-1].Text
		if len(*t) == 0 {
			x.Items = x.Items[:n-1]
			return true
		}
	} else if x.Text != "" {
		t = &x.Text
	}
	if *t == "" {
		return false
	}
	keep := strings.ToValidUTF8(strings.TrimSuffix(*t, ellipsis)[:max(len(*t)-over-2*len(ellipsis), 0)], "")
	if keep == "" {
		*t = ""
		return true
	}
	*t = keep + ellipsis
	return true
}

func (g Guard) encode(x *Structured, res *skill.Result) ([]byte, error) {
	var b bytes.Buffer
	var failed error
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // it is code
	write := func(s string) {
		s = visible.Text(s)
		if !g.ShowSecrets {
			s = Masked(s)
		}
		if err := enc.Encode(s); err != nil {
			failed = err
		}
		b.Truncate(b.Len() - 1) // the line's end
	}
	sep := func() {
		if last := b.Bytes()[b.Len()-1]; last != '{' {
			b.WriteByte(',')
		}
	}
	field := func(name, value string) {
		if value != "" {
			sep()
			b.WriteString(`"` + name + `":`)
			write(value)
		}
	}
	b.WriteByte('{')
	field("head", x.Head)
	if len(x.Items) > 0 {
		sep()
		b.WriteString(`"items":{`)
		for _, it := range x.Items {
			field(it.Key, short(it.Label)+"\n"+it.Text)
		}
		b.WriteByte('}')
	}
	field("text", x.Text)
	field("cut", res.Cut)
	field("verdict", res.Verdict)
	b.WriteByte('}')
	return b.Bytes(), failed
}

// narrower takes away half of what a list or tree is indented by.
var narrower = strings.NewReplacer("│   ", "  ", "├── ", "  ", "└── ", "  ", "  ", " ")

// outline is a list or tree with one blank for each level.
func outline(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimRight(text, "\n")) {
		rest := strings.TrimLeft(line, "│├└─ ")
		b.WriteString(narrower.Replace(line[:len(line)-len(rest)]) + rest)
	}
	return b.String()
}
