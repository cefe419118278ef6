package agenttools

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/findspot/findspot/internal/visible"
	"github.com/findspot/findspot/skill"
)

// Structured is what the text of a result says, for programs, and for clients that forward nothing else to a model. Its JSON is
//
//	{"head": "...", "items": {"D1": "place\ntext", ...}, "text": "...", "cut": "...", "verdict": "..."}
//
// without what is empty: text where the answer is a list or a tree, which is indented by one blank. An item is its place, in the first line, and its
// text: with names for both the whole would be longer than the text of the result, which it never is. Where quotes in code make it so, it holds
// fewer items or lines, and cut goes on behind those.
type Structured struct {
	Head  string
	Items []ShownItem
	Lines []string

	cut    string                       // "": that of the result
	less   func(most int) (int, string) // how many of the first items or lines to show when all are too many, and what that leaves out
	goesOn func(lines int) string       // what is left out when the first item alone is shown, with so many whole lines
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

// shorten takes the last item or line away, or the end of the only one; false when nothing is left to take.
func (x *Structured) shorten(over int) bool {
	if most := max(len(x.Items), len(x.Lines)) - 1; most > 0 && x.less != nil {
		n, cut := x.less(most)
		x.Items, x.Lines, x.cut = x.Items[:min(n, len(x.Items))], x.Lines[:min(n, len(x.Lines))], cut
		return true
	}
	t, lines := &x.Head, 0
	if len(x.Items) > 0 && x.Items[0].Text != ellipsis {
		t = &x.Items[0].Text
	} else if len(x.Lines) > 0 && x.Lines[0] != ellipsis {
		t = &x.Lines[0]
	}
	if *t == "" || *t == ellipsis {
		return false
	}
	part := (*t)[:max(len(*t)-over-2*len(ellipsis), 0)]
	if i := strings.LastIndexByte(part, '\n'); i > 0 {
		part = part[:i]
		lines = strings.Count(part, "\n") + 1
	} else {
		part = strings.ToValidUTF8(part, "") + ellipsis
	}
	if *t = part; t != &x.Head && x.goesOn != nil {
		x.cut = x.goesOn(lines)
	}
	return true
}

// short is a label without the quotes of a title, which would take two bytes each, and with the key alone of the item before.
func short(label string) string {
	if quoted, err := strconv.QuotedPrefix(label); err == nil {
		if title, err := strconv.Unquote(quoted); err == nil {
			return title + label[len(quoted):]
		}
	}
	if rest, ok := strings.CutPrefix(label, "as ["); ok {
		return strings.Replace(rest, "]", "", 1)
	}
	return label
}

const ellipsis = "..."

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
	field("text", strings.Join(x.Lines, ""))
	field("cut", cmp.Or(x.cut, res.Cut))
	field("verdict", res.Verdict)
	b.WriteByte('}')
	return b.Bytes(), failed
}

// narrower takes away half of what a list or tree is indented by.
var narrower = strings.NewReplacer("│   ", "  ", "├── ", "  ", "└── ", "  ", "  ", " ")

// outline is a list or tree with one blank for each level.
func outline(text string) []string {
	var out []string
	for line := range strings.Lines(strings.TrimRight(text, "\n")) {
		rest := strings.TrimLeft(line, "│├└─ ")
		out = append(out, narrower.Replace(line[:len(line)-len(rest)])+rest)
	}
	return out
}
